// The added mass of an ellipsoid in an ideal fluid [Lamb, Hydrodynamics, chapter V; Tuckerman 1926]. With radii a, b, c
//   kappa_x = a b c * integral over l from 0 to infinity of ((a^2 + l)^3 (b^2 + l) (c^2 + l))^-1/2 dl,
//   m_x = V kappa_x / (2 - kappa_x),
//   I_x = V/5 (b^2 - c^2)^2 (kappa_z - kappa_y) / (2 (b^2 - c^2) + (b^2 + c^2) (kappa_y - kappa_z)).
#include "torsor/compile/fluid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/model/fluid_ellipsoid.hpp"

namespace torsor::compiler {
namespace {

// Lower half of the 15-point Gauss-Kronrod rule on [0, 1]. Eight decimals, as in MuJoCo: the integral itself is
// accurate to only six digits, but results must agree to nine.
constexpr int kNodes = 8;
constexpr double kNode[kNodes] = {0.00427231, 0.02544604, 0.06756779, 0.12923441,
                                  0.20695638, 0.29707742, 0.39610752, 0.5};
constexpr double kWeight[kNodes] = {0.01146766, 0.03154605, 0.05239501, 0.07032663,
                                    0.08450236, 0.09517529, 0.10221647, 0.10474107};

// The integrand after the substitution l = s x^3 / (1 - x)^2, where s scales the ellipsoid to about unit size.
double integrand(double x, double s, const Vec& squares) {
  const double l = s * x * x * x / ((1 - x) * (1 - x));
  const double dl = s * x * x * (3 - x) / ((1 - x) * (1 - x) * (1 - x));
  const double u = 1 + l / squares.x, v = 1 + l / squares.y, w = 1 + l / squares.z;
  return dl / (u * std::sqrt(u * v * w));
}

// kappa along the first of three radii
double kappa(const Vec& radii) {
  const Vec squares = hadamard(radii, radii);
  const double s = std::pow(radii.x * radii.x * radii.x * radii.y * radii.z, 0.4);
  double sum = 0;
  for (int i = 0; i < kNodes; ++i) {
    const double x = kNode[i];
    sum += kWeight[i] *
           (i + 1 < kNodes ? integrand(x, s, squares) + integrand(1 - x, s, squares) : integrand(x, s, squares));
  }
  return sum / squares.x;
}

}  // namespace

std::array<double, 12> fluid_parameters(GeomType type, const Number5& coefficients, const Vec& size) {
  constexpr double kTiny = 1e-14;
  const Vec radii = ellipsoid_semi_axes(type, size);
  const double volume = 4.0 / 3 * std::numbers::pi * radii.x * radii.y * radii.z;
  std::array<double, 12> fluid{1};
  std::copy(coefficients.begin(), coefficients.end(), fluid.begin() + 1);
  const double k[3] = {kappa(radii), kappa({radii.y, radii.z, radii.x}), kappa({radii.z, radii.x, radii.y})};
  for (int i = 0; i < 3; ++i) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    const double yy = radii[y] * radii[y], zz = radii[z] * radii[z], difference = yy - zz;
    const double denominator = std::abs(2 * difference + (yy + zz) * (k[y] - k[z]));
    const size_t at = static_cast<size_t>(i);
    fluid[6 + at] = volume * k[i] / std::max(kTiny, 2 - k[i]);
    fluid[9 + at] = volume / 5 * difference * difference * std::abs(k[z] - k[y]) / std::max(kTiny, denominator);
  }
  return fluid;
}

}  // namespace torsor::compiler
