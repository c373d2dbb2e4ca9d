// <equality>: one table of attributes per kind, in addition to the common ones.
#pragma once

#include <span>
#include <string_view>

#include "torsor/format/mjcf/attribute.hpp"

namespace torsor::mjcf {

struct EqualityKind {
  std::string_view name;
  EqualityType type;
  ObjectType objtype;  // unless the attributes determine another
  Table<EqualitySpec> rows;
};

std::span<const EqualityKind> equality_kinds();

}  // namespace torsor::mjcf
