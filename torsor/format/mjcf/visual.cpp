// <visual>: rendering settings, kept and written back. The list is that of the Visual struct.
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

template <auto Group, auto Member>
Text write_field(const Visual& visual, const Visual* standard) {
  if (standard && same_value((visual.*Group).*Member, (standard->*Group).*Member)) return std::nullopt;
  return text_of((visual.*Group).*Member);
}

template <auto Group, auto Member>
Text write_switch(const Visual& visual, const Visual* standard) {
  const int on = (visual.*Group).*Member;
  if (standard && on == (standard->*Group).*Member) return std::nullopt;
  return text_of(on != 0);
}

template <auto Group, auto Member>
constexpr Access<Visual> kField{read_field<Group, Member>, write_field<Group, Member>};
template <auto Group, auto Member>
constexpr Access<Visual> kSwitch{read_switch<Group, Member>, write_switch<Group, Member>};
template <auto Group, auto Member>
constexpr Access<Visual> kPositive{read_positive<Group, Member>, write_field<Group, Member>};

// false, true, auto, or their numbers.
void read_headlight_active(Visual& visual, const Value& value) {
  constexpr Keyword kActive[] = {{"false", 0}, {"true", 1}, {"auto", 2}, {"0", 0}, {"1", 1}, {"2", 2}};
  if (const auto found = read_keyword(kActive, value)) visual.headlight.active = *found;
}

constexpr std::string_view kMeaning = "for rendering; kept and written back";

#define MEMBER(group, name) &Visual::group, &decltype(Visual::group)::name

// Fields that are written as keywords, or must be greater than zero.
constexpr SpecialRow<Visual> kSpecialGlobal[] = {
    {"orthographic", kSwitch<MEMBER(global, orthographic)>},
    {"bvactive", kSwitch<MEMBER(global, bvactive)>},
    {"ellipsoidinertia", kSwitch<MEMBER(global, ellipsoidinertia)>},
    {"realtime", kPositive<MEMBER(global, realtime)>},
};
constexpr SpecialRow<Visual> kSpecialHeadlight[] = {
    {"active", {read_headlight_active, write_field<MEMBER(headlight, active)>}},
};
constexpr SpecialRow<Visual> kSpecialMap[] = {
    {"znear", kPositive<MEMBER(map, znear)>},
};

std::vector<VisualGroup> make_visual_groups() {
  std::vector<VisualGroup> groups;
#define GROUP(group) groups.push_back({#group, {}});
#define NUMBER(group, type, name, value) \
  groups.back().rows.push_back({#name, kField<MEMBER(group, name)>, "", kMeaning});
#define COLOR(group, name, length, ...) \
  groups.back().rows.push_back({#name, kField<MEMBER(group, name)>, "1", kMeaning});
#define END_GROUP(group)
#include "torsor/model/fields/visual.inc"
#undef GROUP
#undef NUMBER
#undef COLOR
#undef END_GROUP
#undef MEMBER
  for (VisualGroup& group : groups) {
    if (group.name == "global") group.rows = with_special_rows<Visual>(group.rows, kSpecialGlobal);
    if (group.name == "headlight") group.rows = with_special_rows<Visual>(group.rows, kSpecialHeadlight);
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
    reader.note_given(child);
    reader.reject_children(child, "mujoco/visual/" + std::string(child.name()));
  }
}

}  // namespace torsor::mjcf
