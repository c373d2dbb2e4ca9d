// The situation of the worked examples, and the specified and unspecified cells of a row: shared by text and JSON.
#include <fmt/format.h>

#include "cli/convention_text.hpp"
#include "torsor/convention/row_fields.hpp"

namespace torsor::cli {

const char* const kSituationTerms =
    "SI units, x forward, y left, z up; vectors in the world's axes unless said otherwise";

const std::vector<SituationPart>& worked_situation() {
  static const std::vector<SituationPart> parts{
      {"body", "at (3, 1, 2), turned by 90 degrees about z"},
      {"centre of mass", "at (1, 0, 0) in the body"},
      {"principal axes", "those of the body, turned by 180 degrees about x"},
      {"motion", "angular velocity (1, 2, 3), velocity of the body's origin (4, 5, 6)"},
      {"change of motion", "angular acceleration (1, 1, 2), acceleration of the body's origin (2, 0, 1)"},
      {"load", "force (7, 8, 9), moment (10, 11, 12) about the centre of mass"},
      {"tree", "its centre of mass rests at (3, 1, 3); gravity is (0, 0, -10)"},
      {"anchors of its joint",
       "parent anchor at (1, 0, 0), turned by 90 degrees about x; child anchor at (0, 2, 0) in the body, turned "
       "likewise"},
      {"hinge", "0.5 rad from the reference pose, in which its ref is 0.25 rad, turning at 2 rad/s"},
      {"joints",
       "f, a free joint, with child g; b with child d; a with child c; in this order below one root. The bodies that "
       "they "
       "move are base, head; left, foot; arm, hand"},
      {"two axes", "a hinge h, then a slide s, along one line between the same two bodies"},
  };
  return parts;
}

std::vector<WorkedNumbers> worked_numbers(const WorkedExample& example) {
  std::vector<WorkedNumbers> result;
  for (const WorkedNumbers& entry : {WorkedNumbers{"pose", &example.pose},
                                     {"twist", &example.twist},
                                     {"acceleration", &example.acceleration},
                                     {"wrench", &example.wrench},
                                     {"joint_force", &example.joint_force},
                                     {"ball", &example.ball},
                                     {"hinge", &example.hinge},
                                     {"hinge_rate", &example.hinge_rate}}) {
    if (!entry.numbers->empty()) result.push_back(entry);
  }
  return result;
}

std::string describe_words(const RowField& field) {
  const std::string_view name = field.name;
  if (name == "world" || name == "body")
    return "z-up, y-up, x-up, ned, gltf, unity, unreal, or x y z in any order and with any signs";
  if (name == "length") return "m, cm, mm, or a number of metres";
  if (name == "euler") return "three of x y z X Y Z, such as zyx";
  std::string words;
  for (const std::string& word : field.words()) {
    if (word != kUnspecifiedWord) words += (words.empty() ? "" : ", ") + word;
  }
  return words;
}

std::vector<std::string> list_open_cells(const Row& row) {
  std::vector<std::string> open;
  for (const RowField& field : row_fields()) {
    if (field.get(row) == kUnspecifiedWord) open.push_back(field.name);
  }
  return open;
}

}  // namespace torsor::cli
