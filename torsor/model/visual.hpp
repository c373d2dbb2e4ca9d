// Visual settings of a model, one struct per group of MJCF's `visual`.
#pragma once

namespace torsor {

struct Visual {
#define GROUP(group) struct {
#define NUMBER(group, type, name, value) type name = value;
#define COLOR(group, name, length, ...) float name[length] = {__VA_ARGS__};
#define END_GROUP(group) \
  }                      \
  group;
#include "torsor/model/fields/visual.inc"
#undef GROUP
#undef NUMBER
#undef COLOR
#undef END_GROUP
};

}  // namespace torsor
