// The contents of a binary model in order, shared by writer and reader.
//
//   magic (8 bytes), version (4), byte order mark (4), total length in bytes (8), fingerprint of the field lists (8),
//   sizes (4 each), opt, stat, vis, flags, axes, memory, signature, warnings, every array of the model as it is in
//   memory, checksum of all that (8).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "torsor/format/binary/checksum.hpp"
#include "torsor/model/model.hpp"

namespace torsor::binary {

// The high bit and the line ends reveal a file that was mangled as text.
inline constexpr std::string_view kMagic{"\x89TORSOR\n", 8};
inline constexpr uint32_t kVersion = 1;
inline constexpr uint32_t kByteOrder = 0x01020304;
inline constexpr size_t kHeaderBytes = 32;
inline constexpr size_t kChecksumBytes = 8;
// No valid model has larger sizes; products of a few of them still fit in 64 bits.
inline constexpr int kMaxSize = 1 << 28;

// Calls archive(x) for every setting of a model that is not an array. M is Model or const Model.
template <class Archive, class M>
void transfer_settings(Archive& archive, M& model) {
#define SCALAR(type, name, value, unit, meaning, ...) archive(model.opt.name);
#define VECTOR(name, length, unit, meaning, ...) \
  for (auto& number : model.opt.name) archive(number);
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR
  archive(model.stat.meaninertia);
  archive(model.stat.meanmass);
  archive(model.stat.meansize);
  archive(model.stat.extent);
  for (auto& number : model.stat.center) archive(number);
#define GROUP(group)
#define NUMBER(group, type, name, value) archive(model.vis.group.name);
#define COLOR(group, name, length, ...) \
  for (auto& number : model.vis.group.name) archive(number);
#define END_GROUP(group)
#include "torsor/model/fields/visual.inc"
#undef GROUP
#undef NUMBER
#undef COLOR
#undef END_GROUP
#define FLAG(name, meaning) archive(model.name);
#include "torsor/model/fields/flags.inc"
#undef FLAG
  for (auto& number : model.axes.world.of) archive(number);
  for (auto& number : model.axes.body.of) archive(number);
  archive(model.memory);
  archive(model.signature);
  archive(model.warnings);
}

// Differs between builds whose field lists differ: a file can only be read with the lists it was written with.
inline uint64_t fingerprint() {
  std::string text;
  const auto add = [&text](const char* name, size_t element_bytes) {
    text += name;
    text += ' ';
    text += std::to_string(element_bytes);
    text += '\n';
  };
  ModelView lists;
  lists.for_each_size([&](const char* name, int, const char*) { add(name, sizeof(int)); });
  lists.for_each_field([&](const FieldInfo& info, const auto& field) { add(info.name, sizeof(field.data()[0])); });
#define FLAG(name, meaning) add(#name, sizeof(bool));
#include "torsor/model/fields/flags.inc"
#undef FLAG
  add("axes.world[3]", sizeof(Axes::of[0]));
  add("axes.body[3]", sizeof(Axes::of[0]));
#define SCALAR(type, name, value, unit, meaning, ...) add("opt." #name, sizeof(type));
#define VECTOR(name, length, unit, meaning, ...) add("opt." #name "[" #length "]", sizeof(double));
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR
#define GROUP(group)
#define NUMBER(group, type, name, value) add("vis." #group "." #name, sizeof(type));
#define COLOR(group, name, length, ...) add("vis." #group "." #name "[" #length "]", sizeof(float));
#define END_GROUP(group)
#include "torsor/model/fields/visual.inc"
#undef GROUP
#undef NUMBER
#undef COLOR
#undef END_GROUP
  return checksum(text);
}

}  // namespace torsor::binary
