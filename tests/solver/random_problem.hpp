// Random constraint problems of every kind of row, and what a solution must satisfy, written down from the problem's
// statement rather than from the solvers' formulas.
#pragma once

#include <Eigen/Dense>

#include "tests/support/property.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor::solver {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

struct Kinds {
  int equality = 0, friction = 0, one_sided = 0, cones = 0;
};

// numbers that start at a multiple of 64 bytes
class Aligned {
 public:
  explicit Aligned(std::size_t n) : storage_(n + 8, 0.0) {
    const auto past = reinterpret_cast<std::uintptr_t>(storage_.data()) / sizeof(double) % 8;
    data_ = storage_.data() + (8 - past) % 8;
  }
  Aligned(const Aligned&) = delete;
  double* data() { return data_; }

 private:
  std::vector<double> storage_;
  double* data_;
};

inline int round_up(int n) { return (n + 7) / 8 * 8; }

struct RandomProblem {
  int n, m;
  Matrix M, J;
  Vector a_smooth, D, R, aref, frictionloss, start;
  std::vector<Cone> cones;
  Kinds kinds;

  RandomProblem(Random& random, int n_, const Kinds& kinds_, double spread = 100) : n(n_), kinds(kinds_) {
    m = kinds.equality + kinds.friction + kinds.one_sided;
    std::vector<int> singles(kinds.one_sided + kinds.cones, 1);  // 1: a row, else the dim of a cone
    int cones_left = kinds.cones;
    for (std::size_t k = 0; k < singles.size(); ++k) {
      const int left = int(singles.size() - k);
      if (random.integer(1, left) > cones_left) continue;
      static constexpr int kDims[] = {3, 4, 6};
      singles[k] = kDims[random.integer(0, 2)];
      m += singles[k];
      --cones_left;
    }
    const Matrix A = random_matrix(random, n, n);
    M = A * A.transpose() + 0.1 * Matrix::Identity(n, n);
    J = random_matrix(random, m, n);
    for (int r = 0; r < m; ++r) {  // rows leave out stretches of columns
      const int begin = random.integer(0, n), end = random.integer(begin, n);
      if (random.chance(0.5)) J.row(r).segment(begin, end - begin).setZero();
    }
    a_smooth = random_matrix(random, n, 1);
    start = random_matrix(random, n, 1);
    aref = random_matrix(random, m, 1);
    D.resize(m);
    for (double& d : D) d = std::abs(random.magnitude(1 / spread, spread));
    frictionloss = Vector::Zero(m);
    for (int r = kinds.equality; r < kinds.equality + kinds.friction; ++r) frictionloss[r] = random.uniform(0, 2);
    int row = kinds.equality + kinds.friction;
    for (const int dim : singles) {
      if (dim > 1) add_cone(random, row, dim);
      row += dim;
    }
    R = D.cwiseInverse();
  }

  Rows rows() const {
    return {.count = m,
            .equality = kinds.equality,
            .friction = kinds.friction,
            .D = D.data(),
            .R = R.data(),
            .aref = aref.data(),
            .frictionloss = frictionloss.data(),
            .cones = cones.data(),
            .cone_count = int(cones.size())};
  }

  static Matrix random_matrix(Random& random, int rows, int cols) {
    return Matrix::NullaryExpr(rows, cols, [&] { return random.uniform(-1, 1); });
  }

 private:
  void add_cone(Random& random, int row, int dim) {
    Cone cone{row, dim, 0, {}};
    for (double& f : cone.friction) f = random.uniform(0.1, 1.5);
    const double impratio = random.uniform(0.5, 4);
    cone.mu = cone.friction[0] / std::sqrt(impratio);
    for (int j = 1; j < dim; ++j) {
      D[row + j] =
          D[row] * impratio * cone.friction[j - 1] * cone.friction[j - 1] / (cone.friction[0] * cone.friction[0]);
    }
    cones.push_back(cone);
  }
};

// Memory of a DenseProblem and its Solution.
struct Dense {
  DenseProblem problem;
  Solution solution;
  std::vector<double> force, hessians;
  std::vector<int> state;
  std::vector<Statistic> statistics;

  explicit Dense(const RandomProblem& from)
      : force(from.m),
        hessians(36 * from.cones.size()),
        state(from.m),
        statistics(1000),
        ld_(round_up(from.n)),
        M_(std::size_t(from.n) * ld_),
        J_(std::size_t(from.m) * ld_),
        a_smooth_(ld_),
        f_smooth_(ld_),
        a_(ld_),
        qfrc_(ld_) {
    write(from.M, M_.data());
    write(from.J, J_.data());
    const Vector f_smooth = from.M * from.a_smooth;
    std::copy(from.a_smooth.begin(), from.a_smooth.end(), a_smooth_.data());
    std::copy(f_smooth.begin(), f_smooth.end(), f_smooth_.data());
    std::copy(from.start.begin(), from.start.end(), a_.data());
    problem = {.n = from.n,
               .ld = ld_,
               .M = M_.data(),
               .J = J_.data(),
               .a_smooth = a_smooth_.data(),
               .f_smooth = f_smooth_.data(),
               .rows = from.rows()};
    solution = {.a = a_.data(),
                .force = force.data(),
                .state = state.data(),
                .qfrc = qfrc_.data(),
                .cone_hessians = hessians.data(),
                .statistics = statistics.data(),
                .statistics_capacity = int(statistics.size())};
  }
  Vector a() { return Vector::Map(a_.data(), problem.n); }
  Vector f() const { return Vector::Map(force.data(), force.size()); }
  Vector qfrc() { return Vector::Map(qfrc_.data(), problem.n); }
  double* J() { return J_.data(); }

 private:
  void write(const Matrix& A, double* to) const {
    for (int r = 0; r < A.rows(); ++r) {
      for (int c = 0; c < A.cols(); ++c) to[r * ld_ + c] = A(r, c);
    }
  }
  int ld_;
  Aligned M_, J_, a_smooth_, f_smooth_, a_, qfrc_;
};

inline std::vector<double> components_of(const Vector& x) { return {x.begin(), x.end()}; }
inline double residual(double value, double scale) { return std::abs(value) / (1 + scale); }

// How far forces f and y = J a - aref + R f are from the solution's conditions, which are those of the dual problem: f
// is in its set, y in that set's dual cone, and no force does work on y.
inline double row_residual(const RandomProblem& p, const Vector& x, const Vector& f) {
  const Vector y = x + p.R.cwiseProduct(f);
  double worst = 0;
  const auto see = [&](double value, double scale) { worst = std::max(worst, residual(value, scale)); };
  std::vector<bool> in_cone(p.m, false);
  for (const Cone& cone : p.cones) {
    const int r = cone.row;
    double tangent = 0, slip = 0, size = 0, work = 0;
    for (int j = 0; j < cone.dim; ++j) {
      in_cone[r + j] = true;
      work += f[r + j] * y[r + j];
      size += std::abs(x[r + j]) + std::abs(p.R[r + j] * f[r + j]);
      if (j == 0) continue;
      tangent += std::pow(f[r + j] / cone.friction[j - 1], 2);
      slip += std::pow(y[r + j] * cone.friction[j - 1], 2);
    }
    see(std::max(0.0, std::sqrt(tangent) - f[r]), f[r]);
    see(std::max(0.0, std::sqrt(slip) - y[r]), size);
    see(work, std::abs(f[r]) * size);
  }
  for (int r = 0; r < p.m; ++r) {
    if (in_cone[r]) continue;
    const double size = std::abs(x[r]) + std::abs(p.R[r] * f[r]);
    if (r < p.kinds.equality) {
      see(y[r], size);
    } else if (r < p.kinds.equality + p.kinds.friction) {
      see(std::max(0.0, std::abs(f[r]) - p.frictionloss[r]), f[r]);
      const double room_up = p.frictionloss[r] - f[r], room_down = p.frictionloss[r] + f[r];
      see(std::min(std::max(0.0, y[r]), room_down), size);  // y > 0 pulls the force to its lower end
      see(std::min(std::max(0.0, -y[r]), room_up), size);
    } else {
      see(std::max(0.0, -f[r]), f[r]);
      see(std::max(0.0, -y[r]), size);
      see(std::min(std::abs(f[r]), std::abs(y[r])), size);
    }
  }
  return worst;
}

// M (a - a_smooth) = J' f
inline double gradient_residual(const RandomProblem& p, const Vector& a, const Vector& f) {
  const Vector inertial = p.M * (a - p.a_smooth), pushed = p.J.transpose() * f;
  return (inertial - pushed).norm() / (1 + inertial.norm() + (p.J.cwiseAbs().transpose() * f.cwiseAbs()).norm());
}

}  // namespace torsor::solver
