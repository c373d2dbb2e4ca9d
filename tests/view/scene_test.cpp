// Scenes have what a model has, where it has it.
#include <gtest/gtest.h>

#include "tests/view/reading.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/load/load.hpp"

namespace torsor::view {
namespace {

const std::string kModels = TORSOR_SOURCE_DIR "/models/";

constexpr const char* kEverything = R"(<mujoco model="every &lt;shape&gt;">
  <asset>
    <texture name="grid" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="4" height="2"/>
    <material name="floor" texture="grid" texrepeat="3 4" texuniform="true" rgba=".1 .2 .3 .4"/>
    <mesh name="pyramid" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <hfield name="hill" nrow="2" ncol="3" size="1 2 3 .5" elevation="0 1 0 0 0 0"/>
  </asset>
  <worldbody>
    <light name="sun" directional="true" dir="0 0 -1"/>
    <camera name="fixed" pos="1 2 3" fovy="30"/>
    <geom name="ground" type="plane" size="1 2 .1" material="floor"/>
    <geom type="hfield" hfield="hill"/>
    <body name="a" pos="0 0 1">
      <freejoint/>
      <geom name="ball" type="sphere" size=".1" rgba="1 .5 0 1" group="2"/>
      <geom type="capsule" size=".1 .2"/> <geom type="ellipsoid" size=".1 .2 .3"/>
      <geom type="cylinder" size=".1 .2"/> <geom type="box" size=".1 .2 .3"/> <geom type="mesh" mesh="pyramid"/>
      <site name="tip" pos="0 0 .5"/> <site name="root"/>
      <camera name="chase" mode="trackcom" pos="0 -2 0"/>
      <body name="fixed_to_a" pos=".5 0 0"><geom size=".05"/>
        <body name="b" pos="0 .5 0"><joint name="knee" axis="0 1 0" range="-1 2"/><geom size=".05"/></body></body>
    </body>
    <body name="target" mocap="true"/>
  </worldbody>
  <tendon>
    <spatial name="rope" width=".01"><site site="tip"/><site site="root"/></spatial>
    <fixed name="belt"><joint joint="knee" coef="1"/></fixed>
  </tendon>
  <actuator><motor name="push" joint="knee" ctrlrange="-2 3"/></actuator>
  <keyframe><key name="home"/></keyframe>
</mujoco>)";

TEST(Scene, HasTheElementsOfTheModel) {
  const Model model = load_string(kEverything);
  const ReadScene scene(make_scene(model));
  EXPECT_EQ(scene.json["name"], "every <shape>");
  std::vector<int> types;
  for (const auto& geom : scene.json["geoms"]) types.push_back(geom["type"]);
  for (const GeomType type : {GeomType::kPlane, GeomType::kHfield, GeomType::kSphere, GeomType::kCapsule,
                              GeomType::kEllipsoid, GeomType::kCylinder, GeomType::kBox, GeomType::kMesh})
    EXPECT_NE(std::find(types.begin(), types.end(), static_cast<int>(type)), types.end()) << static_cast<int>(type);
  const int ball = model.find(ObjectType::kGeom, "ball");
  EXPECT_EQ(scene.json["geoms"][ball]["rgba"], nlohmann::json({1, .5, 0, 1}));
  EXPECT_EQ(scene.json["geoms"][ball]["group"], 2);
  EXPECT_EQ(scene.json["cameras"][0]["fovy"], 30);
  EXPECT_EQ(scene.json["actuators"][0]["range"], nlohmann::json({-2, 3}));
  EXPECT_EQ(scene.json["keys"], nlohmann::json({"home"}));
  EXPECT_EQ(scene.json["sites"][0]["name"], "tip");
}

TEST(Scene, MovingBodiesHaveJointsOrAreMocap) {
  const Model model = load_string(kEverything);
  std::vector<std::string> names;
  for (const int b : moving_bodies(model)) names.emplace_back(model.name(ObjectType::kBody, b));
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "target"}));
  EXPECT_EQ(spatial_tendons(model), std::vector<int>{model.find(ObjectType::kTendon, "rope")});
  EXPECT_EQ(tracking_cameras(model), std::vector<int>{model.find(ObjectType::kCamera, "chase")});
}

TEST(Scene, MeshesHaveTheTrianglesOfTheModel) {
  const Model model = load_string(kEverything);
  const ReadScene scene(make_scene(model));
  const auto& mesh = scene.json["meshes"][0];
  const auto position = scene.numbers<float>(mesh["position"]);
  const auto index = scene.numbers<std::uint32_t>(mesh["index"]);
  ASSERT_EQ(index.size(), size_t(3 * model.mesh_facenum[0]));
  for (size_t i = 0; i < index.size(); ++i) {
    const float* vertex = model.mesh_vert.row(model.mesh_face.data()[i], 3);
    for (size_t k = 0; k < 3; ++k) EXPECT_EQ(position[3 * index[i] + k], vertex[k]);
  }
  EXPECT_EQ(scene.numbers<float>(scene.json["hfields"][0]["elevation"]),
            (std::vector<float>{0, 0, 0, 0, 1, 0}));  // rows from the lowest y on
}

TEST(Scene, CornersHaveTheirOwnNormalsAndTextureCoordinates) {
  // one vertex with three normals and three places of the texture
  auto files = std::make_shared<FileSystem>();
  (*files)["wedge.obj"] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 -1\nvn 0 -1 0\nvn -1 0 0\nvn 1 0 0\n"
      "f 1/1/1 3/2/1 2/3/1\nf 1/2/2 2/3/2 4/1/2\nf 1/3/3 4/1/3 3/2/3\nf 2/1/4 3/2/4 4/3/4\n";
  LoadOptions options;
  options.files = files;
  const Model model = load_string(
      "<mujoco><asset><mesh file='wedge.obj'/></asset><worldbody><geom type='mesh' mesh='wedge'/></worldbody></mujoco>",
      options);
  const ReadScene scene(make_scene(model));
  const auto& mesh = scene.json["meshes"][0];
  const auto position = scene.numbers<float>(mesh["position"]), uv = scene.numbers<float>(mesh["uv"]);
  const auto normal = scene.numbers<std::int16_t>(mesh["normal"]);
  const auto index = scene.numbers<std::uint32_t>(mesh["index"]);
  ASSERT_EQ(index.size(), 12u);
  for (size_t i = 0; i < index.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(position[3 * index[i] + k], model.mesh_vert.row(model.mesh_face.data()[at], 3)[k]);
      EXPECT_NEAR(normal[4 * index[i] + k] / 32767.0, model.mesh_normal.row(model.mesh_facenormal.data()[at], 3)[k],
                  1e-4);
    }
    for (size_t k = 0; k < 2; ++k)
      EXPECT_EQ(uv[2 * index[i] + k], model.mesh_texcoord.row(model.mesh_facetexcoord.data()[at], 2)[k]);
  }
}

TEST(Scene, SkinsHaveTheirVerticesAndBones) {
  const Model model = load(kModels + "features/skins.xml");
  ASSERT_GT(model.nskin, 2);
  const ReadScene scene(make_scene(model));
  ASSERT_EQ(scene.json["skins"].size(), static_cast<size_t>(model.nskin));
  for (int s = 0; s < model.nskin; ++s) {
    const auto& skin = scene.json["skins"][static_cast<size_t>(s)];
    const float* vertex = model.skin_vert.row(model.skin_vertadr[s], 3);
    EXPECT_EQ(scene.numbers<float>(skin["position"]), std::vector<float>(vertex, vertex + 3 * model.skin_vertnum[s]));
    const int* corner = model.skin_face.row(model.skin_faceadr[s], 3);
    EXPECT_EQ(scene.numbers<std::uint32_t>(skin["index"]),
              std::vector<std::uint32_t>(corner, corner + 3 * model.skin_facenum[s]));
    EXPECT_EQ(skin.contains("uv"), model.skin_texcoordadr[s] >= 0);
    ASSERT_EQ(skin["bones"].size(), static_cast<size_t>(model.skin_bonenum[s]));
    const int bone = model.skin_boneadr[s];
    EXPECT_EQ(skin["bones"][0]["body"], model.skin_bonebodyid[bone]);
    const float* weight = model.skin_bonevertweight.data() + model.skin_bonevertadr[bone];
    EXPECT_EQ(scene.numbers<float>(skin["bones"][0]["weight"]),
              std::vector<float>(weight, weight + model.skin_bonevertnum[bone]));
  }
}

TEST(Scene, TexturesAreThoseOfTheSpec) {
  const Spec spec = read_mjcf_string(kEverything);
  const ReadScene scene(make_scene(load_string(kEverything), TextureSource(spec)));
  const auto& texture = scene.json["textures"][0];
  const auto pixels = scene.numbers<std::uint8_t>(texture["rgb"]);
  const std::vector<std::uint8_t> red{255, 0, 0}, blue{0, 0, 255};
  ASSERT_EQ(pixels.size(), size_t(4 * 2 * 3));
  const auto pixel = [&](int row, int column) {
    const auto at = pixels.begin() + (4 * row + column) * 3;
    return std::vector<std::uint8_t>(at, at + 3);
  };
  EXPECT_EQ(pixel(0, 0), red);
  EXPECT_EQ(pixel(0, 2), blue);
  EXPECT_EQ(pixel(1, 0), blue);
  EXPECT_EQ(pixel(1, 3), red);
  EXPECT_EQ(scene.json["materials"][0]["texture"], 0);
  EXPECT_TRUE(scene.json["warnings"].empty());
}

TEST(Scene, SaysThatTexturesAreMissing) {
  const ReadScene without(make_scene(load_string(kEverything)));
  EXPECT_TRUE(without.json["textures"].empty());
  EXPECT_EQ(without.json["warnings"].size(), 1u);

  Spec spec = read_mjcf_file(kModels + "features/texture_files.xml");
  const Model model = load(kModels + "features/texture_files.xml");
  spec.base_dir = "/nowhere/";
  const ReadScene moved(make_scene(model, TextureSource(spec)));
  EXPECT_FALSE(moved.json["warnings"].empty());
  EXPECT_TRUE(moved.json["textures"][0].is_null());
}

TEST(Scene, UpIsThatOfTheWorld) {
  LoadOptions options;
  EXPECT_EQ(ReadScene(make_scene(load_string(kEverything))).json["up"], nlohmann::json({0, 0, 1}));
  options.world = Axes{{1, 3, -2}};  // y up: the second axis is our third
  EXPECT_EQ(ReadScene(make_scene(load_string(kEverything, options))).json["up"], nlohmann::json({0, 1, 0}));
}

}  // namespace
}  // namespace torsor::view
