// Collects what is wrong with a model, with places and hints, until there is too much of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torsor/core/error.hpp"

namespace torsor::mjcf {

struct Element;

class Report {
 public:
  // Throw when there are more errors than anyone reads.
  void error(Location where, std::string message, std::string hint = {});
  void error(const Element& element, std::string message, std::string hint = {});
  void attribute_error(const Element& element, std::string_view attribute, std::string message, std::string hint = {});

  void warning(Location where, std::string message);
  void warning(const Element& element, std::string message);

  void unknown_attribute(const Element& element, std::string_view name, const std::vector<std::string>& known);

  void throw_if_errors() const { diagnostics_.throw_if_errors(); }
  std::vector<Diagnostic> warnings() const { return diagnostics_.warnings(); }

 private:
  Diagnostics diagnostics_;
};

// "did you mean 'mass'?", or "" when nothing is near
std::string suggest(std::string_view name, const std::vector<std::string>& known);

}  // namespace torsor::mjcf
