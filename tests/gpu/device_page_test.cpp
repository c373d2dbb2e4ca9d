// docs/gpu.md lists every reason for which a device refuses a model, and no others.
#include <fmt/format.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/gpu/device_worlds.hpp"

namespace torsor::gpu {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(std::string(TORSOR_SOURCE_DIR "/") + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// "actuators: actuator 'hip' has a delay or keeps a history": as the page has it, without the stage and the name.
std::string reason_of(const std::string& lack) {
  std::string reason = std::regex_replace(lack, std::regex("^[^:]*: "), "");
  reason = std::regex_replace(reason, std::regex("(actuator|sensor) ('[^']*'|[0-9]+)"), "$1 ...");
  const std::string both = "implicitfast, and ";
  return reason.starts_with(both) ? reason.substr(both.size()) : reason;
}

std::set<std::string> reasons_on_page() {
  const std::string page = read_text("docs/gpu.md");
  const size_t begin = page.find("<!-- what devices lack -->"), end = page.find("<!-- end of what devices lack -->");
  std::set<std::string> found;
  const std::string table = page.substr(begin, end - begin);
  const std::regex row("\n\\| `([^`]*)` \\|");
  for (std::sregex_iterator at(table.begin(), table.end(), row), none; at != none; ++at) found.insert((*at)[1]);
  return found;
}

// A sensor with history makes all sensors part of a step, with what they lack: the page says so.
void take_reasons(const Model& model, std::set<std::string>& found) {
  const bool has_history = std::any_of(model.sensor_historyadr.begin(), model.sensor_historyadr.end(),
                                       [](int address) { return address >= 0; });
  for (const std::string& lack : list_what_device_lacks(model)) {
    const std::string reason = reason_of(lack);
    if (!has_history || reason.ends_with("keeps a history")) found.insert(reason);
  }
}

std::string balls(int count, const char* tags) {
  std::string bodies;
  for (int k = 0; k < count; ++k) bodies += fmt::format(R"(<body pos="{} 0 1">{}<geom size="0.1"/></body>)", k, tags);
  return "<mujoco><worldbody>" + bodies + "</worldbody></mujoco>";
}

TEST(DevicePage, ListsEveryReasonForWhichAModelIsRefused) {
  std::set<std::string> found;
  for_each_feature_variant([&found](const Model& model, const std::string&) { take_reasons(model, found); });
  take_reasons(load_string(balls(65, "<joint/>")), found);
  take_reasons(load_string(balls(33, "<freejoint/>")), found);
  std::string cluster = "<joint/>";
  for (int k = 0; k < 9; ++k) cluster += R"(<geom size="0.1"/>)";
  take_reasons(load_string(balls(10, cluster.c_str())), found);
  take_reasons(
      load_string(
          R"(<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><geom type="plane" size="1 1 1"/>
      <body><freejoint/><geom type="mesh" mesh="m" meshcollision="triangles"/></body></worldbody></mujoco>)"),
      found);
  Model model = load_string(balls(2, "<freejoint/>"));
  const auto take_with = [&](auto&& change) {
    Model changed = model;
    change(changed);
    take_reasons(changed, found);
  };
  take_with([](Model& m) { m.opt.noslip_iterations = 3; });
  take_with([](Model& m) { m.opt.enableflags |= kEnableSpeculative; });
  take_with([](Model& m) { m.opt.enableflags |= kEnableDiagExact; });
  take_with([](Model& m) { m.memory = 100000; });
  const std::set<std::string> listed = reasons_on_page();
  EXPECT_GT(listed.size(), 20u);
  for (const std::string& reason : found) EXPECT_TRUE(listed.contains(reason)) << "not on the page: " << reason;
  for (const std::string& reason : listed) EXPECT_TRUE(found.contains(reason)) << "for no model: " << reason;
}

// Those of contacts, rows and solvers, also for models that nobody has here.
TEST(DevicePage, ListsEveryReasonOfTheSource) {
  const std::string source = read_text("torsor/batch/row_plan.cpp");
  const std::set<std::string> listed = reasons_on_page();
  int seen = 0;
  for (const char* function : {"std::string why_no_wide_solver(", "std::string why_no_pack_rows("}) {
    const size_t begin = source.find(function), end = source.find("\n}", begin);
    ASSERT_NE(begin, std::string::npos);
    const std::string body = source.substr(begin, end - begin);
    const std::regex text("\"([^\"]+)\"");
    for (std::sregex_iterator at(body.begin(), body.end(), text), none; at != none; ++at, ++seen)
      EXPECT_TRUE(listed.contains((*at)[1])) << (*at)[1];
  }
  EXPECT_GE(seen, 12);
}

}  // namespace
}  // namespace torsor::gpu
