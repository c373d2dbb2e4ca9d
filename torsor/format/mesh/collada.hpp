// The parts of a Collada file that the reader of meshes needs: numbers, elements by id, transforms of nodes.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <pugixml.hpp>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/math/mat3.hpp"

namespace torsor::collada {

[[noreturn]] void fail(std::string_view file_name, const std::string& what);

// p_A = A p_B + p: nodes may scale and shear.
struct Affine {
  Mat3<double> A = Mat3<double>::identity();
  Vec3<double> p{0, 0, 0};
};
Vec3<double> apply(const Affine& X_AB, const Vec3<double>& p_B);
Affine operator*(const Affine& X_AB, const Affine& X_BC);

class File {
 public:
  // Throws an Error for text that is not Collada.
  File(Bytes bytes, std::string_view name);

  pugi::xml_node root() const { return document_.document_element(); }
  [[noreturn]] void fail(const std::string& what) const { collada::fail(name_, what); }

  // The element that "#id" names; an Error if there is none.
  pugi::xml_node find(const char* url, const char* what) const;

  // The numbers in an element's text; `count` >= 0 demands that many.
  std::vector<double> numbers(pugi::xml_node element, int count = -1) const;
  std::vector<int> indices(pugi::xml_node element) const;

  double metres_per_unit() const;
  // The product of a node's <matrix>, <translate>, <rotate> and <scale>, in their order.
  Affine transform_of(pugi::xml_node node) const;

 private:
  template <class T>
  std::vector<T> read_all(pugi::xml_node element) const;
  Affine matrix(pugi::xml_node element) const;

  std::string name_;
  pugi::xml_document document_;
  std::unordered_map<std::string_view, pugi::xml_node> by_id_;
};

}  // namespace torsor::collada
