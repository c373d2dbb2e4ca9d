// Keeps later stages of loading from reporting what only follows from mistakes that earlier ones have reported.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "torsor/core/error.hpp"

namespace torsor {

// What is not known for sure because of mistakes in a file.
class Faults {
 public:
  // An element that is wrong, or has parts that are: what else seems wrong with it may follow from that.
  void add_element(const Location& where);
  // A name that would exist without the mistake, and the start of names that would.
  void add_name(std::string_view name);
  void add_prefix(std::string_view prefix);
  // Parts of the model are copied: names may get more text at either end.
  void expect_copies() { copies_ = true; }
  // A section of settings, such as "compiler".
  void add_section(std::string_view section);
  // A part of the model is missing as a whole, and with it anything.
  void set_incomplete() { incomplete_ = true; }

  bool has_element(const Location& where) const;
  // Whether a name that cannot be found may be one of those.
  bool may_explain(std::string_view missing_name) const;
  bool has_section(std::string_view section) const { return sections_.contains(std::string(section)); }
  bool is_incomplete() const { return incomplete_; }

 private:
  std::unordered_set<std::string> elements_, sections_, names_;
  std::vector<std::string> prefixes_;
  bool incomplete_ = false, copies_ = false;
};

// What the stages of loading hand on.
struct Findings {
  Diagnostics diagnostics;
  Faults faults;
};

}  // namespace torsor
