// A replay is one file with everything inside, and has the frames that were due.
#include "torsor/view/replay.hpp"

#include <gtest/gtest.h>

#include <zlib.h>

#include "tests/view/reading.hpp"
#include "torsor/core/error.hpp"
#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/view/bytes.hpp"
#include "torsor/view/page.hpp"

namespace torsor::view {
namespace {

Model falling(const std::string& name = "ball") {
  return load_string(
      "<mujoco model='" + name +
      "'><option timestep='.002'/><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
}

// The content of a data element of the page.
std::string element(const std::string& html, const std::string& id) {
  const std::string start = "id=\"" + id + "\">";
  const size_t at = html.find(start) + start.size();
  return html.substr(at, html.find("</script>", at) - at);
}

std::string inflated(const std::string& compressed) {
  std::string result(10'000'000, '\0');
  uLongf size = result.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(result.data()), &size,
                       reinterpret_cast<const Bytef*>(compressed.data()), compressed.size()),
            Z_OK);
  result.resize(size);
  return result;
}

TEST(Replay, HasOneFramePerPeriod) {
  const Model model = falling();
  Data data(model);
  Recorder recorder(model, {.fps = 50});
  recorder.offer(data);
  for (int i = 0; i < 500; ++i) {
    step(model, data);
    recorder.offer(data);
  }
  EXPECT_EQ(recorder.frames(), 51);  // 1 s at 50 per second, both ends
}

TEST(Replay, AFrameShowsTheStateAtItsTime) {
  const Model model = falling();
  Data data(model);
  Recorder recorder(model, {.fps = 500, .with_signals = false});
  for (int i = 0; i < 50; ++i) step(model, data);
  recorder.record(data);
  const std::string frames = inflated(from_base64(element(recorder.html(), "torsor-frames")));
  ByteReader reader(frames);
  EXPECT_EQ(reader.take<std::uint32_t>(), 1u);
  EXPECT_EQ(reader.take<std::uint32_t>(), frames.size() - 8);
  EXPECT_EQ(reader.take<double>(), data.time);
  for (int i = 0; i < 8; ++i) reader.take<std::uint32_t>();  // up to the height
  // after step(), xpos of the simulation is one step behind; the frame is not
  EXPECT_NE(data.xpos[5], data.qpos[2]);
  EXPECT_EQ(reader.take<float>(), static_cast<float>(data.qpos[2]));
}

TEST(Replay, OnlyReadsTheData) {
  const Model model = falling();
  Data data(model), copy(data);
  Recorder recorder(model);
  for (int i = 0; i < 10; ++i) {
    step(model, data);
    step(model, copy);
    recorder.record(data);
  }
  for (int i = 0; i < model.nq; ++i) EXPECT_EQ(data.qpos[i], copy.qpos[i]);
  EXPECT_EQ(data.energy[0], copy.energy[0]);
}

TEST(Replay, NothingInAModelEndsItsElement) {
  const Model model = falling("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  Data data(model);
  Recorder recorder(model);
  recorder.record(data);
  const std::string html = recorder.html();
  EXPECT_EQ(html.find("alert(1)</script>"), html.npos);
  const auto settings = nlohmann::json::parse(element(html, "torsor-settings"));
  EXPECT_EQ(settings["title"], "</script><script>alert(1)</script>");
}

TEST(Replay, LoadsNothingFromElsewhere) {
  const std::string page_text(page());
  for (const char* start : {"src=\"http", "src=\"//", "href=\"http", "url(http", "@import"})
    EXPECT_EQ(page_text.find(start), page_text.npos) << start;
  EXPECT_NE(page_text.find("default-src 'none'"), page_text.npos);
}

TEST(Replay, RefusesWhatItCannotShow) {
  const Model model = falling();
  EXPECT_THROW(Recorder(model).html(), Error);
  EXPECT_THROW(Recorder(model, {.fps = 0}), Error);
  EXPECT_THROW(Recorder(model, {.fps = std::nan("")}), Error);
  Data data(model);
  Recorder recorder(model);
  recorder.record(data);
  EXPECT_THROW(recorder.record(std::vector<const Data*>{&data, &data}), Error);
  const Model other = load_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
  Data stranger(other);
  EXPECT_THROW(recorder.record(stranger), Error);
  EXPECT_THROW(recorder.save("/nowhere/out.html"), Error);
}

TEST(Base64, RoundTripsEveryLength) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
  EXPECT_EQ(to_base64("Man"), "TWFu");
  EXPECT_EQ(to_base64("Ma"), "TWE=");
  EXPECT_THROW(from_base64("a*b"), Error);
}

}  // namespace
}  // namespace torsor::view
