// Implementation of torsor.linear: vectors, row-major matrices, sparse rows, spatial vectors.
#include "torsor/math/linear.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

// An argument of any size, of one or of two dimensions.
class Numbers {
 public:
  Numbers(const char* name, const ArrayLike& value, size_t dimensions)
      : shape_(shape_of(name, value, dimensions)), input_(name, value, shape_) {}
  const double* data() const { return input_.data(); }
  int size(size_t axis) const { return static_cast<int>(shape_[axis]); }
  size_t length(size_t axis) const { return shape_[axis]; }

 private:
  static Shape shape_of(const char* name, const ArrayLike& value, size_t dimensions) {
    const nb::tuple shape = nb::cast<nb::tuple>(nb::module_::import_("numpy").attr("shape")(value));
    Shape result;
    for (nb::handle length : shape) result.push_back(nb::cast<size_t>(length));
    if (result.size() != dimensions) {
      const char* wanted = dimensions == 1 ? "a vector" : "a matrix";
      throw nb::value_error(fmt::format("{} must be {}, got shape {}", name, wanted, to_text(result)).c_str());
    }
    return result;
  }

  Shape shape_;
  Input input_;
};

Numbers vector(const char* name, const ArrayLike& value) { return Numbers(name, value, 1); }
Numbers matrix(const char* name, const ArrayLike& value) { return Numbers(name, value, 2); }

void same(const char* a, int length_a, const char* b, int length_b) {
  if (length_a != length_b)
    throw nb::value_error(fmt::format("{} is {} long, and {} is {}", a, length_a, b, length_b).c_str());
}

struct Square : Numbers {
  Square(const char* name, const ArrayLike& value) : Numbers(name, value, 2) {
    if (size(0) != size(1))
      throw nb::value_error(fmt::format("{} must be square, got {} x {}", name, size(0), size(1)).c_str());
  }
};

// Factors are written over a copy of their matrix.
struct Copy : Output {
  explicit Copy(const Numbers& A) : Output({A.length(0), A.length(1)}) {
    std::copy_n(A.data(), A.length(0) * A.length(1), data());
  }
};

void bind_vectors(nb::module_& m) {
  m.def("norm", [](const ArrayLike& x) {
    const Numbers v = vector("x", x);
    return linear::norm(v.size(0), v.data());
  });
  m.def("norm1", [](const ArrayLike& x) {
    const Numbers v = vector("x", x);
    return linear::norm1(v.size(0), v.data());
  });
  m.def("dot", [](const ArrayLike& a, const ArrayLike& b) {
    const Numbers u = vector("a", a), v = vector("b", b);
    same("a", u.size(0), "b", v.size(0));
    return linear::dot(u.size(0), u.data(), v.data());
  });
  m.def("normalize", [](const ArrayLike& x) {
    const Numbers v = vector("x", x);
    const Output result({v.length(0)});
    linear::copy(v.size(0), v.data(), result.data());
    const double length = linear::normalize(v.size(0), result.data());
    return nb::make_tuple(result.array(), length);
  });
  m.def("add_scaled", [](const ArrayLike& a, double s, const ArrayLike& b) {
    const Numbers u = vector("a", a), v = vector("b", b);
    same("a", u.size(0), "b", v.size(0));
    const Output result({u.length(0)});
    linear::add_scaled(u.size(0), u.data(), s, v.data(), result.data());
    return result.array();
  });
  m.def("cross", [](const ArrayLike& a, const ArrayLike& b) {
    const Input u("a", a, {3}), v("b", b, {3});
    const Output result({3});
    linear::cross(u.data(), v.data(), result.data());
    return result.array();
  });
}

void bind_products(nb::module_& m) {
  m.def("mul_mat_vec", [](const ArrayLike& mat, const ArrayLike& vec) {
    const Numbers A = matrix("mat", mat), x = vector("vec", vec);
    same("a row of mat", A.size(1), "vec", x.size(0));
    const Output y({A.length(0)});
    linear::multiply(A.size(0), A.size(1), A.data(), x.data(), y.data());
    return y.array();
  });
  m.def("mul_mat_t_vec", [](const ArrayLike& mat, const ArrayLike& vec) {
    const Numbers A = matrix("mat", mat), x = vector("vec", vec);
    same("a column of mat", A.size(0), "vec", x.size(0));
    const Output y({A.length(1)});
    linear::multiply_transposed(A.size(0), A.size(1), A.data(), x.data(), y.data());
    return y.array();
  });
  m.def("mul_vec_mat_vec", [](const ArrayLike& vec1, const ArrayLike& mat, const ArrayLike& vec2) {
    const Square A("mat", mat);
    const Numbers x = vector("vec1", vec1), y = vector("vec2", vec2);
    same("mat", A.size(0), "vec1", x.size(0));
    same("mat", A.size(0), "vec2", y.size(0));
    return linear::bilinear(A.size(0), x.data(), A.data(), y.data());
  });
  m.def("mul_mat_mat", [](const ArrayLike& mat1, const ArrayLike& mat2) {
    const Numbers A = matrix("mat1", mat1), B = matrix("mat2", mat2);
    same("a row of mat1", A.size(1), "a column of mat2", B.size(0));
    const Output C({A.length(0), B.length(1)});
    linear::multiply_matrices(A.size(0), A.size(1), B.size(1), A.data(), B.data(), C.data());
    return C.array();
  });
  m.def("mul_mat_t_mat", [](const ArrayLike& mat1, const ArrayLike& mat2) {
    const Numbers A = matrix("mat1", mat1), B = matrix("mat2", mat2);
    same("a column of mat1", A.size(0), "a column of mat2", B.size(0));
    const Output C({A.length(1), B.length(1)});
    linear::multiply_transposed_left(A.size(0), A.size(1), B.size(1), A.data(), B.data(), C.data());
    return C.array();
  });
  m.def("mul_mat_mat_t", [](const ArrayLike& mat1, const ArrayLike& mat2) {
    const Numbers A = matrix("mat1", mat1), B = matrix("mat2", mat2);
    same("a row of mat1", A.size(1), "a row of mat2", B.size(1));
    const Output C({A.length(0), B.length(0)});
    linear::multiply_transposed_right(A.size(0), A.size(1), B.size(0), A.data(), B.data(), C.data());
    return C.array();
  });
  m.def(
      "sqr_mat_td",
      [](const ArrayLike& mat, const OptionalArray& diag) {
        const Numbers A = matrix("mat", mat);
        std::vector<double> weights(A.length(0), 1.0);
        if (!diag.is_none()) {
          const Numbers d = vector("diag", nb::borrow<ArrayLike>(diag));
          same("a column of mat", A.size(0), "diag", d.size(0));
          std::copy_n(d.data(), weights.size(), weights.data());
        }
        const Output C({A.length(1), A.length(1)});
        linear::weighted_square(A.size(0), A.size(1), A.data(), weights.data(), C.data());
        return C.array();
      },
      "mat"_a, "diag"_a = nb::none());
  m.def("transpose", [](const ArrayLike& mat) {
    const Numbers A = matrix("mat", mat);
    const Output B({A.length(1), A.length(0)});
    linear::transpose(A.size(0), A.size(1), A.data(), B.data());
    return B.array();
  });
  m.def("symmetrize", [](const ArrayLike& mat) {
    const Square A("mat", mat);
    const Output B({A.length(0), A.length(0)});
    linear::symmetrize(A.size(0), A.data(), B.data());
    return B.array();
  });
}

void bind_factors(nb::module_& m) {
  m.def("chol_factor", [](const ArrayLike& mat, double least) {
    const Square A("mat", mat);
    const Copy L(A);
    const int rank = linear::factor_cholesky(A.size(0), least, L.data());
    return nb::make_tuple(L.array(), rank);
  });
  m.def("chol_solve", [](const ArrayLike& factor, const ArrayLike& vec) {
    const Square L("factor", factor);
    const Numbers b = vector("vec", vec);
    same("factor", L.size(0), "vec", b.size(0));
    const Output x({L.length(0)});
    linear::solve_cholesky(L.size(0), L.data(), b.data(), x.data());
    return x.array();
  });
  m.def("chol_update", [](const ArrayLike& factor, const ArrayLike& vec, bool plus) {
    const Square L("factor", factor);
    const Numbers v = vector("vec", vec);
    same("factor", L.size(0), "vec", v.size(0));
    const Copy updated(L);
    std::vector<double> x(v.data(), v.data() + v.length(0));
    const int rank = linear::update_cholesky(L.size(0), plus, x.data(), updated.data());
    return nb::make_tuple(updated.array(), rank);
  });
}

// Sparse rows from Python, checked so that no index is out of bounds.
struct SparseArguments {
  SparseArguments(const ArrayLike& given_values, const std::vector<int>& nnz, const std::vector<int>& adr,
                  const std::vector<int>& ind, int columns)
      : values(vector("values", given_values)), rownnz(nnz), rowadr(adr), colind(ind) {
    same("rownnz", static_cast<int>(nnz.size()), "rowadr", static_cast<int>(adr.size()));
    same("values", values.size(0), "colind", static_cast<int>(ind.size()));
    for (size_t i = 0; i < nnz.size(); ++i) {
      if (nnz[i] < 0 || adr[i] < 0 || nnz[i] > values.size(0) || adr[i] > values.size(0) - nnz[i])
        throw nb::value_error(fmt::format("row {} lies outside of values", i).c_str());
      for (int k = adr[i]; k < adr[i] + nnz[i]; ++k) checked_column(ind[static_cast<size_t>(k)], columns);
    }
    sparse = {static_cast<int>(nnz.size()), columns, rownnz.data(), rowadr.data(), colind.data(), values.data()};
  }
  static void checked_column(int column, int columns) {
    if (column < 0 || column >= columns)
      throw nb::value_error(fmt::format("column {} does not exist: there are {}", column, columns).c_str());
  }

  Numbers values;
  const std::vector<int>&rownnz, &rowadr, &colind;
  linear::Sparse sparse;
};

void bind_sparse(nb::module_& m) {
  m.def("dense_to_sparse", [](const ArrayLike& mat) {
    const Numbers A = matrix("mat", mat);
    const int count = linear::make_sparse(A.size(0), A.size(1), A.data(), -1, nullptr, nullptr, nullptr, nullptr);
    std::vector<int> rownnz(A.length(0)), rowadr(A.length(0)), colind(static_cast<size_t>(count));
    const Output values({static_cast<size_t>(count)});
    linear::make_sparse(A.size(0), A.size(1), A.data(), count, rownnz.data(), rowadr.data(), colind.data(),
                        values.data());
    const auto to_list = [](const std::vector<int>& numbers) {
      nb::list list;
      for (const int number : numbers) list.append(number);
      return list;
    };
    return nb::make_tuple(values.array(), to_list(rownnz), to_list(rowadr), to_list(colind));
  });
  m.def("sparse_to_dense", [](const ArrayLike& values, const std::vector<int>& rownnz, const std::vector<int>& rowadr,
                              const std::vector<int>& colind, int columns) {
    const SparseArguments A(values, rownnz, rowadr, colind, columns);
    const Output dense({rownnz.size(), static_cast<size_t>(columns)});
    linear::make_dense(A.sparse, dense.data());
    return dense.array();
  });
  m.def("mul_sparse_vec", [](const ArrayLike& values, const std::vector<int>& rownnz, const std::vector<int>& rowadr,
                             const std::vector<int>& colind, const ArrayLike& vec, int columns, bool transposed) {
    const Numbers x = vector("vec", vec);
    const SparseArguments A(values, rownnz, rowadr, colind, columns);
    same(transposed ? "a column of the matrix" : "a row of the matrix", transposed ? A.sparse.rows : columns, "vec",
         x.size(0));
    const Output y({static_cast<size_t>(transposed ? columns : A.sparse.rows)});
    if (transposed)
      linear::multiply_transposed(A.sparse, x.data(), y.data());
    else
      linear::multiply(A.sparse, x.data(), y.data());
    return y.array();
  });
}

void bind_spatial(nb::module_& m) {
  m.def(
      "transform_spatial",
      [](const ArrayLike& vec, bool force, const ArrayLike& newpos, const ArrayLike& oldpos,
         const OptionalArray& rotnew2old) {
        const Input given("vec", vec, {6}), to("newpos", newpos, {3}), from("oldpos", oldpos, {3});
        std::vector<double> R;
        if (!rotnew2old.is_none()) {
          const Input numbers("rotnew2old", nb::borrow<ArrayLike>(rotnew2old), {3, 3}, {9});
          R.assign(numbers.data(), numbers.data() + 9);
        }
        const Output result({6});
        const auto transform = force ? linear::transform_force : linear::transform_motion;
        transform(given.data(), from.data(), to.data(), R.empty() ? nullptr : R.data(), result.data());
        return result.array();
      },
      "vec"_a, "force"_a, "newpos"_a, "oldpos"_a, "rotnew2old"_a = nb::none());
}

}  // namespace

void bind_linear(nb::module_& parent) {
  nb::module_ m = parent.def_submodule("_linear", "What torsor.linear computes with.");
  bind_vectors(m);
  bind_products(m);
  bind_factors(m);
  bind_sparse(m);
  bind_spatial(m);
}

}  // namespace torsor::python
