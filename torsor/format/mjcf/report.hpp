// Collects the errors and warnings of a model, with locations and hints, up to a limit.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "torsor/core/error.hpp"
#include "torsor/model/faults.hpp"

namespace torsor::mjcf {

struct Element;

class Report {
 public:
  // Throw if there are too many errors.
  void error(Location where, std::string message, std::string hint = {});
  void error(const Element& element, std::string message, std::string hint = {});
  void attribute_error(const Element& element, std::string_view attribute, std::string message, std::string hint = {});

  void warning(Location where, std::string message);
  void warning(const Element& element, std::string message);

  void unknown_attribute(const Element& element, std::string_view name, const std::vector<std::string>& known);

  void throw_if_errors() const { findings_.diagnostics.throw_if_errors(); }
  std::vector<Diagnostic> warnings() const { return findings_.diagnostics.warnings(); }

  // An error casts doubt on its element, the enclosing element, and names; see Faults.
  Faults& faults() { return findings_.faults; }
  const Faults& faults() const { return findings_.faults; }
  void doubt(const Element& element);
  // Marks the names of an element that is not read, and of its descendants, as doubtful.
  void doubt_names(const Element& element);
  bool has_doubts(const Element& element) const;

  Findings take_findings() { return std::move(findings_); }

 private:
  Findings findings_;
};

// "did you mean 'mass'?", or "" if no name is similar
std::string suggest(std::string_view name, const std::vector<std::string>& known);

}  // namespace torsor::mjcf
