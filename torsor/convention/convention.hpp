// Convention: a row with its name, source and worked example; and the list of all known conventions, to which users can
// add their own.
//
//   Convention mine = find_convention("newton");
//   Convention open = find_convention("physx[axes=z-up]");   // specifies what PhysX leaves to the scene
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torsor/convention/row.hpp"

namespace torsor {

// One situation in the numbers of one system, worked by hand from the system's own documentation. docs/conventions.md
// describes the situation. An empty vector means that the system does not specify what the quantity needs.
struct WorkedExample {
  std::string assume{};  // values for unspecified cells, such as "axes=z-up"
  std::string open{};    // all unspecified cells, in the order of the fields
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
  std::string version{};  // of the system; empty if it does not matter
  std::string source{};   // where the convention is documented
  std::string checked{};  // the real system that the tests compare with; empty: none
  Row row{};
  WorkedExample example{};
  // The numbers are those of our own models. A conversion that is given a model takes the axes of world and body from
  // it; one without a model uses those of the row. False as soon as brackets or a user's row give axes.
  bool has_model_axes = false;
};

// All conventions in the order of the table, followed by those of users. A copy, so that other threads may add more.
std::vector<Convention> list_conventions();

// The convention with this id; cells in brackets are changed: "usd.text[length=1,world=z-up]". Throws torsor::Error for
// unknown ids (with the nearest one), ambiguous ids (with the choices), unknown cells and unknown values.
Convention find_convention(std::string_view text);

// Changes cells by the text in brackets: "length=1, axes=z-up". In addition to the names of row_fields(): axes for
// world and body, twist.frame and wrench.frame for both vectors.
void set_cells(Row& row, std::string_view cells);

// Adds a user's row. Throws if the id exists or has characters other than letters, digits, '_' and '.', or if the axes
// of world and body differ in handedness.
void add_convention(const Convention& convention);

// Adds rows from JSON: one object or a list of objects, such as
//   {"id": "mylab", "from": "newton", "quat": "wxyz", "twist.point": "origin", "source": "our wiki"}
// Cells not named are those of "from", or unspecified. All are checked before any is added. Returns their ids.
std::vector<std::string> add_conventions_from_json(std::string_view json, const std::string& file = "");
std::string to_json(const Convention& convention);

// "", or a description of an inconsistency within a row.
std::string find_fault(const Row& row);

// One sentence for each cell in which the two rows differ; empty if they are equivalent.
std::vector<std::string> describe_differences(const Convention& a, const Convention& b);

}  // namespace torsor
