// Which files a model may read.
#include "tests/load/load_support.hpp"

namespace torsor {
namespace {

namespace fs = std::filesystem;

const char* const kMesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const char* const kPart = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>";

std::string mesh_model(const std::string& file) {
  return "<mujoco><asset><mesh name='m' file='" + file +
         "'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
}

LoadOptions only(const std::vector<std::string>& folders) {
  LoadOptions options;
  options.restrict = folders;
  return options;
}

std::string error_of(const std::string& path, const LoadOptions& options) {
  try {
    load(path, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_forbidden(const std::string& path, const LoadOptions& options) {
  EXPECT_NE(error_of(path, options).find("may not be read from disk"), std::string::npos) << error_of(path, options);
}

TEST(Restrict, AModelOpenedByItsPathReadsWhatTheUserMay) {
  const Folder folder;
  folder.write("meshes/part.obj", kMesh);
  const std::string path = folder.write("robot/robot.xml", mesh_model("../meshes/part.obj"));
  EXPECT_EQ(load(path).nmesh, 1);
}

TEST(Restrict, FoldersLimitIt) {
  const Folder folder;
  folder.write("meshes/part.obj", kMesh);
  const std::string path = folder.write("robot/robot.xml", mesh_model("../meshes/part.obj"));
  EXPECT_EQ(load(path, only({folder / "meshes"})).nmesh, 1);
  EXPECT_EQ(load(path, only({folder / "robot", folder / "meshes/"})).nmesh, 1);
  EXPECT_EQ(load(path, only({folder / "robot/.."})).nmesh, 1);
  expect_forbidden(path, only({folder / "robot"}));
  expect_forbidden(path, only({folder / "mesh"}));  // not a folder, but the start of the name of one
  expect_forbidden(path, only({}));
}

TEST(Restrict, DotsAndLinksAreResolved) {
  const Folder folder;
  folder.write("secret/part.obj", kMesh);
  fs::create_directories(folder / "open/deep");
  fs::create_symlink(folder / "secret/part.obj", folder / "open/file.obj");
  fs::create_directory_symlink(folder / "secret", folder / "open/folder");
  fs::create_directory_symlink(folder / "open/deep", folder / "way");
  for (const char* file :
       {"../secret/part.obj", "file.obj", "folder/part.obj", "deep/../../secret/part.obj", "deep/../folder/part.obj"})
    expect_forbidden(folder.write("open/robot.xml", mesh_model(file)), only({folder / "open"}));
  // a link into an allowed folder is as good as the folder
  folder.write("open/deep/part.obj", kMesh);
  const std::string path = folder.write("open/robot.xml", mesh_model("../way/part.obj"));
  EXPECT_EQ(load(path, only({folder / "open"})).nmesh, 1);
  EXPECT_EQ(load(path, only({folder / "way"})).nmesh, 1);
}

TEST(Restrict, HoldsForEveryKindOfFile) {
  const Folder folder;
  folder.write("secret/part.xml", kPart);
  folder.write("secret/grid.hf", std::string(12, '\0'));
  folder.write("secret/image.png", "x");
  const std::string texts[] = {
      "<mujoco><include file='../secret/part.xml'/></mujoco>",
      "<mujoco><asset><model name='m' file='../secret/part.xml'/></asset></mujoco>",
      "<mujoco><asset><hfield name='h' file='../secret/grid.hf' size='1 1 1 1'/></asset></mujoco>",
      "<mujoco><asset><texture name='t' type='2d' file='../secret/image.png'/></asset></mujoco>",
      "<mujoco><compiler meshdir='../secret'/><asset><mesh file='part.obj'/></asset></mujoco>",
      mesh_model(folder / "secret/part.obj"),
  };
  for (const std::string& text : texts) {
    const std::string path = folder.write("open/robot.xml", text);
    EXPECT_NE(error_of(path, only({folder / "open"})).find("may not be read"), std::string::npos) << text;
  }
}

TEST(Restrict, AModelFromAStringReadsNothingUnlessFoldersAreGiven) {
  const Folder folder;
  const std::string mesh = folder.write("part.obj", kMesh), part = folder.write("part.xml", kPart);
  const std::string include = "<mujoco><include file='" + part + "'/></mujoco>";
  expect_errors(mesh_model(mesh), {"may not be read from disk"});
  expect_errors(include, {"may not be read from disk"});
  EXPECT_EQ(load_string(mesh_model(mesh), only({folder / "."})).nmesh, 1);
  EXPECT_EQ(load_string(include, only({"/"})).ngeom, 1);
}

TEST(Restrict, FilesInMemoryAreAlwaysAllowed) {
  LoadOptions options = only({});
  options.files = std::make_shared<const FileSystem>(FileSystem{{"part.obj", kMesh}});
  EXPECT_EQ(load_string(mesh_model("part.obj"), options).nmesh, 1);
}

TEST(Restrict, ASpecKeepsToItWhenItIsCompiled) {
  const Folder folder;
  const std::string mesh = folder.write("part.obj", kMesh);
  Spec spec = read_mjcf_string(mesh_model(mesh));
  EXPECT_THROW(load_spec(spec), Error);
  spec = read_mjcf_string(mesh_model(mesh), only({folder / "."}));
  EXPECT_EQ(load_spec(spec).nmesh, 1);
}

}  // namespace
}  // namespace torsor
