// Reads scenes and frames as the page does, independently of the code that writes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "torsor/view/scene.hpp"

namespace torsor::view {

struct ReadScene {
  nlohmann::json json;
  std::string data;

  explicit ReadScene(const std::string& blob) {
    std::uint32_t length = 0;
    std::memcpy(&length, blob.data(), 4);
    json = nlohmann::json::parse(blob.substr(4, length));
    data = blob.substr(4 + length);
  }
  template <class T>
  std::vector<T> numbers(const nlohmann::json& place) const {
    std::vector<T> values(place.at("count").get<size_t>());
    std::memcpy(values.data(), data.data() + place.at("at").get<size_t>(), values.size() * sizeof(T));
    return values;
  }
};

class ByteReader {
 public:
  explicit ByteReader(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value;
    EXPECT_LE(at_ + sizeof(T), bytes_.size());
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  bool is_at_end() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

}  // namespace torsor::view
