// The rules of the field lists, applied to every element; and what all checks share.
#include <algorithm>

#include <fmt/format.h>

#include "torsor/model/check.hpp"
#include "torsor/model/check/checker.hpp"

namespace torsor {
namespace checks {

void fail(const char* field, int64_t index, const char* law) {
  throw Fault{fmt::format("{}[{}] does not fit the rest of the model: {}", field, index, law)};
}

void fail_range(const char* field, int64_t index, int64_t value, const char* rule) {
  throw Fault{fmt::format("{}[{}] is {}; allowed: {}", field, index, value, describe_rule(rule))};
}

void expect_size(const char* size, int64_t value, int64_t sum) {
  if (value != sum) throw Fault{fmt::format("{} is {}, but its parts add up to {}", size, value, sum)};
}

namespace {

// As a member function, so that rules are written in terms of the model's sizes and arrays.
struct RangeCheck : ModelView {
  void all() const {
    using namespace rule;
#define FIELD(type, name, rows, columns, access, unit, meaning, ...)                                                \
  static_assert(is_whole<type> == (sizeof(#__VA_ARGS__) > 1), "whole numbers, and no others, need values: " #name); \
  __VA_OPT__(check_values(#name, __VA_ARGS__, #__VA_ARGS__, name);)
#include "torsor/model/fields/model.inc"
#undef FIELD
  }

  void editable() const {
    using namespace rule;
#define FIELD(type, name, rows, columns, access, unit, meaning, ...) \
  __VA_OPT__(if constexpr (Access::k##access != Access::kStructural) \
                 check_values(#name, __VA_ARGS__, #__VA_ARGS__, name);)
#include "torsor/model/fields/model.inc"
#undef FIELD
  }
};

// It adds no data members, so that every ModelView may be seen as one.
const RangeCheck& range_check(const Model& model) {
  return static_cast<const RangeCheck&>(static_cast<const ModelView&>(model));
}

// Sizes that no array of the model vouches for, but for which a Data allocates.
void check_sizes(const Model& m) {
  constexpr int kMost = 1 << 24;
  const auto check = [&](const char* name, int value) {
    if (value > kMost) throw Fault{fmt::format("{} is {}; allowed: at most {}", name, value, kMost)};
  };
  check("nu", m.nu);
  check("na", m.na);
  check("nhistory", m.nhistory);
  check("nplastic", m.nplastic);
  check("nsensordata", m.nsensordata);
  check("nuserdata", m.nuserdata);
  if (m.nbody < 1) throw Fault{"nbody is 0; the world is a body"};
  if (std::string fault = find_fault(m.axes); !fault.empty()) throw Fault{std::move(fault)};
  if (m.memory < -1 || m.memory > int64_t{1} << 46)
    throw Fault{fmt::format("memory is {}; allowed: -1 for automatic, or up to 2^46 bytes", m.memory)};
}

}  // namespace

void check_ranges(const Model& model) { range_check(model).all(); }

void check_options(const Option& option) {
  using namespace rule;
#define SCALAR(type, name, value, unit, meaning, ...)                                                               \
  static_assert(is_whole<type> == (sizeof(#__VA_ARGS__) > 1), "whole numbers, and no others, need values: " #name); \
  __VA_OPT__(if (!(__VA_ARGS__).allows(option.name)) throw Fault{                                                   \
      fmt::format("opt.{} is {}; allowed: {}", #name, option.name, describe_rule(#__VA_ARGS__))};)
#define VECTOR(name, length, unit, meaning, ...)
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR
}

}  // namespace checks

std::string find_fault(const Model& model) {
  try {
    checks::check_sizes(model);
    checks::check_options(model.opt);
    checks::check_ranges(model);
    checks::check_structure(model);
    checks::check_geoms(model);
    checks::check_assets(model);
    checks::check_equalities(model);
    checks::check_tendons(model);
    checks::check_plastic(model);
    checks::check_actuators(model);
    checks::check_sensors(model);
    checks::check_custom(model);
  } catch (const checks::Fault& fault) {
    return fault.text;
  }
  return {};
}

void check_model(const Model& model, const std::string& name) {
  if (const std::string fault = find_fault(model); !fault.empty())
    throw Error({Diagnostic{Severity::kError, {name, 0, 0}, fault, {}}});
}

void check_options(const Model& model) {
  try {
    checks::check_options(model.opt);
  } catch (const checks::Fault& fault) {
    throw Error(fault.text);
  }
}

void check_editable(const Model& model) {
  check_options(model);
  try {
    checks::range_check(model).editable();
  } catch (const checks::Fault& fault) {
    throw Error(fault.text);
  }
}

}  // namespace torsor
