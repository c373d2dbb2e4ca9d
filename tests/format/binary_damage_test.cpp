// Whatever happens to the bytes of a model, reading them is a clear error, never a crash.
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "torsor/format/binary/binary.hpp"
#include "torsor/format/binary/checksum.hpp"
#include "torsor/format/binary/layout.hpp"
#include "torsor/model/check/checker.hpp"

#include "binary_support.hpp"

namespace torsor {
namespace {

using test::small_model;

// What reading the bytes says, "" when it succeeds.
std::string complaint(const std::string& bytes) {
  try {
    from_bytes(bytes, "toy.torsor");
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().at(0).where.file, "toy.torsor");
    return error.what();
  }
  return "";
}

// The same bytes with a checksum that fits them: what a deceiver would write.
std::string sealed(std::string bytes) {
  const size_t end = bytes.size() - binary::kChecksumBytes;
  const uint64_t sum = checksum(std::string_view(bytes).substr(0, end));
  std::memcpy(bytes.data() + end, &sum, sizeof(sum));
  return bytes;
}

template <class T>
std::string with(std::string bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
  return bytes;
}

TEST(BinaryDamage, EveryTruncationIsAnError) {
  const std::string bytes = to_bytes(small_model());
  for (size_t length = 0; length < bytes.size(); ++length)
    ASSERT_NE(complaint(bytes.substr(0, length)), "") << "of " << bytes.size() << " bytes only " << length;
  EXPECT_EQ(complaint(bytes.substr(0, 200)),
            "toy.torsor: error: truncated: 200 of " + std::to_string(bytes.size()) + " bytes");
  EXPECT_EQ(complaint(bytes.substr(0, 10)), "toy.torsor: error: truncated: 10 bytes, less than a header");
}

TEST(BinaryDamage, EveryFlippedBitIsAnError) {
  std::string bytes = to_bytes(small_model());
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      ASSERT_NE(complaint(bytes), "") << "byte " << i << " bit " << bit;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
    }
  }
  EXPECT_EQ(complaint(with(bytes, bytes.size() / 2, '\x55')),
            "toy.torsor: error: corrupted: its checksum does not match its contents");
}

TEST(BinaryDamage, BytesAfterTheEndAreAnError) {
  EXPECT_EQ(complaint(to_bytes(small_model()) + "xy"), "toy.torsor: error: corrupted: 2 bytes after its end");
}

TEST(BinaryDamage, AForeignFileIsCalledForeign) {
  EXPECT_EQ(complaint("\x7F"
                      "ELF and so on"),
            "toy.torsor: error: not a binary model of Torsor");
  EXPECT_EQ(complaint(""), "toy.torsor: error: not a binary model of Torsor");
  EXPECT_EQ(complaint("\n  <mujoco/>"),
            "toy.torsor: error: not a binary model of Torsor (it looks like XML: load it as a model file)");
}

TEST(BinaryDamage, AnotherVersionAnotherByteOrderAndOtherFieldsAreNamed) {
  const std::string bytes = to_bytes(small_model());
  EXPECT_EQ(complaint(sealed(with(bytes, 8, uint32_t{7}))),
            "toy.torsor: error: has format version 7, this program reads version 1 (compile the model file again)");
  EXPECT_EQ(complaint(sealed(with(bytes, 12, uint32_t{0x04030201}))),
            "toy.torsor: error: written on a machine with another byte order");
  EXPECT_EQ(complaint(sealed(with(bytes, 24, uint64_t{1}))),
            "toy.torsor: error: written by a version of Torsor whose models have other fields (compile the model file "
            "again)");
}

TEST(BinaryDamage, SizesThatLieAreErrorsBeforeAnyAllocation) {
  const std::string bytes = to_bytes(small_model());
  size_t offset = binary::kHeaderBytes;
  small_model().for_each_size([&](const char* name, int size, const char*) {
    for (const int lie : {-2, size + 1, 1 << 28, (1 << 28) + 1, 0x7FFFFFFF}) {
      // sizes without an array of their own may grow: nothing is allocated for them here
      const bool free = size == 0 || size == -1;
      const std::string text = complaint(sealed(with(bytes, offset, lie)));
      if (!free || lie < -1 || lie > 1 << 28) {
        EXPECT_NE(text, "") << name << " = " << lie;
      }
    }
    offset += sizeof(int);
  });
}

// With the checksum made to fit, random damage either leaves a model whose structure is sound or is refused.
TEST(BinaryDamage, ADeceiverGetsAnErrorOrASoundStructure) {
  const std::string bytes = to_bytes(small_model());
  std::mt19937 random(20260115);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = bytes;
    const size_t at = std::uniform_int_distribution<size_t>(binary::kHeaderBytes, bytes.size() - 9)(random);
    damaged[at] = static_cast<char>(random());
    refused += complaint(sealed(damaged)).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 1000);
}

TEST(BinaryDamage, EveryIndexOutOfRangeIsNamed) {
  const auto complaint_about = [](auto&& change) {
    Model model = small_model();
    change(model);
    return complaint(to_bytes(model));
  };
  EXPECT_EQ(complaint_about([](Model&) {}), "");
  EXPECT_EQ(
      complaint_about([](Model& m) { m.body_parentid[2] = 2; }),
      "toy.torsor: error: corrupted: body_parentid[2] does not fit the rest of the model: bodies are numbered depth "
      "first");
  EXPECT_EQ(complaint_about([](Model& m) { m.geom_condim[1] = 100; }),
            "toy.torsor: error: corrupted: geom_condim[1] is 100; allowed: 1, 3, 4 or 6");
  EXPECT_EQ(complaint_about([](Model& m) { m.opt.solver = -1; }),
            "toy.torsor: error: corrupted: opt.solver is -1; allowed: SolverType");
}

// Writes a number that no rule allows into an array, and says whether reading the model names it.
bool is_named(const Model& model, const char* name, void* values, int index, size_t width) {
  const int wrong = -3;
  if (width == sizeof(wrong))
    std::memcpy(static_cast<int*>(values) + index, &wrong, width);
  else
    std::memset(static_cast<char*>(values) + index, 0xff, 1);
  const std::string text = complaint(to_bytes(model));
  EXPECT_NE(text.find(name + ("[" + std::to_string(index) + "] is")), text.npos) << name << ": " << text;
  return true;
}

// Every array of whole numbers whose rule does not allow all: a number that the rule does not allow is named.
TEST(BinaryDamage, EveryRuleOfTheFieldListsIsApplied) {
  int count = 0;
#define FIELD(type, name, rows, columns, access, unit, meaning, ...)                                                  \
  if (Model model = small_model(); checks::is_whole<type> && #__VA_ARGS__ != std::string_view("Any")) {               \
    count += model.name.size() > 0 && is_named(model, #name, model.name.data(), model.name.size() - 1, sizeof(type)); \
  }
  using Real = double;
#include "torsor/model/fields/model.inc"
#undef FIELD
  EXPECT_GT(count, 100);
}

// Walks over the triangles of a mesh must end, and stay within the model.
TEST(BinaryDamage, TreesOfTrianglesThatCannotBeAreNamed) {
  const auto expect_complaint = [](const std::string& field, auto&& change) {
    Model model = small_model();
    change(model);
    EXPECT_NE(complaint(to_bytes(model)).find(field + "["), std::string::npos) << field;
  };
  expect_complaint("mesh_tri", [](Model& m) { m.mesh_tri[2] = 3; });
  expect_complaint("mesh_trineighbor", [](Model& m) { m.mesh_trineighbor[0] = 1; });
  expect_complaint("mesh_treelink", [](Model& m) { m.mesh_treelink[0] = 1; });
  expect_complaint("mesh_treelink", [](Model& m) { m.mesh_treelink[1] = 0; });  // a node without children
  expect_complaint("mesh_treelink", [](Model& m) { m.mesh_treelink[1] = 2; });
  expect_complaint("mesh_treenum", [](Model& m) { m.mesh_treenum[0] = 0; });
  expect_complaint("geom_meshcollision", [](Model& m) { m.geom_meshcollision[0] = 2; });
}

TEST(BinaryDamage, ContactsAndEqualitiesThatCannotBeAreNamed) {
  const auto expect_complaint = [](const std::string& field, auto&& change) {
    Model model = small_model();
    change(model);
    EXPECT_NE(complaint(to_bytes(model)).find(field + "["), std::string::npos) << field;
  };
  expect_complaint("pair_geom1", [](Model& m) { m.pair_geom1[0] = 2; });
  expect_complaint("pair_dim", [](Model& m) { m.pair_dim[0] = 2; });
  expect_complaint("pair_signature", [](Model& m) { m.pair_signature[0] = 65536; });
  expect_complaint("pair_signature", [](Model& m) { std::swap(m.pair_geom1[0], m.pair_geom2[0]); });
  expect_complaint("exclude_signature", [](Model& m) { m.exclude_signature[0] = 4; });
  expect_complaint("exclude_signature", [](Model& m) { m.exclude_signature[0] = 2 * 65536 + 1; });
  expect_complaint("eq_type", [](Model& m) { m.eq_type[0] = 4; });
  expect_complaint("eq_objtype", [](Model& m) { m.eq_objtype[0] = static_cast<int>(ObjectType::kGeom); });
  expect_complaint("eq_obj1id", [](Model& m) { m.eq_obj1id[1] = 1; });  // a free joint
  expect_complaint("eq_obj2id", [](Model& m) { m.eq_obj2id[0] = -1; });
  expect_complaint("mesh_hullvert", [](Model& m) { m.mesh_hullvert[1] = 3; });
  expect_complaint("mesh_hulledge", [](Model& m) { m.mesh_hulledge[0] = 2; });
  expect_complaint("mesh_hulledgeface", [](Model& m) { m.mesh_hulledgeface[1] = 1; });
  expect_complaint("mesh_hullface", [](Model& m) { m.mesh_hullface[2] = -1; });
  expect_complaint("mesh_hullextrema", [](Model& m) { m.mesh_hullextrema[5] = 2; });
}

}  // namespace
}  // namespace torsor
