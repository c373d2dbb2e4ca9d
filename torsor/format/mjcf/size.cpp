// <size> and <statistic>.
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

// Larger numbers are taken for typing errors; they would only exhaust the memory.
constexpr int kMaxUserNumbers = 100'000;
constexpr int kMaxKeys = 1'000'000;
constexpr int kMaxUserData = 10'000'000;
constexpr int kMaxInt = std::numeric_limits<int>::max();

template <auto Member, int Least, int Most>
void read_count(SizeSpec& size, const Value& value) {
  int count = 0;
  if (read_numbers(&count, 1, 1, value, kExact) == 0) return;
  if (count < Least || count > Most) return value.fail(fmt::format("is from {} to {}, got {}", Least, Most, count));
  size.*Member = count;
}

template <auto Member, int Least, int Most>
constexpr Access<SizeSpec> kCount{read_count<Member, Least, Most>, written<Member, SizeSpec>};

// The power of 1024 that a letter stands for, or -1.
int exponent_of(std::string_view suffix) {
  if (suffix.empty()) return 0;
  const size_t found = std::string_view("KMGTPEkmgtpe").find(suffix[0]);
  return suffix.size() > 1 || found == std::string_view::npos ? -1 : static_cast<int>(found % 6) + 1;
}

void read_memory(SizeSpec& size, const Value& value) {
  std::string_view text = value.text();
  while (!text.empty() && std::string_view(" \t\r\n").find(text.front()) != std::string_view::npos)
    text.remove_prefix(1);
  while (!text.empty() && std::string_view(" \t\r\n").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  if (text == "-1") {
    size.memory = -1;
    return;
  }
  int64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  const int exponent = exponent_of(text.substr(static_cast<size_t>(end - text.data())));
  const int64_t unit = exponent < 0 ? 0 : int64_t{1} << (10 * exponent);
  if (error != std::errc() || bytes <= 0 || unit == 0 || bytes > std::numeric_limits<int64_t>::max() / unit) {
    return value.fail(
        fmt::format("is a number of bytes with an optional K, M, G, T, P or E, or -1; got '{}'", value.text()));
  }
  size.memory = bytes * unit;
}

constexpr std::string_view kUserMeaning = "size of user data per element of this kind; -1: as the elements have";

constexpr Attribute<SizeSpec> kSizeAttributes[] = {
    {"memory", {read_memory, written<&SizeSpec::memory>}, "byte", "memory of the arena; -1: as needed"},
    {"njmax", kCount<&SizeSpec::njmax, -1, kMaxInt>, "", "deprecated: maximum number of constraint rows"},
    {"nconmax", kCount<&SizeSpec::nconmax, -1, kMaxInt>, "", "deprecated: maximum number of contacts"},
    {"nstack", kCount<&SizeSpec::nstack, -1, kMaxInt>, "", "deprecated: numbers in the arena"},
    {"nkey", kCount<&SizeSpec::nkey, -1, kMaxKeys>, "", "minimum number of keyframes"},
    {"nuserdata", kCount<&SizeSpec::nuserdata, 0, kMaxUserData>, "", "numbers in userdata"},
    {"nuser_body", kCount<&SizeSpec::nuser_body, -1, kMaxUserNumbers>, "", kUserMeaning},
    {"nuser_jnt", kCount<&SizeSpec::nuser_jnt, -1, kMaxUserNumbers>, "", kUserMeaning},
    {"nuser_geom", kCount<&SizeSpec::nuser_geom, -1, kMaxUserNumbers>, "", kUserMeaning},
    {"nuser_site", kCount<&SizeSpec::nuser_site, -1, kMaxUserNumbers>, "", kUserMeaning},
    {"nuser_cam", kCount<&SizeSpec::nuser_cam, -1, kMaxUserNumbers>, "", kUserMeaning},
    {"nuser_tendon", kCount<&SizeSpec::nuser_tendon, -1, kMaxUserNumbers>, "", kUserMeaning},
    {"nuser_actuator", kCount<&SizeSpec::nuser_actuator, -1, kMaxUserNumbers>, "", kUserMeaning},
    {"nuser_sensor", kCount<&SizeSpec::nuser_sensor, -1, kMaxUserNumbers>, "", kUserMeaning},
};

constexpr Attribute<StatisticSpec> kStatisticAttributes[] = {
    {"meaninertia", into<&StatisticSpec::meaninertia>, "kg m^2", "mean diagonal of M"},
    {"meanmass", into<&StatisticSpec::meanmass>, "kg", "mean mass of the bodies"},
    {"meansize", into<&StatisticSpec::meansize>, "m", "mean size of the bodies"},
    {"extent", positive<&StatisticSpec::extent>, "m", "half the width of the model"},
    {"center", into<&StatisticSpec::center>, "m", "centre of the model"},
};

}  // namespace

Table<SizeSpec> size_attributes() { return kSizeAttributes; }
Table<StatisticSpec> statistic_attributes() { return kStatisticAttributes; }

void read_size(const Element& element, Reader& reader) {
  check_exclusive(element, reader.report, {"memory", "njmax"});
  check_exclusive(element, reader.report, {"memory", "nstack"});
  read_attributes(element, reader.spec.size, reader.report, size_attributes());
  reader.reject_children(element, "mujoco/size");
}

void read_statistic(const Element& element, Reader& reader) {
  read_attributes(element, reader.spec.statistic, reader.report, statistic_attributes());
  reader.reject_children(element, "mujoco/statistic");
}

}  // namespace torsor::mjcf
