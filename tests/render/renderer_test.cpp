// What is drawn is where it is, in its colour, at its depth.
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "torsor/core/error.hpp"
#include "torsor/core/isa.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/format/mesh/png.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/load/load.hpp"
#include "torsor/render/renderer.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::render {
namespace {

constexpr int kHeight = 90, kWidth = 120;

// A model at rest, and a renderer of it.
struct Scene {
  explicit Scene(const std::string& xml, RenderOptions options = {}, int height = kHeight, int width = kWidth)
      : model(load_string(xml)),
        data(model),
        renderer(model, height, width, view::TextureSource(read_mjcf_string(xml)), options) {
    forward(model, data);
  }
  std::array<int, 3> pixel(int row, int column) {
    const Picture picture = renderer.render();
    const std::uint8_t* rgb = &picture.rgb[3 * static_cast<size_t>(row * picture.width + column)];
    return {rgb[0], rgb[1], rgb[2]};
  }
  std::vector<float> depth() {
    std::vector<float> result(static_cast<size_t>(renderer.height() * renderer.width()));
    renderer.render_depth(result.data());
    return result;
  }
  std::vector<int> segmentation() {
    std::vector<int> result(2 * static_cast<size_t>(renderer.height() * renderer.width()));
    renderer.render_segmentation(result.data());
    return result;
  }

  Model model;
  Data data;
  Renderer renderer;
};

constexpr int kMiddle = kHeight / 2 * kWidth + kWidth / 2;

std::string looking_down(const std::string& geoms, const std::string& more = "") {
  return R"(<mujoco><statistic extent="1" center="0 0 0"/><visual><map znear=".01" zfar="20"/></visual>)" + more +
         R"(<worldbody><camera name="top" pos="0 0 3"/>)" + geoms + "</worldbody></mujoco>";
}

TEST(Renderer, DepthIsTheDistanceAlongTheAxisOfTheCamera) {
  for (const auto& [geom, top] :
       std::vector<std::pair<std::string, double>>{{R"(<geom type="sphere" size=".5"/>)", 0.5},
                                                   {R"(<geom type="box" size=".5 .4 .3"/>)", 0.3},
                                                   {R"(<geom type="capsule" size=".2 .6"/>)", 0.8},
                                                   {R"(<geom type="cylinder" size=".4 .7"/>)", 0.7},
                                                   {R"(<geom type="ellipsoid" size=".4 .3 .9"/>)", 0.9},
                                                   {R"(<geom type="plane" size="1 1 .1"/>)", 0},
                                                   {R"(<geom type="plane" size="0 0 .1" pos="0 0 -2"/>)", -2}}) {
    Scene scene(looking_down(geom));
    scene.renderer.update_scene(scene.data, 0);
    EXPECT_NEAR(scene.depth()[kMiddle], 3 - top, 2e-3 * (3 - top)) << geom;
    EXPECT_EQ(scene.segmentation()[2 * kMiddle], 0) << geom;
    EXPECT_EQ(scene.segmentation()[2 * kMiddle + 1], static_cast<int>(ObjectType::kGeom)) << geom;
  }
}

TEST(Renderer, WhereNothingIsTheDepthIsThatOfTheFarPlane) {
  Scene scene(looking_down(R"(<geom type="sphere" size=".1"/>)"));
  scene.renderer.update_scene(scene.data, 0);
  EXPECT_FLOAT_EQ(scene.depth()[0], 20);
  EXPECT_EQ(scene.segmentation()[0], -1);
  EXPECT_EQ(scene.segmentation()[1], -1);
  EXPECT_EQ(scene.pixel(0, 0), (std::array{0, 0, 0}));
}

TEST(Renderer, TheNearerOfTwoShapesIsSeen) {
  Scene scene(looking_down(R"(<geom type="box" size=".5 .5 .1" rgba="0 1 0 1"/>
    <geom type="sphere" size=".2" pos="0 0 .5" rgba="1 0 0 1"/>)"));
  scene.renderer.update_scene(scene.data, 0);
  const auto middle = scene.pixel(kHeight / 2, kWidth / 2), side = scene.pixel(kHeight / 2, kWidth / 2 + 12);
  EXPECT_GT(middle[0], 100);
  EXPECT_LT(middle[1], middle[0] / 2 + 60);
  EXPECT_GT(side[1], 60);
  EXPECT_LT(side[0], side[1]);
}

TEST(Renderer, GroupsOfMujocoAreShownAndOthersNot) {
  for (int group = 0; group < 6; ++group) {
    Scene scene(looking_down("<geom type=\"sphere\" size=\".5\" group=\"" + std::to_string(group) + "\"/>"));
    scene.renderer.update_scene(scene.data, 0);
    EXPECT_EQ(scene.segmentation()[2 * kMiddle], group < 3 ? 0 : -1) << group;
  }
}

TEST(Renderer, AShapeThrowsAShadowAndALightWithoutShadowsDoesNot) {
  const auto brightness = [](bool casts) {
    Scene scene(looking_down(std::string(R"(<light directional="true" dir="1 0 -1" castshadow=")") +
                                 (casts ? "true" : "false") + R"("/><geom type="plane" size="3 3 .1" rgba=".8 .8 .8 1"/>
      <geom type="sphere" size=".2" pos="0 0 .6"/>)",
                             R"(<asset/>)"));
    scene.renderer.update_scene(scene.data, 0);
    // the shadow is 0.6 m to the right of what throws it
    const int column = kWidth / 2 + static_cast<int>(0.6 / 3 * (kHeight / 2) / std::tan(0.3927));
    return scene.pixel(kHeight / 2, column)[0];
  };
  EXPECT_LT(brightness(true), brightness(false) - 40);
}

TEST(Renderer, WhatIsTransparentLetsThroughWhatIsBehindIt) {
  const auto red = [](const char* alpha) {
    Scene scene(looking_down(std::string(R"(<geom type="plane" size="3 3 .1" rgba="0 0 1 1"/>
      <geom type="box" size=".5 .5 .1" pos="0 0 .5" rgba="1 0 0 )") +
                             alpha + R"("/>)"));
    scene.renderer.update_scene(scene.data, 0);
    return scene.pixel(kHeight / 2, kWidth / 2);
  };
  EXPECT_LT(red("1")[2], red(".5")[2]);
  EXPECT_LT(red(".5")[2], red("0")[2]);
  EXPECT_GT(red("1")[0], red(".5")[0]);
  EXPECT_GT(red(".5")[0], red("0")[0]);
}

TEST(Renderer, EveryInstructionSetDrawsTheSamePicture) {
  const std::string xml = looking_down(R"(<light pos="1 1 3" dir="-.3 -.3 -1"/><geom type="plane" size="2 2 .1"/>
    <geom type="capsule" size=".2 .3" euler="30 40 0"/><geom type="box" size=".2 .3 .1" pos=".6 0 .2"/>)");
  const Isa before = current_isa();
  Picture first;
  for (const Isa isa : available_isas()) {
    use_isa(isa_name(isa));
    Scene scene(xml);
    scene.renderer.update_scene(scene.data, 0);
    const Picture picture = scene.renderer.render();
    if (first.rgb.empty()) first = picture;
    int different = 0;
    for (size_t i = 0; i < picture.rgb.size(); ++i) different += std::abs(picture.rgb[i] - first.rgb[i]) > 3;
    EXPECT_LT(different, static_cast<int>(picture.rgb.size()) / 500) << isa_name(isa);
  }
  use_isa(isa_name(before));
}

TEST(Renderer, APngHasThePixelsOfThePicture) {
  Scene scene(looking_down(R"(<geom type="sphere" size=".5" rgba="1 .5 .2 1"/>)"));
  scene.renderer.update_scene(scene.data, 0);
  const Picture picture = scene.renderer.render();
  const std::string png = to_png(picture);
  const Image read = read_png({reinterpret_cast<const std::byte*>(png.data()), png.size()}, "picture.png", 3);
  EXPECT_EQ(read.width, kWidth);
  EXPECT_EQ(read.height, kHeight);
  EXPECT_EQ(read.pixels, picture.rgb);
}

TEST(Renderer, BadInputIsRefusedWithItsReason) {
  Scene scene(looking_down("<geom size=\".1\"/>"));
  EXPECT_THROW(scene.renderer.render(), Error);  // no scene yet
  EXPECT_THROW(scene.renderer.update_scene(scene.data, 1), Error);
  EXPECT_THROW(scene.renderer.update_scene(scene.data, -2), Error);
  FreeCamera camera;
  camera.trackbody = 7;
  EXPECT_THROW(scene.renderer.update_scene(scene.data, camera), Error);
  camera = {};
  camera.distance = std::nan("");
  EXPECT_THROW(scene.renderer.update_scene(scene.data, camera), Error);
  EXPECT_THROW(Renderer(scene.model, 0, 10), Error);
  EXPECT_THROW(Renderer(scene.model, 10, kLargestSide + 1), Error);
  EXPECT_THROW(Renderer(scene.model, 10, 10, {}, {.samples = 3}), Error);
}

TEST(Renderer, PosesThatAreNotNumbersAreLeftOut) {
  Scene scene(looking_down(R"(<geom type="sphere" size=".5"/><body><freejoint/><geom size=".2"/></body>)"));
  for (int i = 0; i < 3; ++i) scene.data.geom_xpos[3 + i] = std::nan("");
  scene.renderer.update_scene(scene.data, 0);
  EXPECT_EQ(scene.segmentation()[2 * kMiddle], 0);
}

}  // namespace
}  // namespace torsor::render
