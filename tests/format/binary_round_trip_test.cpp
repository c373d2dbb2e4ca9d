// A model that goes through bytes or a file comes back the same.
#include <cstdio>
#include <filesystem>

#include <gtest/gtest.h>

#include "torsor/format/binary/binary.hpp"
#include "torsor/format/binary/layout.hpp"

#include "binary_support.hpp"

namespace torsor {
namespace {

using test::small_model;

TEST(Binary, AModelComesBackTheSame) {
  const Model model = small_model();
  const Model back = from_bytes(to_bytes(model));
  EXPECT_EQ(find_difference(model, back), "");
  EXPECT_EQ(back.memory, model.memory);
  EXPECT_EQ(back.signature, model.signature);
  EXPECT_EQ(back.stat.extent, 3.25);
  EXPECT_EQ(back.stat.center[2], 0.75);
  EXPECT_EQ(back.vis.global.fovy, 51);
  EXPECT_EQ(back.vis.rgba.fog[2], 0.125f);
}

TEST(Binary, NamesAndWarningsComeBack) {
  const Model back = from_bytes(to_bytes(small_model()));
  EXPECT_EQ(back.name(), "toy");
  EXPECT_EQ(back.find(ObjectType::kBody, "ball"), 2);
  EXPECT_EQ(back.find(ObjectType::kJoint, "swing"), 0);
  EXPECT_EQ(back.find(ObjectType::kBody, "swing"), -1);
  ASSERT_EQ(back.warnings.size(), 1u);
  EXPECT_EQ(to_string(back.warnings[0]), "toy.xml:3:7: warning: section left out (as asked)");
}

// Every setting and every number is changed in turn: bytes that stay equal would mean that it is not in the file.
TEST(Binary, EverySettingAndEveryArrayIsInTheBytes) {
  const std::string original = to_bytes(small_model());
  Model model = small_model();
  std::vector<const char*> lost;
  const auto expect_change = [&](const char* name, auto& value) {
    const auto before = value;
    value = static_cast<std::remove_reference_t<decltype(value)>>(value == 0 ? 1 : 0);
    if (to_bytes(model) == original) lost.push_back(name);
    value = before;
  };
#define SCALAR(type, name, value, unit, meaning, ...) expect_change(#name, model.opt.name);
#define VECTOR(name, length, unit, meaning, ...) \
  for (double& number : model.opt.name) expect_change(#name, number);
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR
  for (double* number : {&model.stat.meaninertia, &model.stat.meanmass, &model.stat.meansize, &model.stat.extent})
    expect_change("stat", *number);
  for (double& number : model.stat.center) expect_change("center", number);
#define GROUP(group)
#define NUMBER(group, type, name, value) expect_change(#name, model.vis.group.name);
#define COLOR(group, name, length, ...) \
  for (float& number : model.vis.group.name) expect_change(#name, number);
#define END_GROUP(group)
#include "torsor/model/fields/visual.inc"
#undef GROUP
#undef NUMBER
#undef COLOR
#undef END_GROUP
#define FLAG(name, meaning) expect_change(#name, model.name);
#include "torsor/model/fields/flags.inc"
#undef FLAG
  model.for_each_field([&](const FieldInfo& info, auto& field) {
    if (field.size() > 0) expect_change(info.name, field[field.size() - 1]);
  });
  EXPECT_TRUE(lost.empty()) << lost.size() << " values are not written, the first is " << lost.front();
}

TEST(Binary, EqualModelsGiveEqualBytes) {
  EXPECT_EQ(to_bytes(small_model()), to_bytes(small_model()));
  const std::string bytes = to_bytes(small_model());
  EXPECT_EQ(to_bytes(from_bytes(bytes)), bytes);
}

void leave_empty(Model& world) {
  for (const Field<int>& field :
       {world.body_mocapid, world.body_treeid, world.body_jntadr, world.body_dofadr, world.body_geomadr})
    field[0] = -1;
}

TEST(Binary, AModelWithoutArraysComesBack) {
  ModelSizes sizes;
  sizes.nbody = 1;
  Model world(sizes);
  leave_empty(world);
  EXPECT_THROW(from_bytes(to_bytes(world)), Error) << "a body's name must lie in the names";
  sizes.nnames = 1;
  world = Model(sizes);
  leave_empty(world);
  EXPECT_EQ(find_difference(from_bytes(to_bytes(world)), world), "");
}

TEST(Binary, AFileComesBackTheSame) {
  const std::string path = (std::filesystem::temp_directory_path() / "torsor_binary_test.torsor").string();
  save_binary(small_model(), path);
  EXPECT_EQ(find_difference(load_binary(path), small_model()), "");
  std::remove(path.c_str());
}

TEST(Binary, AFileThatCannotBeReadOrWrittenIsNamed) {
  const auto message_of = [](auto&& action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of([] { load_binary("/nonexistent/toy.torsor"); }),
            "/nonexistent/toy.torsor: error: cannot read the file: No such file or directory");
  EXPECT_EQ(message_of([] { save_binary(small_model(), "/nonexistent/toy.torsor"); }),
            "/nonexistent/toy.torsor: error: cannot write the file: No such file or directory");
  EXPECT_NE(message_of([] { load_binary("/"); }), "");
}

}  // namespace
}  // namespace torsor
