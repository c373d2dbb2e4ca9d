// Bytes of mesh files made in memory, for the tests of their readers.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "torsor/core/error.hpp"
#include "torsor/format/mesh/bytes.hpp"

namespace torsor {

// Builds a file from numbers and text.
class FileBytes {
 public:
  template <class T>
  FileBytes& number(T value) {
    return raw(&value, sizeof(value));
  }
  template <class T>
  FileBytes& numbers(const std::vector<T>& values) {
    return raw(values.data(), values.size() * sizeof(T));
  }
  FileBytes& text(const std::string& s) { return raw(s.data(), s.size()); }
  FileBytes& zeros(std::size_t count) {
    data_.resize(data_.size() + count);
    return *this;
  }
  FileBytes& cut(std::size_t size) {
    data_.resize(size);
    return *this;
  }
  std::vector<std::byte>& data() { return data_; }
  operator Bytes() const { return data_; }

 private:
  FileBytes& raw(const void* p, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(p);
    data_.insert(data_.end(), bytes, bytes + size);
    return *this;
  }

  std::vector<std::byte> data_;
};

// Runs f, which must throw an Error whose text has all the parts.
template <class F>
void expect_error(F f, std::initializer_list<std::string> parts) {
  try {
    f();
  } catch (const Error& error) {
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << "'" << part << "' not in: " << error.what();
    return;
  }
  ADD_FAILURE() << "no error was thrown, expected one with '" << *parts.begin() << "'";
}

}  // namespace torsor
