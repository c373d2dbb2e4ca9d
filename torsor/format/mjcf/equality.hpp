// <equality>: one table of attributes per kind, besides those that all have.
#pragma once

#include <span>
#include <string_view>

#include "torsor/format/mjcf/attribute.hpp"

namespace torsor::mjcf {

struct EqualityKind {
  std::string_view name;
  EqualityType type;
  ObjectType objtype;  // where the attributes do not say another
  Table<EqualitySpec> rows;
};

std::span<const EqualityKind> equality_kinds();

}  // namespace torsor::mjcf
