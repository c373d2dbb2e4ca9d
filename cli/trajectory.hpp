// A trajectory as CSV: time, qpos and qvel, with names of joints in the header.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "torsor/model/data.hpp"

namespace torsor::cli {

// "time", "qpos.knee", "qpos.root.x", ... as many as a row has numbers.
std::vector<std::string> trajectory_columns(const Model& model);

// Numbers are written with enough digits to read them back exactly.
class Trajectory {
 public:
  // Writes the header. "-" is standard output. This and the other functions throw Error if the file cannot be written.
  Trajectory(const Model& model, const std::string& path);
  ~Trajectory();
  Trajectory(const Trajectory&) = delete;
  Trajectory& operator=(const Trajectory&) = delete;

  void write(const Data& data);
  void close();
  std::string describe() const;

 private:
  void put(const std::string& line);

  std::string path_;
  std::FILE* file_ = nullptr;
  size_t columns_ = 0;
  int64_t rows_ = 0;
};

}  // namespace torsor::cli
