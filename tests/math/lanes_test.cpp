// Every function of math/ gives in each lane of a pack what it gives for that world alone, so that a law proven for
// numbers holds in lanes. A function is an entry: arrays of numbers in, arrays of numbers out.
#include "tests/support/property.hpp"
#include "torsor/math/dense.hpp"
#include "torsor/math/pack.hpp"

namespace torsor {
namespace {

constexpr int kMaxNumbers = 64;

struct VectorAlgebra {
  template <class T>
  static int run(const T* in, T* out) {
    const Vec3<T> a = load3(in), b = load3(in + 3);
    store3(out, a + b - hadamard(a, b) * in[6] + cross(a, b) / in[6]);
    store3(out + 3, normalized(a));
    store3(out + 6, select(a.x < b.x, -a, T(2) * b));
    out[9] = dot(a, b), out[10] = norm(a), out[11] = norm2(b);
    store3(out + 12, normalized(select(a.x < T(0), a * T(1e-20), a)));
    return 15;
  }
};

struct MatrixAlgebra {
  template <class T>
  static int run(const T* in, T* out) {
    const Mat3<T> a = load9(in), b = load9(in + 9);
    const Vec3<T> v = load3(in + 18);
    store9(out, a * b + mul_transposed(a, b) - transposed_mul(a, b) * in[21]);
    store3(out + 9, a * v + transposed_mul(b, v));
    store9(out + 12, transpose(a) + outer(v, a.col(1)) + skew(v) + diag(b.row(2)));
    const Sym3<T> s = rotate_diagonal(a, v);
    store3(out + 21, s * v);
    store9(out + 24, to_mat(s + s * in[21]));
    out[33] = det(a);
    return 34;
  }
};

struct Rotations {
  template <class T>
  static int run(const T* in, T* out) {
    const Quat<T> p = normalized(load4(in)), q = normalized(load4(in + 4));
    const Vec3<T> v = load3(in + 8);
    store4(out, p * conj(q));
    store3(out + 4, rotate(p, v) + rotate_inverse(q, v));
    store9(out + 7, to_mat(p));
    store4(out + 16, from_axis_angle(normalized(v), in[11]));
    store4(out + 20, quat_from_rotation_vector(v));
    store4(out + 24, integrate(p, v, T(0.1)));
    store4(out + 28, normalized(select(in[0] < T(0), Quat<T>{T(0), T(0), T(0), T(0)}, p)));
    return 32;
  }
};

// where a lane may take another path than its neighbours
struct RotationInverses {
  template <class T>
  static int run(const T* in, T* out) {
    const Quat<T> p = normalized(load4(in)), q = normalized(load4(in + 4));
    store3(out, rotation_vector(p));
    store3(out + 3, quat_difference(p, q));
    store4(out + 6, from_mat(to_mat(p)));
    store4(out + 10, from_mat(to_mat(q)));
    store4(out + 14, quat_from_rotation_vector(select(in[0] < T(0), Vec3<T>::zero(), q.vec())));
    store3(out + 18, rotation_vector(select(in[0] < T(0), Quat<T>::identity(), q)));
    return 21;
  }
};

struct Poses {
  template <class T>
  static int run(const T* in, T* out) {
    const Pose<T> a{load3(in), normalized(load4(in + 3))}, b{load3(in + 7), normalized(load4(in + 10))};
    const Pose<T> c = a * inverse(b);
    store3(out, c.p);
    store4(out + 3, c.q);
    store3(out + 7, apply(c, load3(in + 14)));
    return 10;
  }
};

struct SpatialAlgebra {
  template <class T>
  static int run(const T* in, T* out) {
    const Twist<T> a = load6(in), b = load6(in + 6);
    const Wrench<T> F = load6_wrench(in + 12);
    const Vec3<T> r = load3(in + 18);
    const Mat3<T> R = to_mat(normalized(load4(in + 21)));
    const SpatialInertia<T> I = make_inertia(in[25], load3(in + 26), R, r).shifted(load3(in + 29));
    store6(out, cross(a, b).at(r) + a * in[25]);
    store6(out + 6, cross_force(a, F).at(r) - F * in[25]);
    store6(out + 12, I * b);
    store10(out + 18, I + I);
    out[28] = power(F, a);
    return 29;
  }
};

struct DenseKernels {
  template <class T>
  static int run(const T* in, T* out) {
    constexpr int kSize = 5;
    T A[kSize * kSize], x[kSize], y[kSize];
    for (int r = 0; r < kSize; ++r) {
      for (int c = 0; c < kSize; ++c) A[r * kSize + c] = dot(3, in + 3 * r, in + 3 * c) + (r == c ? T(1) : T(0));
      x[r] = in[20 + r];
    }
    matvec(kSize, kSize, A, kSize, x, y);
    matvec_transposed(kSize, kSize, A, kSize, y, x);
    out[0] = T(ScalarOf<T>(cholesky(kSize, A, kSize)));
    cholesky_solve(kSize, A, kSize, x);
    for (int r = 0; r < kSize; ++r) out[1 + r] = x[r];
    return 1 + kSize;
  }
};

template <class Entry, class T>
void expect_lanes_equal_numbers() {
  using S = ScalarOf<T>;
  const double tolerance = sizeof(S) == 8 ? kRounding : 2e-5;
  for_all(1000, [&](Random& random) {
    T in[kMaxNumbers], out[kMaxNumbers];
    for (T& x : in) {
      x = T(0);
      for (int i = 0; i < kLanes<T>; ++i) set_lane(x, i, S(random.uniform(-1, 1)));
    }
    const int count = Entry::run(in, out);
    for (int i = 0; i < kLanes<T>; ++i) {
      S in_i[kMaxNumbers], out_i[kMaxNumbers];
      for (int k = 0; k < kMaxNumbers; ++k) in_i[k] = lane(in[k], i);
      ASSERT_EQ(Entry::run(in_i, out_i), count);
      std::vector<double> in_pack, alone(out_i, out_i + count);
      for (int k = 0; k < count; ++k) in_pack.push_back(lane(out[k], i));
      EXPECT_NEAR_REL(in_pack, alone, tolerance);
    }
  });
}

template <class Entry>
class EveryLane : public testing::Test {};
using Entries =
    testing::Types<VectorAlgebra, MatrixAlgebra, Rotations, RotationInverses, Poses, SpatialAlgebra, DenseKernels>;
TYPED_TEST_SUITE(EveryLane, Entries);

TYPED_TEST(EveryLane, ComputesWhatItsWorldAloneDoes) {
  expect_lanes_equal_numbers<TypeParam, NativePack<double>>();
  expect_lanes_equal_numbers<TypeParam, NativePack<float>>();
}

TEST(EveryLane, ReadsOneModelValueForAllWorlds) {
  using T = NativePack<double>;
  const double numbers[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const Vec3<T> v = load3<T>(numbers);
  const Quat<T> q = load4<T>(numbers);
  const SpatialInertia<T> I = load10<T>(numbers);
  const Mat3<T> m = load9<T>(numbers);
  const Twist<T> V = load6<T>(numbers);
  for (int i = 0; i < kLanes<T>; ++i) {
    EXPECT_EQ(lane(v.z, i), 3);
    EXPECT_EQ(lane(q.z, i), 4);
    EXPECT_EQ(lane(I.m, i), 10);
    EXPECT_EQ(lane(m(2, 2), i), 9);
    EXPECT_EQ(lane(V.v.z, i), 6);
  }
}

}  // namespace
}  // namespace torsor
