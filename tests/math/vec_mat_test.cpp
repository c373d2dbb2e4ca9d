// Vec3, Mat3 and Sym3: the laws of vector algebra.
#include <numeric>

#include "tests/support/property.hpp"
#include "torsor/math/mat3.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;

TEST(Vec3, OperatorsActOnEachComponent) {
  const Vec a{1, 2, 3}, b{10, 20, 30};
  EXPECT_EQ(components(a + b), (std::vector<double>{11, 22, 33}));
  EXPECT_EQ(components(b - a), (std::vector<double>{9, 18, 27}));
  EXPECT_EQ(components(-a), (std::vector<double>{-1, -2, -3}));
  EXPECT_EQ(components(a * 2), (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(components(2 * a), (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(components(b / 2), (std::vector<double>{5, 10, 15}));
  EXPECT_EQ(components(hadamard(a, b)), (std::vector<double>{10, 40, 90}));
  EXPECT_EQ(components(Vec::zero()), (std::vector<double>{0, 0, 0}));
  Vec c = a;
  c += b;
  c -= a;
  c *= 3;
  EXPECT_EQ(components(c), (std::vector<double>{30, 60, 90}));
}

TEST(Vec3, IndexingReachesXYZ) {
  Vec a{1, 2, 3};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(std::as_const(a)[i], i + 1);
    a[i] = 10 * i;
  }
  EXPECT_EQ(components(a), (std::vector<double>{0, 10, 20}));
}

TEST(Vec3, CrossOfAxesIsTheThirdAxis) {
  const Vec x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  EXPECT_EQ(components(cross(x, y)), components(z));
  EXPECT_EQ(components(cross(y, z)), components(x));
  EXPECT_EQ(components(cross(z, x)), components(y));
}

TEST(Vec3, CrossIsOrthogonalAndHasTheAreaAsLength) {
  for_all(1000, [](Random& random) {
    const Vec a = random.vec3(), b = random.vec3(), c = cross(a, b);
    EXPECT_NEAR(dot(a, c), 0, kRounding);
    EXPECT_NEAR(dot(b, c), 0, kRounding);
    EXPECT_NEAR_REL(norm2(c), norm2(a) * norm2(b) - dot(a, b) * dot(a, b), kRounding);
  });
}

TEST(Vec3, NormalizedHasLengthOneAndKeepsTheDirection) {
  for_all(1000, [](Random& random) {
    const Vec a = random.vec3(1) * std::abs(random.magnitude(1e-9, 1e9)), unit = normalized(a);
    EXPECT_NEAR(norm(unit), 1, kRounding);
    EXPECT_NEAR_REL(unit * norm(a), a, kRounding);
  });
}

TEST(Vec3, NormalizedIsTheXAxisWithoutDirection) {
  EXPECT_EQ(components(normalized(Vec::zero())), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(components(normalized(Vec{0, 1e-16, 0})), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(components(normalized(Vec{0, -1e-14, 0})), (std::vector<double>{0, -1, 0}));
}

TEST(Vec3, LoadAndStoreAreInverse) {
  const float in[3] = {1, 2, 3};
  double out[3] = {};
  store3(out, load3<double>(in));
  EXPECT_EQ(std::vector<double>(out, out + 3), (std::vector<double>{1, 2, 3}));
  static_assert(std::is_same_v<decltype(load3(in)), Vec3<float>>);
}

TEST(Mat3, RowsColumnsAndElementsAgree) {
  double in[9], out[9];
  std::iota(in, in + 9, 1.0);
  Mat a = load9(in);
  EXPECT_EQ(a(1, 2), 6);
  EXPECT_EQ(components(a.row(1)), (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(components(a.col(1)), (std::vector<double>{2, 5, 8}));
  EXPECT_EQ(components(transpose(a).row(1)), components(a.col(1)));
  EXPECT_EQ(components(mat_from_rows(a.row(0), a.row(1), a.row(2))), components(a));
  EXPECT_EQ(components(mat_from_cols(a.col(0), a.col(1), a.col(2))), components(a));
  store9(out, a);
  EXPECT_TRUE(std::equal(in, in + 9, out));
  a(1, 2) = 60;
  EXPECT_EQ(a.m[5], 60);
}

TEST(Mat3, ProductsAreSumsOverRowsTimesColumns) {
  for_all(200, [](Random& random) {
    const Mat a = random.mat(), b = random.mat();
    const Vec v = random.vec3();
    Mat product = Mat::zero();
    Vec image = Vec::zero();
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) {
        image[r] += a(r, c) * v[c];
        for (int k = 0; k < 3; ++k) product(r, c) += a(r, k) * b(k, c);
      }
    }
    EXPECT_NEAR_REL(a * b, product, kRounding);
    EXPECT_NEAR_REL(a * v, image, kRounding);
  });
}

TEST(Mat3, TransposedProductsNeedNoTranspose) {
  for_all(200, [](Random& random) {
    const Mat a = random.mat(), b = random.mat();
    const Vec v = random.vec3();
    EXPECT_NEAR_REL(transposed_mul(a, v), transpose(a) * v, kRounding);
    EXPECT_NEAR_REL(transposed_mul(a, b), transpose(a) * b, kRounding);
    EXPECT_NEAR_REL(mul_transposed(a, b), a * transpose(b), kRounding);
  });
}

TEST(Mat3, MultiplicationDistributesOverSums) {
  for_all(200, [](Random& random) {
    const Mat a = random.mat(), b = random.mat();
    const Vec v = random.vec3();
    const double s = random.uniform(-2, 2);
    EXPECT_NEAR_REL((a + b) * v, a * v + b * v, kRounding);
    EXPECT_NEAR_REL((a - b * s) * v, a * v - b * v * s, 1e-14);
    EXPECT_NEAR_REL(Mat::identity() * v, v, 0);
  });
}

TEST(Mat3, OuterSkewAndDiagDoWhatTheirProductsSay) {
  for_all(200, [](Random& random) {
    const Vec a = random.vec3(), b = random.vec3(), v = random.vec3();
    EXPECT_NEAR_REL(outer(a, b) * v, a * dot(b, v), kRounding);
    EXPECT_NEAR_REL(skew(a) * v, cross(a, v), kRounding);
    EXPECT_NEAR_REL(diag(a) * v, hadamard(a, v), 0);
  });
}

TEST(Mat3, DeterminantIsMultiplicativeAndOneForRotations) {
  for_all(200, [](Random& random) {
    const Mat a = random.mat(), b = random.mat();
    EXPECT_NEAR_REL(det(a * b), det(a) * det(b), 1e-14);
    EXPECT_NEAR(det(random.rotation()), 1, kRounding);
    EXPECT_NEAR_REL(det(diag(Vec{2, 3, 4})), 24.0, 0);
  });
}

TEST(Sym3, ActsAsItsMatrix) {
  for_all(200, [](Random& random) {
    const Sym3<double> a{1, 2, 3, random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const Sym3<double> b{random.uniform(-1, 1), 0, 4, 1, 2, 3};
    const Vec v = random.vec3();
    EXPECT_NEAR_REL(a * v, to_mat(a) * v, kRounding);
    EXPECT_EQ(components(to_mat(a)), components(transpose(to_mat(a))));
    Sym3<double> sum = a;
    sum += b;
    EXPECT_NEAR_REL(sum, to_mat(a) + to_mat(b), kRounding);
    EXPECT_NEAR_REL(sum - b * 2, to_mat(a) - to_mat(b), kRounding);
  });
  EXPECT_EQ(components(Sym3<double>::zero()), components(Mat::zero()));
}

TEST(Sym3, RotatedDiagonalIsSimilarToTheDiagonal) {
  for_all(200, [](Random& random) {
    const Mat R = random.rotation();
    const Vec d = random.moments();
    EXPECT_NEAR_REL(rotate_diagonal(R, d), R * diag(d) * transpose(R), kRounding);
  });
}

}  // namespace
}  // namespace torsor
