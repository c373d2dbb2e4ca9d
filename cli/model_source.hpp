// The model of a command, and common settings of commands that simulate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/terminal.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/model/data.hpp"
#include "torsor/model/spec.hpp"
#include "torsor/view/textures.hpp"

namespace torsor::cli {

// How to read MJCF: --ignore SECTION,..., --restrict FOLDER and --memory-limit BYTES; and URDF: --base, --package
// FOLDER and --merge-fixed.
struct IgnoreOption {
  std::vector<std::string> sections;
  std::vector<std::string> folders;
  std::string memory_limit;
  UrdfOptions urdf;

  void add_to(CLI::App& command);
  void apply(ReadOptions& options) const;
};

// FILE and the options for reading it.
struct ModelSource {
  std::string file;
  IgnoreOption ignore;

  void add_to(CLI::App& command);
  // Reads MJCF or a binary model. Warnings go to stderr; errors are thrown.
  Model load() const;
  // What its textures are made of, for commands that draw; nothing for a binary model, which has none.
  view::TextureSource textures() const;
};

// Whether the file has the signature of a binary model.
bool is_binary_file(const std::string& file);

// Reads one file, without printing anything.
Model load_model(const std::string& file, const IgnoreOption& ignore);

// Reads MJCF without compiling it. Warnings go to stderr unless `quiet`.
Spec read_spec(const std::string& file, const IgnoreOption& ignore, bool quiet = false);

// --keyframe, --integrator, --solver and --timestep.
struct RunSettings {
  std::string keyframe;
  std::optional<Integrator> integrator;
  std::optional<SolverType> solver;
  std::optional<double> timestep;

  void add_to(CLI::App& command);
  void apply(Model& model) const;
  // Resets the data to the keyframe, or to the reference pose if none is named.
  void start(const Model& model, Data& data) const;
};

const char* name_of(Integrator integrator);

// Prints diagnostics to stderr, one per line, in colour on a terminal.
void print_diagnostics(const std::vector<Diagnostic>& diagnostics);
// Prints an error with all its diagnostics, and hints for unsupported sections.
void print_error(const Error& error);

// Throws Error when writing to `output` would overwrite `input`.
void check_not_same_file(const std::string& input, const std::string& output);

}  // namespace torsor::cli
