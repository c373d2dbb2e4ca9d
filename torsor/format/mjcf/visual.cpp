// <visual>: settings of drawing, kept and written back. Their list is that of the Visual struct.
#include <algorithm>

#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

// A field of one group, as a row of a table for the whole of Visual.
template <auto Group, auto Member>
void read_field(Visual& visual, const Value& value) {
  read_value((visual.*Group).*Member, value, kExact);
}

template <auto Group, auto Member>
void read_switch(Visual& visual, const Value& value) {
  if (const auto found = read_keyword(kBooleans, value)) (visual.*Group).*Member = *found;
}

template <auto Group, auto Member>
void read_positive(Visual& visual, const Value& value) {
  float number = 0;
  if (read_numbers(&number, 1, 1, value, kExact) == 0) return;
  if (!(number > 0)) return value.fail("must be greater than 0");
  (visual.*Group).*Member = number;
}

constexpr std::string_view kMeaning = "for drawing; kept and written back";

#define MEMBER(group, name) &Visual::group, &decltype(Visual::group)::name

// Fields that are written as keywords, or must be greater than zero.
constexpr SpecialRow<Visual> kSpecialGlobal[] = {
    {"orthographic", read_switch<MEMBER(global, orthographic)>},
    {"bvactive", read_switch<MEMBER(global, bvactive)>},
    {"ellipsoidinertia", read_switch<MEMBER(global, ellipsoidinertia)>},
    {"realtime", read_positive<MEMBER(global, realtime)>},
};
constexpr SpecialRow<Visual> kSpecialMap[] = {
    {"znear", read_positive<MEMBER(map, znear)>},
};

std::vector<VisualGroup> make_visual_groups() {
  std::vector<VisualGroup> groups;
#define GROUP(group) groups.push_back({#group, {}});
#define NUMBER(group, type, name, value) \
  groups.back().rows.push_back({#name, read_field<MEMBER(group, name)>, "", kMeaning});
#define COLOR(group, name, length, ...) \
  groups.back().rows.push_back({#name, read_field<MEMBER(group, name)>, "1", kMeaning});
#define END_GROUP(group)
#include "torsor/model/fields/visual.inc"
#undef GROUP
#undef NUMBER
#undef COLOR
#undef END_GROUP
#undef MEMBER
  for (VisualGroup& group : groups) {
    if (group.name == "global") group.rows = with_special_rows<Visual>(group.rows, kSpecialGlobal);
    if (group.name == "map") group.rows = with_special_rows<Visual>(group.rows, kSpecialMap);
  }
  return groups;
}

}  // namespace

std::span<const VisualGroup> visual_groups() {
  static const std::vector<VisualGroup> groups = make_visual_groups();
  return groups;
}

void read_visual(const Element& element, Reader& reader) {
  read_attributes<Visual>(element, reader.spec.visual, reader.report);
  check_unique_children(element, reader);
  for (const Element& child : element) {
    const auto groups = visual_groups();
    const auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.name == child.name(); });
    if (group == groups.end()) {
      reader.reject(child, "mujoco/visual");
      continue;
    }
    read_attributes(child, reader.spec.visual, reader.report, Table<Visual>(group->rows));
    reader.reject_children(child, "mujoco/visual/" + std::string(child.name()));
  }
}

}  // namespace torsor::mjcf
