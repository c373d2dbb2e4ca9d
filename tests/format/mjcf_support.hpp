// Short ways of reading small models, and of asking what was wrong with them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "torsor/format/mjcf/mjcf.hpp"

namespace torsor {

inline Spec read_model(const std::string& inside, const std::vector<std::string>& ignore = {}) {
  return read_mjcf_string("<mujoco>" + inside + "</mujoco>", {ignore, nullptr});
}

inline Spec read_world(const std::string& inside) { return read_model("<worldbody>" + inside + "</worldbody>"); }

// The diagnostics of text that must not be readable.
inline std::vector<Diagnostic> errors_of(const std::string& text, const ReadOptions& options = {}) {
  try {
    read_mjcf_string(text, options);
  } catch (const Error& error) {
    return error.diagnostics();
  }
  ADD_FAILURE() << "was read without an error: " << text.substr(0, 500);
  return {{}};
}

inline std::vector<Diagnostic> errors_in_model(const std::string& inside) {
  return errors_of("<mujoco>" + inside + "</mujoco>");
}

// The first error of something inside the world, with its hint.
inline std::string error_in_world(const std::string& inside) {
  return to_string(errors_in_model("<worldbody>" + inside + "</worldbody>").at(0));
}

inline std::string error_in_model(const std::string& inside) { return to_string(errors_in_model(inside).at(0)); }

inline ReadOptions with_files(FileSystem files) { return {{}, std::make_shared<const FileSystem>(std::move(files))}; }

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

}  // namespace torsor
