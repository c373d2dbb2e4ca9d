// Errors of loading, compiling and converting: diagnostics with a location and a hint, thrown together.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace torsor {

// A location in a text file; line and column start at 1, 0 means unknown.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

enum class Severity { kWarning, kError };

struct Diagnostic {
  Severity severity = Severity::kError;
  Location where;
  std::string message;
  std::string hint;  // such as the nearest known name; may be empty
};

// "robot.xml:12:7: error: unknown attribute 'masss' of geom (did you mean 'mass'?)"
std::string to_string(const Diagnostic& diagnostic);

// The only exception type of the library. what() holds all diagnostics, one per line.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message);
  explicit Error(std::vector<Diagnostic> diagnostics);

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

// Collects diagnostics so that several errors are reported at once.
class Diagnostics {
 public:
  void error(Location where, std::string message, std::string hint = {});
  void warning(Location where, std::string message, std::string hint = {});

  bool has_errors() const { return errors_ > 0; }
  int error_count() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  std::vector<Diagnostic> warnings() const;

  // Throws one Error that holds all errors; returns when there are none.
  void throw_if_errors() const;

 private:
  std::vector<Diagnostic> all_;
  int errors_ = 0;
};

// The candidate nearest to `name` in edit distance, or "" when none is near enough to be a typing error.
std::string find_nearest(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace torsor
