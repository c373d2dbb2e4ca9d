// Assets: what the model says of them, and their files.
#include <cstring>
#include <filesystem>
#include <fstream>

#include "mjcf_support.hpp"
#include "torsor/format/assets.hpp"
#include "torsor/format/files.hpp"

namespace torsor {
namespace {

const char* const kObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n";

std::string hfield_bytes() {
  const int counts[] = {2, 3};
  const float elevations[] = {1, 2, 3, 4, 5, 6};
  std::string bytes(sizeof(counts) + sizeof(elevations), '\0');
  std::memcpy(bytes.data(), counts, sizeof(counts));
  std::memcpy(bytes.data() + sizeof(counts), elevations, sizeof(elevations));
  return bytes;
}

std::string error_in_asset(const std::string& inside) { return error_in_model("<asset>" + inside + "</asset>"); }

Spec load_model(const std::string& inside, FileSystem files) {
  Spec spec = read_mjcf_string("<mujoco>" + inside + "</mujoco>", with_files(std::move(files)));
  load_assets(spec);
  return spec;
}

TEST(MjcfMesh, AttributesAreRead) {
  const Spec spec = read_model(
      "<asset><mesh name='m' content_type='model/obj' vertex='0 0 0 1 0 0' normal='0 0 1' texcoord='0 1' face='0 1 2'"
      " scale='1 2 3' refpos='4 5 6' refquat='0 1 0 0' inertia='shell' smoothnormal='true' maxhullvert='8' "
      "material='x'/>"
      "<mesh name='b' builtin='sphere' params='3'/></asset>");
  const MeshSpec& mesh = spec.meshes[0];
  EXPECT_EQ(mesh.vertex, (std::vector<float>{0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(mesh.normal.size(), 3u);
  EXPECT_EQ(mesh.texcoord.size(), 2u);
  EXPECT_EQ(mesh.face, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(mesh.scale, (Number3{1, 2, 3}));
  EXPECT_EQ(mesh.refpos, (Number3{4, 5, 6}));
  EXPECT_EQ(mesh.refquat, (Number4{0, 1, 0, 0}));
  EXPECT_EQ(mesh.inertia, MeshInertia::kShell);
  EXPECT_TRUE(mesh.smoothnormal);
  EXPECT_EQ(mesh.maxhullvert, 8);
  EXPECT_EQ(spec.meshes[1].builtin, "sphere");
  EXPECT_EQ(spec.meshes[1].params, (std::vector<double>{3}));
}

TEST(MjcfMesh, WithoutANameIsCalledAfterItsFile) {
  const Spec spec = read_model(
      "<asset><mesh file='a/b.c.obj'/><mesh file='d\\e.STL'/><hfield file='h.png' size='1 1 1 1'/>"
      "<texture file='x/t.png'/></asset>");
  EXPECT_EQ(spec.meshes[0].name, "b.c");
  EXPECT_EQ(spec.meshes[1].name, "e");
  EXPECT_EQ(spec.hfields[0].name, "h");
  EXPECT_EQ(spec.textures[0].name, "t");
  expect_contains(error_in_asset("<mesh vertex='0 0 0'/>"), "a mesh needs a name");
  expect_contains(error_in_asset("<mesh file='.obj'/>"), "a mesh needs a name");
  expect_contains(error_in_asset("<mesh file='a/b.obj'/><mesh file='b.stl'/>"),
                  "the name 'b' is used by two <mesh> elements");
}

TEST(MjcfMesh, MistakesAreErrors) {
  expect_contains(error_in_asset("<mesh name='m' builtin='sphere' file='a.obj'/>"),
                  "'builtin' and 'file' are mutually exclusive");
  expect_contains(error_in_asset("<mesh name='m' builtin='sphere'/>"), "needs the attribute 'params'");
  expect_contains(error_in_asset("<mesh name='m' builtin='prism' params='1'/>"), "is one of none, sphere");
  for (const char* count : {"3", "0", "-2", ""}) {
    EXPECT_THROW(read_model("<asset><mesh name='m' maxhullvert='" + std::string(count) + "'/></asset>"), Error)
        << count;
  }
  expect_contains(error_in_asset("<mesh name='m' inertia='solid'/>"), "is one of convex, exact, legacy, shell");
}

TEST(MjcfHfield, RowsAreFlippedFromTheOrderInWhichAMapIsDrawn) {
  const Spec spec =
      read_model("<asset><hfield name='h' nrow='3' ncol='2' size='1 2 3 4' elevation='1 2 3 4 5 6'/></asset>");
  EXPECT_EQ(spec.hfields[0].size, (Number4{1, 2, 3, 4}));
  EXPECT_EQ(spec.hfields[0].elevation, (std::vector<float>{5, 6, 3, 4, 1, 2}));
}

TEST(MjcfHfield, MistakesAreErrors) {
  expect_contains(error_in_asset("<hfield name='h' nrow='2' ncol='2'/>"), "hfield needs the attribute 'size'");
  expect_contains(error_in_asset("<hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'/>"),
                  "needs nrow * ncol = 4 numbers, got 3");
  expect_contains(error_in_asset("<hfield name='h' nrow='-2' ncol='2' size='1 1 1 1'/>"), "must not be negative");
  expect_contains(error_in_asset("<hfield name='h' nrow='100000000' ncol='2000000000' size='1 1 1 1'/>"),
                  "has at most");
}

TEST(MjcfTexture, AttributesAreCheckedAndKept) {
  const Spec spec =
      read_model("<asset><texture name='t' type='2d' builtin='checker' rgb1='1 0 0' width='10' height='20'/></asset>");
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"type", "2d"}, {"builtin", "checker"}, {"rgb1", "1 0 0"}, {"width", "10"}, {"height", "20"}};
  EXPECT_EQ(spec.textures[0].attributes, expected);
  EXPECT_NO_THROW(
      read_model("<asset><texture type='skybox' builtin='flat'/><texture type='skybox' builtin='flat'/></asset>"));
  expect_contains(error_in_asset("<texture type='2d' builtin='flat'/>"), "a texture needs a name");
  expect_contains(error_in_asset("<texture name='t' rgb1='1 0'/>"), "takes 3 numbers");
  expect_contains(error_in_asset("<texture name='t' type='3d'/>"), "is one of 2d, cube, skybox");
  expect_contains(error_in_asset("<texture name='t' width='-1'/>"), "is from 0");
  expect_contains(error_in_asset("<texture name='t' nchannel='0'/>"), "is from 1 to 4");
  expect_contains(error_in_asset("<texture name='t' gridlayout='.x'/>"), "letters");
  expect_contains(error_in_asset("<texture name='t' gridlayout='RL' gridsize='1 3'/>"), "each of 1 x 3 cells, got 2");
}

TEST(MjcfMaterial, TexturesHaveRoles) {
  const Spec spec = read_model(
      "<asset><material name='a' texture='t' texuniform='true' texrepeat='2 3' metallic='.5' rgba='1 2 3 4'/>"
      "<material name='b'><layer role='rgb' texture='u'/><layer role='orm' texture='v'/></material></asset>");
  EXPECT_EQ(spec.materials[0].textures[1], "t");
  EXPECT_TRUE(spec.materials[0].texuniform);
  EXPECT_EQ(spec.materials[0].texrepeat, (Float2{2, 3}));
  EXPECT_EQ(spec.materials[0].metallic, .5f);
  EXPECT_EQ(spec.materials[1].textures[1], "u");
  EXPECT_EQ(spec.materials[1].textures[9], "v");
  expect_contains(error_in_asset("<material/>"), "a material needs a name");
  expect_contains(error_in_asset("<material name='a' texture='t'><layer role='orm' texture='v'/></material>"),
                  "cannot have layers");
  expect_contains(error_in_asset("<material name='a'><layer role='orm'/></material>"),
                  "layer needs the attribute 'texture'");
  expect_contains(error_in_asset("<material name='a'><layer role='colour' texture='t'/></material>"), "is one of rgb");
}

TEST(AssetFiles, MeshesAndHeightFieldsAreDecoded) {
  const Spec spec = load_model("<asset><mesh file='a.obj'/><hfield file='h.bin' size='1 1 1 1'/></asset>",
                               {{"a.obj", kObj}, {"h.bin", hfield_bytes()}});
  EXPECT_EQ(spec.meshes[0].vertex.size(), 12u);
  EXPECT_EQ(spec.meshes[0].face.size(), 12u);
  EXPECT_EQ(spec.hfields[0].nrow, 2);
  EXPECT_EQ(spec.hfields[0].ncol, 3);
  EXPECT_EQ(spec.hfields[0].elevation, (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(AssetFiles, AreFoundInMemoryWithAndWithoutTheirFolders) {
  const auto found = [](const std::string& compiler, const std::string& file, const std::string& in_memory) {
    const Spec spec = load_model(compiler + "<asset><mesh name='m' file='" + file + "'/></asset>", {{in_memory, kObj}});
    return !spec.meshes[0].vertex.empty();
  };
  EXPECT_TRUE(found("", "a/b.obj", "b.obj"));
  EXPECT_TRUE(found("", "b.obj", "a/b.obj"));
  EXPECT_TRUE(found("", "./b.obj", "b.obj"));
  EXPECT_TRUE(found("", "n/../m/b.obj", "m/b.obj"));
  EXPECT_TRUE(found("", "/abs/b.obj", "/abs/b.obj"));
  EXPECT_TRUE(found("", "a\\b.obj", "a/b.obj"));
  EXPECT_TRUE(found("", "B.obj", "b.OBJ"));
  EXPECT_TRUE(found("<compiler meshdir='m'/>", "b.obj", "m/b.obj"));
  EXPECT_TRUE(found("<compiler meshdir='m/'/>", "b.obj", "m/b.obj"));
  EXPECT_TRUE(found("<compiler assetdir='m'/>", "b.obj", "b.obj"));
  EXPECT_TRUE(found("<compiler strippath='true' meshdir='m'/>", "z/b.obj", "m/b.obj"));
}

TEST(AssetFiles, AFullNameWinsOverABaseName) {
  const std::string other = "v 0 0 0\nv 5 0 0\nv 0 5 0\nv 0 0 5\nf 1 2 3\n";
  const Spec spec = load_model("<compiler meshdir='m'/><asset><mesh file='b.obj'/></asset>",
                               {{"a/b.obj", other}, {"m/b.obj", kObj}, {"z/b.obj", other}});
  EXPECT_EQ(spec.meshes[0].vertex[3], 1);
}

class AssetFilesOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "torsor_assets_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_ + "/meshes");
    std::filesystem::create_directories(folder_ + "/sub");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ + "/" + name) << text; }
  Spec load_main() {
    Spec spec = read_mjcf_file(folder_ + "/main.xml");
    load_assets(spec);
    return spec;
  }

  std::string folder_;
};

TEST_F(AssetFilesOnDisk, AreRelativeToTheModelAndItsMeshdir) {
  write("meshes/a.obj", kObj);
  write("b.obj", kObj);
  write("main.xml",
        "<mujoco><compiler meshdir='meshes'/><asset><mesh file='a.obj'/><mesh file='../b.obj'/></asset></mujoco>");
  EXPECT_EQ(load_main().meshes[1].vertex.size(), 12u);
  write("main.xml", "<mujoco><compiler meshdir='" + folder_ + "/meshes'/><asset><mesh file='a.obj'/></asset></mujoco>");
  EXPECT_EQ(load_main().meshes[0].vertex.size(), 12u);
  write("main.xml", "<mujoco><compiler meshdir='x'/><asset><mesh file='" + folder_ + "/b.obj'/></asset></mujoco>");
  EXPECT_EQ(load_main().meshes[0].vertex.size(), 12u);
  write("main.xml",
        "<mujoco><compiler meshdir='meshes' strippath='true'/><asset><mesh file='q/r/a.obj'/></asset></mujoco>");
  EXPECT_EQ(load_main().meshes[0].vertex.size(), 12u);
  write("main.xml", "<mujoco><asset><mesh file='meshes\\a.obj'/></asset></mujoco>");
  EXPECT_EQ(load_main().meshes[0].vertex.size(), 12u);
}

TEST_F(AssetFilesOnDisk, AreAlsoFoundBesideTheIncludedFileThatNamesThem) {
  write("main.xml", "<mujoco><include file='sub/part.xml'/></mujoco>");
  write("sub/part.xml", "<mujoco><asset><mesh file='a.obj'/></asset></mujoco>");
  write("sub/a.obj", kObj);
  EXPECT_EQ(load_main().meshes[0].vertex.size(), 12u);
}

TEST_F(AssetFilesOnDisk, AllThatAreMissingOrBrokenAreReportedWithTheirPlaces) {
  write("bad.obj", "v 0 0 x\nf 1 2 9\n");
  write("main.xml",
        "<mujoco><asset>\n<mesh file='no.obj'/>\n<mesh file='bad.obj'/>\n<mesh file='meshes'/></asset></mujoco>");
  try {
    load_main();
    ADD_FAILURE() << "was loaded";
  } catch (const Error& error) {
    ASSERT_EQ(error.diagnostics().size(), 3u);
    expect_contains(to_string(error.diagnostics()[0]),
                    folder_ + "/main.xml:2:1: error: cannot open '" + folder_ + "/no.obj'");
    EXPECT_EQ(error.diagnostics()[1].where.line, 3);
    EXPECT_EQ(error.diagnostics()[2].where.line, 4);
  }
}

TEST_F(AssetFilesOnDisk, AMissingModelIsAnError) { EXPECT_THROW(read_mjcf_file(folder_ + "/nowhere.xml"), Error); }

// A PNG file without pixels: a header and an end.
std::string png_of(char width, char height) {
  using namespace std::string_literals;
  const std::string size = "\0\0\0"s + width + "\0\0\0"s + height;
  return "\x89PNG\r\n\x1a\n"s + "\0\0\0\rIHDR"s + size + "\x08\2\0\0\0crc_"s + "\0\0\0\0IENDcrc_"s;
}

TEST(AssetFiles, OfTexturesMustBeThere) {
  const auto load = [](const std::string& texture, const std::string& compiler = "") {
    load_model(compiler + "<asset><texture name='t' " + texture + "/></asset>", {{"a.png", png_of(4, 4)}});
  };
  EXPECT_NO_THROW(load("type='2d' file='a.png'"));
  EXPECT_NO_THROW(load("type='cube' fileup='a.png'"));
  EXPECT_NO_THROW(load("type='2d' builtin='flat' width='1' height='1' file='no.png'"));
  EXPECT_NO_THROW(load("type='2d' file='no.png'", "<compiler discardvisual='true'/>"));
  EXPECT_THROW(load("type='2d' file='no.png'"), Error);
  EXPECT_THROW(load("type='cube' fileup='a.png' filedown='no.png'"), Error);
  EXPECT_THROW(load("type='2d' fileup='a.png'"), Error);
  EXPECT_THROW(load("builtin='none'"), Error);
}

TEST(AssetFiles, OfTexturesAreWholeImagesOfSizesThatFit) {
  const auto load = [](const std::string& texture) {
    load_model("<asset><texture name='t' " + texture + "/></asset>", {{"square.png", png_of(4, 4)},
                                                                      {"large.png", png_of(8, 8)},
                                                                      {"grid.png", png_of(16, 12)},
                                                                      {"cut.png", png_of(4, 4).substr(0, 40)},
                                                                      {"text.png", "a text"},
                                                                      {"image.ktx", "any bytes"}});
  };
  EXPECT_NO_THROW(load("type='2d' file='grid.png'"));
  EXPECT_NO_THROW(load("type='cube' file='grid.png' gridsize='3 4'"));
  EXPECT_NO_THROW(load("type='cube' fileup='square.png' filedown='square.png'"));
  EXPECT_NO_THROW(load("type='2d' file='image.ktx'"));
  EXPECT_NO_THROW(load("type='2d' file='image.ktx' content_type='image/ktx'"));
  EXPECT_THROW(load("type='2d' file='cut.png'"), Error);
  EXPECT_THROW(load("type='2d' file='text.png'"), Error);
  EXPECT_THROW(load("type='2d' file='square.png' content_type='image/bmp'"), Error);
  EXPECT_THROW(load("type='cube' file='grid.png'"), Error);
  EXPECT_THROW(load("type='cube' file='grid.png' gridsize='4 3'"), Error);
  EXPECT_THROW(load("type='cube' file='square.png' gridsize='0 4'"), Error);
  EXPECT_THROW(load("type='cube' fileup='grid.png'"), Error);
  EXPECT_THROW(load("type='cube' fileup='square.png' filedown='large.png'"), Error);
  EXPECT_THROW(load("type='cube' file='image.ktx'"), Error);
}

TEST(AssetFiles, ArraysOfTheModelStandBesideThoseOfAFile) {
  const std::string four_twice = "0 1 2 3 4 5 6 7", four_thrice = "1 0 0 1 0 0 1 0 0 1 0 0";
  const Spec spec =
      load_model("<asset><mesh file='a.obj' texcoord='" + four_twice + "' normal='" + four_thrice + "'/></asset>",
                 {{"a.obj", kObj}});
  EXPECT_EQ(spec.meshes[0].vertex.size(), 12u);
  EXPECT_EQ(spec.meshes[0].texcoord, (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(spec.meshes[0].normal.size(), 12u);
  EXPECT_EQ(spec.meshes[0].face_texcoord, spec.meshes[0].face);
  EXPECT_THROW(load_model("<asset><mesh file='a.obj' face='0 1 2'/></asset>", {{"a.obj", kObj}}), Error);
}

TEST(AssetFiles, AFileAndVerticesExcludeEachOther) {
  EXPECT_THROW(load_model("<asset><mesh file='a.obj' vertex='0 0 0'/></asset>", {{"a.obj", kObj}}), Error);
}

TEST(Paths, HaveTheirParts) {
  EXPECT_EQ(directory_of("a/b.xml"), "a/");
  EXPECT_EQ(directory_of("b.xml"), "");
  EXPECT_EQ(base_name("a\\b.xml"), "b.xml");
  EXPECT_EQ(file_stem("a.b/c"), "c");
  EXPECT_EQ(join_path("a", "b"), "a/b");
  EXPECT_EQ(join_path("a/", "/b"), "/b");
  EXPECT_EQ(join_path("", "b"), "b");
}

}  // namespace
}  // namespace torsor
