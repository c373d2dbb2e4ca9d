// A file cannot make sizes wrap around, nor take more memory than it may.
#include <sys/stat.h>

#include "tests/load/load_support.hpp"

namespace torsor {
namespace {

std::string model(const std::string& inside) { return "<mujoco>" + inside + "</mujoco>"; }
std::string world(const std::string& inside) { return model("<worldbody>" + inside + "</worldbody>"); }

const std::string kArm = "<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>";

void expect_error(const std::string& text, const std::string& part, const LoadOptions& options = {}) {
  const std::string errors = joined(errors_of(text, options));
  EXPECT_NE(errors.find(part), std::string::npos) << "no '" << part << "' in: " << errors;
}

TEST(Limits, HistoriesOfControlsCannotWrapAround) {
  for (const char* samples : {"2147483647", "2147483646", "1073741823", "200000000"})
    expect_error(model(kArm + "<actuator><motor name='m' joint='j' nsample='" + samples + "' delay='.01'/></actuator>"),
                 "actuator 'm': has a history of");
  expect_error(model(kArm + "<actuator><motor joint='j' nsample='2147483630' delay='.01'/>"
                            "<motor joint='j' nsample='1000' delay='.01'/></actuator>"),
               "history");
}

TEST(Limits, HistoriesAndReadingsOfSensorsCannotWrapAround) {
  expect_error(model(kArm + "<sensor><jointpos joint='j' nsample='2147483647'/></sensor>"), "history");
  expect_error(model(kArm + "<sensor><user dim='2147483647'/></sensor>"), "limit");
  expect_error(model("<worldbody><camera name='c' resolution='2147483647 2147483647'/></worldbody>"
                     "<sensor><rangefinder camera='c' data='dist dir origin point normal depth'/></sensor>"),
               "has readings of");
  expect_error(
      model(kArm + "<sensor><contact num='2147483647' data='found force torque dist pos normal tangent'/></sensor>"),
      "limit");
}

TEST(Limits, EverySizeOfAFileHasOne) {
  for (const char* size : {"nkey", "nuserdata", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam",
                           "nuser_tendon", "nuser_actuator", "nuser_sensor"})
    expect_error(model("<size " + std::string(size) + "='2147483647'/>"), size);
  expect_error(model("<asset><hfield name='h' nrow='65536' ncol='65536' size='1 1 1 1'/></asset>"), "at most");
  expect_error(model("<asset><hfield name='h' nrow='2147483647' ncol='2147483647' size='1 1 1 1'/></asset>"),
               "at most");
  expect_error(
      model("<asset><texture name='t' type='2d' builtin='flat' width='2147483647' height='2147483647'/></asset>"),
      "too large");
  expect_error(model(kArm + "<actuator><general joint='j' dyntype='user' actdim='2147483647'/></actuator>"), "actdim");
  expect_error(model("<custom><numeric name='n' size='2147483647' data='1'/></custom>"), "numeric");
}

TEST(Limits, NestedReplicatesMultiply) {
  std::string inside = "<geom size='.1'/>";
  for (int level = 0; level < 2; ++level) inside = "<replicate count='10000'>" + inside + "</replicate>";
  expect_error(world(inside), "<replicate> makes the model too large");
  for (int level = 0; level < 30; ++level) inside = "<replicate count='1000000'>" + inside + "</replicate>";
  expect_error(world(inside), "<replicate> makes the model too large");
}

TEST(Limits, CopiesOfWhatRefersToAReplicateCount) {
  std::string motors;
  for (int i = 0; i < 1000; ++i) motors += "<motor joint='j'/>";
  expect_error(model("<worldbody><replicate count='100000'><body><joint name='j'/><geom size='.1'/></body></replicate>"
                     "</worldbody><actuator>" +
                     motors + "</actuator>"),
               "<replicate> makes the model too large");
}

// Replicates do not copy keyframes, but each has the numbers of all copies.
TEST(Limits, KeyframesOfReplicatesCount) {
  const auto with_keys = [](int copies, int keys) {
    std::string list;
    for (int i = 0; i < keys; ++i) list += "<key qpos='0 0 0 1 0 0 0'/>";
    return model("<worldbody><replicate count='" + std::to_string(copies) +
                 "'><body><freejoint/><geom size='.1'/></body></replicate></worldbody><keyframe>" + list +
                 "</keyframe>");
  };
  EXPECT_EQ(load_string(with_keys(100, 2)).nkey, 2);
  expect_error(with_keys(10000, 30000), "too large");
}

TEST(Limits, CablesHaveOne) {
  const auto cable = [](const std::string& count) {
    return world("<body><composite type='cable' prefix='p' count='" + count +
                 " 1 1' curve='s' size='1'><geom type='capsule' size='.01'/></composite></body>");
  };
  expect_error(cable("2147483647"), "count");
  expect_error(cable("1000000"), "too large", [] {
    LoadOptions options;
    options.memory_limit = 1 << 30;
    return options;
  }());
}

// Each attachment of a model to itself doubles it.
TEST(Limits, AttachmentsCount) {
  std::string text = "<body name='b0'><geom size='.1'/></body>";
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "<body name='b" + next + "'><attach body='b" + n + "' prefix='x" + n + "'/><attach body='b" + n +
            "' prefix='y" + n + "'/></body>";
  }
  LoadOptions options;
  options.memory_limit = 64 << 20;
  expect_error(world(text), "<attach> makes the model too large", options);
  FileSystem files;
  for (int i = 0; i < 40; ++i)
    files["m" + std::to_string(i) + ".xml"] = "<mujoco model='m" + std::to_string(i) +
                                              "'><asset><model name='n' file='m" + std::to_string(i + 1) +
                                              ".xml'/></asset><worldbody><attach model='n' body='world' "
                                              "prefix='a'/><attach model='n' body='world' prefix='b'/>"
                                              "</worldbody></mujoco>";
  files["m40.xml"] = world("<geom size='1'/>");
  options.files = std::make_shared<const FileSystem>(std::move(files));
  expect_error(model("<asset><model name='n' file='m0.xml'/></asset>"), "too large", options);
}

TEST(Limits, TheOneOnMemoryCanBeMoved) {
  const std::string text = world("<replicate count='1000'><geom size='.1'/></replicate>");
  LoadOptions options;
  options.memory_limit = 1 << 20;
  expect_error(text, "limit is 0.000977 GiB", options);
  options.memory_limit = 1 << 30;
  EXPECT_EQ(load_string(text, options).ngeom, 1000);
}

TEST(Limits, TheArraysOfModelAndDataCountTogether) {
  LoadOptions options;
  options.memory_limit = 1 << 20;
  expect_error(model("<size nuserdata='1000000'/>"), "its arrays would take", options);
}

TEST(Limits, GridsAndMeshesCountBeforeTheyAreMade) {
  std::string grids, meshes;
  for (int i = 0; i < 200; ++i) {
    grids += "<hfield name='h" + std::to_string(i) + "' nrow='8192' ncol='8192' size='1 1 1 1'/>";
    meshes += "<mesh name='m" + std::to_string(i) + "' builtin='plate' params='300 300'/>";
  }
  LoadOptions options;
  options.memory_limit = 300 << 20;
  expect_error(model("<asset>" + grids + "</asset>"), "height fields", options);
  options.memory_limit = 50 << 20;
  expect_error(model("<asset>" + meshes + "</asset>"), "meshes of the model need more memory", options);
}

TEST(Limits, DeepNestingIsAnErrorAndNotACrash) {
  std::string open, close;
  for (int i = 0; i < 2'000'000; ++i) open += "<body>", close += "</body>";
  expect_error(world(open + close), "nested deeper");
}

TEST(Limits, ModelsInsideModelsHaveOne) {
  FileSystem files;
  for (int i = 0; i < 10'000; ++i)
    files["m" + std::to_string(i) + ".xml"] =
        "<mujoco><asset><model name='n' file='m" + std::to_string(i + 1) + ".xml'/></asset></mujoco>";
  LoadOptions options;
  options.files = std::make_shared<const FileSystem>(std::move(files));
  expect_error(model("<asset><model name='n' file='m0.xml'/></asset>"), "nested deeper", options);
}

TEST(Limits, TheMeasurementOfLengthsComesToAnEnd) {
  for (const char* settings : {"timestep='0'", "timestep='-1'", "timestep='1e-300'", "inttotal='1e300'"})
    expect_error(model("<compiler><lengthrange " + std::string(settings) + "/></compiler>" + kArm +
                       "<actuator><muscle joint='j'/></actuator>"),
                 "lengthrange");
}

// A file without an end, and one that nobody writes to.
TEST(Limits, OnlyRegularFilesAreRead) {
  const Folder folder;
  ASSERT_EQ(mkfifo((folder / "pipe.xml").c_str(), 0600), 0);
  EXPECT_THROW(load(folder / "pipe.xml"), Error);
  EXPECT_THROW(load("/dev/zero"), Error);
  LoadOptions options;
  options.restrict = std::vector<std::string>{"/"};
  for (const std::string& file : {std::string("/dev/zero"), folder / "pipe.xml"}) {
    expect_error(model("<include file='" + file + "'/>"), "is not a regular file", options);
    expect_error(model("<asset><mesh name='m' file='" + file + "' content_type='model/obj'/></asset>"),
                 "is not a regular file", options);
  }
}

TEST(Limits, AFileHasOne) {
  const Folder folder;
  const std::string path = folder.write("model.xml", model("<!-- " + std::string(4096, 'x') + " -->"));
  LoadOptions options;
  options.memory_limit = 1024;
  try {
    load(path, options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("more than the limit"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace torsor
