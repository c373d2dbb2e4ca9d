// Convention: a row with its name, its source and its worked example; and the list of all that are known, to which
// users add their own.
//
//   Convention mine = find_convention("newton");
//   Convention open = find_convention("physx[axes=z-up]");   // fills what PhysX leaves to the scene
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torsor/convention/row.hpp"

namespace torsor {

// One situation in the numbers of one system, worked by hand from the system's own documents. The situation, in our
// terms: docs/conventions.md. An empty vector means that the system leaves open what the quantity needs.
struct WorkedExample {
  std::string assume{};  // what is filled in for cells that are open, such as "axes=z-up"
  std::string open{};    // all cells that the system leaves open, in the order of the fields
  std::vector<double> pose{}, twist{}, acceleration{}, wrench{}, joint_force{};
  std::vector<double> ball{};         // angular velocity of a ball joint
  std::vector<double> hinge{};        // coordinate of a hinge
  std::vector<double> hinge_force{};  // its force
  std::vector<double> hinge_rate{};   // its velocity
  std::string joints{};               // order of joints of the example's tree
  std::string multi_axis{};           // order of the two axes between its body e and the root
};

struct Convention {
  std::string id{};       // such as "newton.joint"
  std::string system{};   // such as "Newton joint coordinates"
  std::string version{};  // of the system; empty where none matters
  std::string source{};   // where the row stands
  std::string checked{};  // the real system that the tests compare with; empty: none
  Row row{};
  WorkedExample example{};
};

// All of them, in the order of the table; users' own after ours. A copy, so that other threads may add some meanwhile.
std::vector<Convention> list_conventions();

// The convention of an id, with cells in brackets changed: "usd.text[length=1,world=z-up]". Throws torsor::Error for
// unknown ids (with the nearest), ambiguous ones (with the choices), unknown cells and unknown words.
Convention find_convention(std::string_view text);

// Changes cells as the text in brackets says: "length=1, axes=z-up". Besides the names of row_fields(): axes for world
// and body, twist.frame and wrench.frame for the two of each.
void set_cells(Row& row, std::string_view cells);

// Adds a row of the user's. Throws if the id is taken or not made of letters, digits, '_' and '.', or if the axes of
// world and body have different hands.
void add_convention(const Convention& convention);

// Adds the rows of a JSON text: one object or a list of them, such as
//   {"id": "mylab", "from": "newton", "quat": "wxyz", "twist.point": "origin", "source": "our wiki"}
// Cells not named are those of "from", or unspecified. All are checked before any is added. Returns their ids.
std::vector<std::string> add_conventions_from_json(std::string_view json, const std::string& file = "");
std::string to_json(const Convention& convention);

// "", or what is wrong with a row by itself.
std::string find_fault(const Row& row);

// Sentences, one for each cell in which the two rows differ; none if they mean the same.
std::vector<std::string> describe_differences(const Convention& a, const Convention& b);

}  // namespace torsor
