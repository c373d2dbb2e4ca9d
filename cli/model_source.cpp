// Loads a model for a command, and prints its errors.
#include "cli/model_source.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cli/names.hpp"
#include "cli/validators.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/format/files.hpp"
#include "torsor/format/mjcf/refused.hpp"
#include "torsor/load/load.hpp"
#include "torsor/model/settings.hpp"

namespace torsor::cli {
namespace {

const std::vector<std::pair<std::string, Integrator>> kIntegrators{
    {"euler", Integrator::kEuler},       {"rk4", Integrator::kRk4},
    {"implicit", Integrator::kImplicit}, {"implicitfast", Integrator::kImplicitFast},
    {"discrete", Integrator::kDiscrete}, {"rkmk4", Integrator::kRk4}};
const std::vector<std::pair<std::string, SolverType>> kSolvers{
    {"pgs", SolverType::kPgs}, {"cg", SolverType::kCg}, {"newton", SolverType::kNewton}, {"sap", SolverType::kSap}};
const std::vector<std::pair<std::string, UrdfBase>> kBases{{"fixed", UrdfBase::kFixed},
                                                           {"floating", UrdfBase::kFloating}};

// A number of bytes with an optional K, M, G or T; 0 if invalid.
std::int64_t read_bytes(const std::string& text) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  const std::string_view suffix(rest, static_cast<size_t>(end - rest));
  const size_t exponent = suffix.empty() ? 0 : std::string_view("KMGTkmgt").find(suffix[0]) % 4 + 1;
  const std::int64_t unit = std::int64_t{1} << (10 * exponent);
  const bool is_known =
      suffix.empty() || (suffix.size() == 1 && std::string_view("KMGTkmgt").find(suffix[0]) != std::string_view::npos);
  return problem != std::errc() || !is_known || number < 1 || number > kMost / unit ? 0 : number * unit;
}

std::string check_bytes(const std::string& text) {
  if (read_bytes(text) > 0) return {};
  return fmt::format("'{}' is not a number of bytes, such as 500M or 16G", text);
}

std::string check_section(const std::string& name) {
  const auto sections = mjcf::ignorable_sections();
  std::vector<std::string> known(sections.begin(), sections.end());
  known.emplace_back(mjcf::kEverythingUnsupported);
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  return fmt::format("unknown section '{}'; choose {}{}", name, list_of_choices(known), did_you_mean(name, known));
}

int find_keyframe(const Model& model, const std::string& wanted) {
  if (const int named = model.find(ObjectType::kKey, wanted); named >= 0) return named;
  int index = -1;
  const char* end = wanted.data() + wanted.size();
  const bool is_number = std::from_chars(wanted.data(), end, index).ptr == end;
  if (is_number && index >= 0 && index < model.nkey) return index;
  if (model.nkey == 0) throw Error(fmt::format("no keyframe '{}': the model has no keyframes", wanted));
  std::string known;
  std::vector<std::string> names;
  for (int k = 0; k < model.nkey; ++k) {
    names.push_back(name_or_number(model, ObjectType::kKey, k));
    known += (k > 0 ? ", " : "") + names.back();
  }
  const std::string nearest = is_number ? std::string() : find_nearest(wanted, names);
  throw Error({Diagnostic{Severity::kError,
                          {},
                          fmt::format("no keyframe '{}': the model has {}", wanted, known),
                          nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest)}});
}

// The argument of --ignore that avoids an error, "" if there is none.
std::string_view ignored_with(const Diagnostic& diagnostic) {
  for (const mjcf::RefusedElement& element : mjcf::refused_elements()) {
    if (diagnostic.message == fmt::format("<{}> is not supported yet", element.name))
      return mjcf::suggested_ignore(element);
  }
  return {};
}

}  // namespace

const char* name_of(Integrator integrator) {
  switch (integrator) {
    case Integrator::kEuler:
      return "Euler";
    case Integrator::kRk4:
      return "RK4";
    case Integrator::kImplicit:
      return "implicit";
    case Integrator::kImplicitFast:
      return "implicitfast";
    case Integrator::kDiscrete:
      return "discrete";
  }
  return "?";
}

void IgnoreOption::add_to(CLI::App& command) {
  command
      .add_option("--ignore", sections,
                  "Sections of the file to leave out, such as contact,equality; all: the elements that are not "
                  "supported yet")
      ->delimiter(',')
      ->check(CLI::Validator(check_section, ""))
      ->allow_extra_args(false)
      ->option_text("SECTION,...");
  command
      .add_option("--restrict", folders,
                  "Read other files of the model from this folder only; repeat for several (default: from anywhere)")
      ->allow_extra_args(false)
      ->option_text("FOLDER");
  command.add_option("--memory-limit", memory_limit, "Refuse models that take more memory than this (default: 8G)")
      ->check(CLI::Validator(check_bytes, ""))
      ->option_text("BYTES");
  command.add_option("--base", urdf.base, "Of a URDF file: whether its base is fixed or floating")
      ->transform(one_of("base", kBases))
      ->option_text("fixed|floating");
  command
      .add_option("--package", urdf.packages,
                  "Of a URDF file: a folder with the packages of its meshes; repeat for several (default: those above "
                  "the file)")
      ->allow_extra_args(false)
      ->option_text("FOLDER");
  command.add_flag("--merge-fixed", urdf.merge_fixed,
                   "Of a URDF file: merge links that are fixed to their parents into them");
}

void IgnoreOption::apply(ReadOptions& options) const {
  options.ignore = sections;
  if (!folders.empty()) options.restrict = folders;
  if (!memory_limit.empty()) options.memory_limit = read_bytes(memory_limit);
  options.urdf = urdf;
}

void ModelSource::add_to(CLI::App& command) {
  command.add_option("FILE", file, "Model file: MJCF, URDF, MJZ or binary")->required()->type_name("");
  ignore.add_to(command);
}

namespace {

void check_not_folder(const std::string& file) {
  if (std::filesystem::is_directory(file)) throw Error(fmt::format("'{}' is a folder, not a model file", file));
}

}  // namespace

bool is_binary_file(const std::string& path) {
  if (!is_regular_file(path)) return false;
  char start[16] = {};
  std::ifstream file(path, std::ios::binary);
  file.read(start, sizeof(start));
  return is_binary(std::string_view(start, static_cast<size_t>(file.gcount())));
}

Spec read_spec(const std::string& file, const IgnoreOption& ignore, bool quiet) {
  check_not_folder(file);
  if (is_binary_file(file))
    throw Error(fmt::format("'{}' is a compiled model, in which default classes and files of assets are gone", file));
  ReadOptions options;
  ignore.apply(options);
  Spec spec = read_mjcf_file(file, options);
  if (!quiet) print_diagnostics(spec.warnings);
  return spec;
}

Model load_model(const std::string& file, const IgnoreOption& ignore) {
  check_not_folder(file);
  if (is_binary_file(file)) return load_binary(file);
  LoadOptions options;
  ignore.apply(options);
  return torsor::load(file, options);
}

Model ModelSource::load() const {
  Model model = load_model(file, ignore);
  print_diagnostics(model.warnings);
  return model;
}

view::TextureSource ModelSource::textures() const {
  return is_binary_file(file) ? view::TextureSource() : view::TextureSource(read_spec(file, ignore, true));
}

void RunSettings::add_to(CLI::App& command) {
  command.add_option("-k,--keyframe", keyframe, "Start from this keyframe, by name or number")->type_name("KEY");
  command
      .add_option("-i,--integrator", integrator,
                  "euler, rk4, implicit, implicitfast, discrete or rkmk4 (default: the model's)")
      ->type_name("NAME")
      ->transform(one_of("integrator", kIntegrators));
  command.add_option("--solver", solver, "pgs, cg, newton or sap (default: the model's)")
      ->type_name("NAME")
      ->transform(one_of("solver", kSolvers));
  command.add_option("--timestep", timestep, "Timestep in seconds (default: the model's)")
      ->type_name("SECONDS")
      ->check(more_than(0));
}

void RunSettings::apply(Model& model) const {
  if (integrator) model.opt.integrator = static_cast<int>(*integrator);
  if (solver) model.opt.solver = static_cast<int>(*solver);
  if (timestep) model.opt.timestep = *timestep;
  if (!(model.opt.timestep > 0) || !std::isfinite(model.opt.timestep))
    throw Error(fmt::format("the timestep is {}; it must be positive", model.opt.timestep));
  require_settings(model);
}

void RunSettings::start(const Model& model, Data& data) const {
  if (keyframe.empty()) return reset(model, data);
  reset_to_key(model, data, find_keyframe(model, keyframe));
}

void print_diagnostics(const std::vector<Diagnostic>& diagnostics) {
  const Terminal terminal(stderr);
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool is_error = diagnostic.severity == Severity::kError;
    const std::string kind = is_error ? "error:" : "warning:";
    std::string line = printable(to_string(diagnostic));
    const size_t place = line.find(kind);
    if (place == std::string::npos) line = fmt::format("{} {}", kind, line);
    const size_t at = line.find(kind);
    line.replace(at, kind.size(), terminal.paint(is_error ? Style::kRed : Style::kYellow, kind));
    std::fputs((line + '\n').c_str(), stderr);
  }
}

void print_error(const Error& error) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  std::vector<std::string_view> names;
  for (Diagnostic& diagnostic : diagnostics) {
    const std::string_view name = ignored_with(diagnostic);
    if (name.empty()) continue;
    diagnostic.hint.clear();  // it refers to the library; the hint below refers to the command line
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  print_diagnostics(diagnostics);
  if (names.empty()) return;
  const std::string all(mjcf::kEverythingUnsupported);
  const bool has_all = std::find(names.begin(), names.end(), all) != names.end();
  const std::string first = has_all ? "" : fmt::format("--ignore {} leaves that out; ", fmt::join(names, ","));
  std::fputs(fmt::format("hint: {}--ignore {} leaves out what is not supported yet, and only that, with a warning for "
                         "each\n",
                         first, all)
                 .c_str(),
             stderr);
}

void check_not_same_file(const std::string& input, const std::string& output) {
  std::error_code ignored;  // a file that does not exist is not the same
  if (std::filesystem::equivalent(input, output, ignored))
    throw Error(fmt::format("'{}' is the model itself: writing there would destroy it", output));
}

}  // namespace torsor::cli
