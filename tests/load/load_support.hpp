// Short ways of loading small models, and of asking what was wrong with them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "torsor/load/load.hpp"

namespace torsor {

// The errors of text that must not load, one per entry.
inline std::vector<std::string> errors_of(const std::string& text, const LoadOptions& options = {}) {
  try {
    load_string(text, options);
  } catch (const Error& error) {
    std::vector<std::string> errors;
    for (const Diagnostic& d : error.diagnostics()) errors.push_back(to_string(d));
    return errors;
  }
  ADD_FAILURE() << "was loaded without an error: " << text.substr(0, 500);
  return {};
}

inline std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return all;
}

// The errors are these and no others, each known by a part of it.
inline void expect_errors(const std::string& text, const std::vector<std::string>& parts,
                          const LoadOptions& options = {}) {
  const std::vector<std::string> errors = errors_of(text, options);
  EXPECT_EQ(errors.size(), parts.size()) << joined(errors);
  for (const std::string& part : parts)
    EXPECT_NE(joined(errors).find(part), std::string::npos) << part << "\nnot in\n" << joined(errors);
}

// A folder of its own for one test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "torsor-test-XXXXXX").string();
    path_ = std::filesystem::canonical(mkdtemp(pattern.data()));
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace torsor
