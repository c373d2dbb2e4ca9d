// Edits of single numbers in binary models, with a checksum that fits: what somebody who wants to deceive would write.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "torsor/format/binary/binary.hpp"
#include "torsor/format/binary/checksum.hpp"
#include "torsor/format/binary/layout.hpp"

namespace torsor::hostile {

// A number in the bytes of a model.
struct Place {
  std::string name;
  size_t offset;
  ElementType type;
  int length;  // of its array
};

struct Edit {
  size_t place;  // in the list of places
  double value;
};

// Where transfer_settings() has the settings that are numbers.
class SettingPlaces {
 public:
  SettingPlaces(std::vector<Place>& places, size_t offset) : places_(places), offset_(offset) {}

  template <class T>
  void operator()(const T&) {
    ElementType type = ElementType::kReal;
    if constexpr (std::is_same_v<T, int>) type = ElementType::kInt;
    if constexpr (std::is_same_v<T, float>) type = ElementType::kFloat;
    if constexpr (std::is_same_v<T, bool>) type = ElementType::kBool;
    if constexpr (std::is_same_v<T, int> || std::is_same_v<T, float> || std::is_same_v<T, bool> ||
                  std::is_same_v<T, double>)
      places_.push_back({"setting " + std::to_string(count_++), offset_, type, 1});
    offset_ += sizeof(T);
  }
  void operator()(const std::vector<Diagnostic>&) {}

 private:
  std::vector<Place>& places_;
  size_t offset_;
  int count_ = 0;
};

// Every number of a model: sizes, settings, then all arrays.
inline std::vector<Place> list_places(const Model& model, size_t file_size) {
  std::vector<Place> places;
  size_t offset = binary::kHeaderBytes, array_bytes = 0;
  model.for_each_size([&](const char* name, int, const char*) {
    places.push_back({name, offset, ElementType::kInt, 1});
    offset += sizeof(int);
  });
  SettingPlaces settings(places, offset);
  binary::transfer_settings(settings, model);
  model.for_each_field([&](const FieldInfo&, const auto& field) {
    array_bytes += static_cast<size_t>(field.size()) * sizeof(field.data()[0]);
  });
  offset = file_size - binary::kChecksumBytes - array_bytes;
  FieldSlot slots[kModelFieldCount];
  list_fields(const_cast<Model&>(model), slots);
  size_t slot = 0;
  model.for_each_field([&](const FieldInfo& info, const auto& field) {
    const ElementType type = slots[slot++].type;
    for (int i = 0; i < field.size(); ++i, offset += sizeof(field[i]))
      if (type != ElementType::kChar)
        places.push_back({info.name + ("[" + std::to_string(i) + "]"), offset, type, field.size()});
  });
  return places;
}

inline bool is_whole(ElementType type) {
  return type == ElementType::kInt || type == ElementType::kBool || type == ElementType::kByte;
}

// Extreme values for a number, some of them chosen at random.
template <class Random>
std::vector<double> extreme_values(const Place& place, Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto upto = [&random](int last) {
    return static_cast<double>(std::uniform_int_distribution<int>(0, last)(random));
  };
  switch (place.type) {
    case ElementType::kBool:
      return {0, 1, 2, 255};
    case ElementType::kByte:
      return {0, 1, 2, 3, 255};
    case ElementType::kInt:
      return {-1.,
              -2.,
              -2147483648.,
              2147483647.,
              static_cast<double>(place.length),
              place.length + 1.,
              0.,
              1.,
              2.,
              upto(7),
              upto(place.length),
              upto(64),
              upto(1 << 20)};
    default:
      return {std::nan(""), kInfinity, -kInfinity, 1e308, -1e308, 1e-308, 0, -1, 1e9};
  }
}

inline std::string edited(std::string bytes, const Place& place, double value) {
  const auto put = [&](auto number) { std::memcpy(bytes.data() + place.offset, &number, sizeof(number)); };
  switch (place.type) {
    case ElementType::kReal:
      put(value);
      break;
    case ElementType::kFloat:
      put(static_cast<float>(value));
      break;
    case ElementType::kInt:
      put(static_cast<int>(value));
      break;
    default:
      put(static_cast<unsigned char>(value));
  }
  const size_t end = bytes.size() - binary::kChecksumBytes;
  const uint64_t sum = checksum(std::string_view(bytes).substr(0, end));
  std::memcpy(bytes.data() + end, &sum, sizeof(sum));
  return bytes;
}

}  // namespace torsor::hostile
