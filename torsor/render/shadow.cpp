// A map of keys, larger towards the light, fitted to what throws shadows.
#include "torsor/render/shadow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace torsor::render {
namespace {

constexpr float kSlopePixels = 1.5f;  // a point is compared with pixels of the map this far away
constexpr double kWidestHalf = 1.2;   // rad

Vec3f to_float(const Vec3<double>& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

bool throws_shadow(const Drawn& drawn) {
  return drawn.instance.throws_shadow && drawn.instance.shape != GeomType::kPlane;
}

struct Ball {
  Vec3<double> middle{0, 0, 0};
  double radius = -1;
};

// Around the box around all that throws shadows.
Ball ball_around(const std::vector<Drawn>& scene) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Vec3<double> low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
  for (const Drawn& drawn : scene) {
    if (!throws_shadow(drawn)) continue;
    const double radius = drawn.radius();
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], drawn.instance.p_WS[i] - radius);
      high[i] = std::max(high[i], drawn.instance.p_WS[i] + radius);
    }
  }
  if (!(low.x < kFar)) return {};
  return {(low + high) * 0.5, norm(high - low) * 0.5};
}

// Axes of the light: it looks along -z.
Mat3<double> axes_along(const Vec3<double>& direction) {
  const Vec3<double> z = -direction;
  const Vec3<double> other = std::abs(z.z) < 0.9 ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0};
  const Vec3<double> x = normalized(cross(other, z));
  return mat_from_cols(x, cross(z, x), z);
}

// A view that holds the ball, from where the light is or, if it is far away, from outside.
Projection view_of(const Light& light, const Ball& ball) {
  Projection view;
  view.is_orthographic = light.is_directional;
  const Vec3<double> apart = ball.middle - light.position_W;
  const double distance = norm(apart);
  if (light.is_directional) {
    view.R_WC = axes_along(light.direction_W);
    view.p_WC = ball.middle - light.direction_W * (2 * ball.radius);
    view.top = ball.radius;
    view.near = 0.5 * ball.radius, view.far = 4 * ball.radius;
  } else {
    const bool is_outside = distance > 1.05 * ball.radius;
    const double half =
        is_outside ? std::asin(ball.radius / distance) : std::min(light.cutoff_deg * 0.01745, kWidestHalf);
    view.R_WC = axes_along(is_outside ? apart / distance : light.direction_W);
    view.p_WC = light.position_W;
    view.top = std::tan(std::min(half, kWidestHalf));
    view.near = std::max(is_outside ? 0.5 * (distance - ball.radius) : 0, 1e-3 * ball.radius);
    view.far = distance + 2 * ball.radius;
  }
  view.bottom = view.left = -view.top;
  view.right = view.top;
  return view;
}

}  // namespace

double Drawn::radius() const {
  const Vec3f& s = instance.scale;
  return static_cast<double>(surface->radius) * std::max({s.x, s.y, s.z}) + instance.half;
}

ShadowMap::ShadowMap(const Light& light, const std::vector<Drawn>& scene, const Projection& camera, int pixels)
    : pixels_(pixels), is_orthographic_(light.is_directional) {
  const Ball ball = ball_around(scene);
  if (!(ball.radius > 0) || !std::isfinite(ball.radius)) return;
  is_empty_ = false;
  const Projection view = view_of(light, ball);
  draw(Screen(view, pixels, pixels), scene);
  const Mat3<double> R_LC = transposed_mul(view.R_WC, camera.R_WC);
  p_LC_ = to_float(transposed_mul(view.R_WC, camera.p_WC - view.p_WC));
  row_x_ = to_float(R_LC.row(0)), row_y_ = to_float(R_LC.row(1)), row_z_ = to_float(R_LC.row(2));
  scale_ = static_cast<float>(pixels / (2 * view.top));
  middle_ = static_cast<float>(pixels) / 2;
  texel_ = static_cast<float>(2 * view.top / pixels);
}

void ShadowMap::draw(const Screen& screen, const std::vector<Drawn>& scene) {
  constexpr float kMiddle[1][2] = {{0, 0}};
  key_.assign(static_cast<size_t>(pixels_) * static_cast<size_t>(pixels_), std::numeric_limits<float>::lowest());
  ScreenTriangles triangles;
  triangles.clear();
  for (const Drawn& drawn : scene) {
    if (throws_shadow(drawn)) triangles.add(drawn.instance, *drawn.surface, screen, false, kSlopePixels);
  }
  std::vector<int> ids(triangles.triangle.size());
  std::iota(ids.begin(), ids.end(), 0);
  const Band band{0, pixels_, pixels_, pixels_, 1, key_.data(), nullptr, kMiddle, std::numeric_limits<float>::max()};
  raster_kernels().cover(band, triangles.triangle.data(), ids.data(), static_cast<int>(ids.size()));
  find_largest();
}

void ShadowMap::find_largest() {
  squares_ = pixels_ / kSquare;
  largest_.assign(static_cast<size_t>(squares_) * static_cast<size_t>(squares_), std::numeric_limits<float>::lowest());
  for (int row = 0; row < pixels_; ++row) {
    const float* at = &key_[static_cast<size_t>(row) * static_cast<size_t>(pixels_)];
    float* square = &largest_[static_cast<size_t>(row / kSquare) * static_cast<size_t>(squares_)];
    for (int s = 0; s < squares_; ++s) {
      for (int c = 0; c < kSquare; ++c) square[s] = std::max(square[s], at[s * kSquare + c]);
    }
  }
}

float ShadowMap::visible(const Vec3f& p_C, const Vec3f& normal_C) const {
  if (is_empty_) return 1;
  // the point is moved off its surface, so that the surface does not shade itself
  Vec3f p = {dot(row_x_, p_C) + p_LC_.x, dot(row_y_, p_C) + p_LC_.y, dot(row_z_, p_C) + p_LC_.z};
  const float texel = is_orthographic_ ? texel_ : texel_ * std::max(-p.z, 0.0f), off = texel;
  p += Vec3f{dot(row_x_, normal_C) * off, dot(row_y_, normal_C) * off, dot(row_z_, normal_C) * off + 0.5f * texel};
  const float depth = -p.z, w = is_orthographic_ ? 1.0f : depth;
  if (!(depth > 0)) return 1;
  const float key = is_orthographic_ ? -depth : 1 / depth;
  const float u = scale_ * p.x / w + middle_ - 2, v = -scale_ * p.y / w + middle_ - 2;  // the first of four pixels
  const float last = static_cast<float>(pixels_ - 5);
  if (!(u > 0 && v > 0 && u < last && v < last)) return 1;
  const int column = static_cast<int>(u + 0.5f), row = static_cast<int>(v + 0.5f);
  const int left = column / kSquare, top = row / kSquare;
  const int right = (column + 3) / kSquare, bottom = (row + 3) / kSquare;
  const auto is_free = [&](int r, int c) { return largest_[static_cast<size_t>(r * squares_ + c)] <= key; };
  if (is_free(top, left) && is_free(top, right) && is_free(bottom, left) && is_free(bottom, right)) return 1;
  const float part_x = u + 0.5f - static_cast<float>(column), part_y = v + 0.5f - static_cast<float>(row);
  const float weight_x[4] = {1 - part_x, 1, 1, part_x}, weight_y[4] = {1 - part_y, 1, 1, part_y};
  float sum = 0;
  for (int r = 0; r < 4; ++r) {
    const float* at = &key_[static_cast<size_t>((row + r) * pixels_ + column)];
    float of_row = 0;
    for (int c = 0; c < 4; ++c) of_row += at[c] <= key ? weight_x[c] : 0.0f;
    sum += weight_y[r] * of_row;
  }
  return sum / 9;
}

}  // namespace torsor::render
