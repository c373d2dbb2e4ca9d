// <compiler>, with <lengthrange>.
#include <fmt/format.h>

#include "torsor/convention/row_fields.hpp"
#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

constexpr Keyword kAngles[] = {{"radian", 0}, {"degree", 1}};
constexpr Keyword kCoordinates[] = {{"local", 0}, {"global", 1}};
constexpr Keyword kConflicts[] = {{"warning", 0}, {"merge", 1}, {"error", 2}};
constexpr Keyword kLengthRangeModes[] = {{"none", 0}, {"muscle", 1}, {"muscleuser", 2}, {"all", 3}};

void read_coordinate(CompilerSpec&, const Value& value) {
  const auto found = read_keyword(kCoordinates, value);
  if (found && *found == 1) value.fail("'global' is not supported: poses are relative to the parent");
}

void read_eulerseq(CompilerSpec& compiler, const Value& value) {
  if (value.text().size() != 3 || value.text().find_first_not_of("xyzXYZ") != std::string_view::npos) {
    return value.fail(
        fmt::format("is three of the letters xyz (moving axes) and XYZ (fixed axes), got '{}'", value.text()));
  }
  compiler.eulerseq = value.text();
}

void read_conflict(CompilerSpec& compiler, const Value& value) {
  if (read_keyword(kConflicts, value)) compiler.conflict = value.text();
}

// Axes of the model, which say what its numbers mean and convert nothing.
template <Axes ModelAxes::*kWhich>
void read_model_axes(CompilerSpec& compiler, const Value& value) {
  Axes axes;
  if (!read_axes(value.text(), axes) || !axes.known()) {
    return value.fail(fmt::format("is z-up, y-up, x-up, ned, gltf or such as 'x -y -z', got '{}'", value.text()));
  }
  if (axes.determinant() < 0) return value.fail("must be right-handed: a left-handed world needs mirrored meshes");
  compiler.axes.*kWhich = axes;
}
template <Axes ModelAxes::*kWhich>
Text write_model_axes(const CompilerSpec& compiler, const CompilerSpec* standard) {
  if (standard && compiler.axes.*kWhich == standard->axes.*kWhich) return std::nullopt;
  return axes_text(compiler.axes.*kWhich);
}

constexpr Keyword kPassthroughs[] = {{"none", 0}, {"textures", 1}};

constexpr Attribute<CompilerSpec> kCompilerAttributes[] = {
    {"autolimits", into<&CompilerSpec::autolimits>, "", "infer limits from the presence of a range"},
    {"boundmass", into<&CompilerSpec::boundmass>, "kg", "minimum mass of a body"},
    {"boundinertia", into<&CompilerSpec::boundinertia>, "kg m^2", "minimum principal moment of inertia of a body"},
    {"settotalmass", into<&CompilerSpec::settotalmass>, "kg", "scale all masses to this sum, if positive"},
    {"balanceinertia", into<&CompilerSpec::balanceinertia>, "",
     "repair moments of inertia that violate the triangle inequality"},
    {"strippath", into<&CompilerSpec::strippath>, "", "remove folders from file names"},
    {"coordinate", {read_coordinate, never_written}, "", "only 'local' is supported"},
    {"angle", keyword<&CompilerSpec::degree, kAngles>, "", "unit of angles in the file: degree or radian"},
    {"fitaabb", into<&CompilerSpec::fitaabb>, "", "fit primitives to the bounding box of a mesh, not to its inertia"},
    {"eulerseq",
     {read_eulerseq, written<&CompilerSpec::eulerseq>},
     "",
     "axes of Euler angles; capital letters stay fixed"},
    {"meshdir", into<&CompilerSpec::meshdir>, "", "folder of mesh and height field files"},
    {"texturedir", into<&CompilerSpec::texturedir>, "", "folder of texture files"},
    {"assetdir", read_elsewhere, "", "sets both folders; meshdir and texturedir override it"},
    {"discardvisual", into<&CompilerSpec::discardvisual>, "", "discard elements that have no effect on physics"},
    {"usethread", into<&CompilerSpec::usethread>, "", "load and compile assets in parallel"},
    {"fusestatic", into<&CompilerSpec::fusestatic>, "", "merge bodies without joints into their parents"},
    {"inertiafromgeom", into<&CompilerSpec::inertiafromgeom>, "", "infer inertia from geoms; auto: if none is given"},
    {"inertiagrouprange", into<&CompilerSpec::inertiagrouprange>, "",
     "groups of the geoms that inertia is inferred from"},
    {"saveinertial", into<&CompilerSpec::saveinertial>, "", "write inferred inertia when saving"},
    {"savecompiled", into<&CompilerSpec::savecompiled>, "", "MuJoCo: write compiled values when saving; kept"},
    {"savecanonical", into<&CompilerSpec::savecanonical>, "", "MuJoCo: write one notation when saving; kept"},
    {"passthrough", keyword<&CompilerSpec::passthrough, kPassthroughs>, "",
     "none, or textures: MuJoCo does not decode image files; kept"},
    {"alignfree", into<&CompilerSpec::alignfree>, "", "move frames of free bodies to their inertial frames"},
    {"conflict", {read_conflict, written<&CompilerSpec::conflict>}, "", "what to do when attached models disagree"},
    {"worldaxes",
     {read_model_axes<&ModelAxes::world>, write_model_axes<&ModelAxes::world>},
     "",
     "axes of the world that the file is written in, such as ned; converts nothing; Torsor extension"},
    {"bodyaxes",
     {read_model_axes<&ModelAxes::body>, write_model_axes<&ModelAxes::body>},
     "",
     "axes of the frames of bodies, such as ned; converts nothing; Torsor extension"},
};

constexpr Attribute<LengthRangeSpec> kLengthRangeAttributes[] = {
    {"mode", keyword<&LengthRangeSpec::mode, kLengthRangeModes>, "", "actuators whose length range is computed"},
    {"useexisting", into<&LengthRangeSpec::useexisting>, "", "keep ranges that are given"},
    {"uselimit", into<&LengthRangeSpec::uselimit>, "", "use the limits of the joint or tendon"},
    {"accel", into<&LengthRangeSpec::accel>, "m/s^2 | rad/s^2", "acceleration that pushes towards the ends"},
    {"maxforce", into<&LengthRangeSpec::maxforce>, "N | N m", "maximum force; 0: no limit"},
    {"timeconst", into<&LengthRangeSpec::timeconst>, "s", "time constant of the velocity's decay"},
    {"timestep", into<&LengthRangeSpec::timestep>, "s", "step of the simulation"},
    {"inttotal", into<&LengthRangeSpec::inttotal>, "s", "duration of the simulation"},
    {"interval", into<&LengthRangeSpec::interval>, "s", "duration of the measurement at its end"},
    {"tolrange", into<&LengthRangeSpec::tolrange>, "1", "maximum spread of lengths, relative to the range"},
};

}  // namespace

Table<CompilerSpec> compiler_attributes() { return kCompilerAttributes; }
Table<LengthRangeSpec> lengthrange_attributes() { return kLengthRangeAttributes; }

void read_compiler(const Element& element, Reader& reader) {
  CompilerSpec& compiler = reader.spec.compiler;
  // Before the table, because meshdir and texturedir override it in any order.
  if (element.has("assetdir")) {
    const Value value(element, "assetdir", element.text("assetdir"), reader.report);
    read_text(compiler.meshdir, value);
    read_text(compiler.texturedir, value);
  }
  read_attributes(element, compiler, reader.report, compiler_attributes());
  check_unique_children(element, reader);
  for (const Element& child : element) {
    if (child.name() == "lengthrange") {
      read_attributes(child, compiler.lengthrange, reader.report, lengthrange_attributes());
      reader.reject_children(child, "mujoco/compiler/lengthrange");
    } else {
      reader.reject(child, "mujoco/compiler");
    }
  }
}

}  // namespace torsor::mjcf
