// Worlds of a batch and the same worlds one by one, and how far they are apart.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/property.hpp"
#include "torsor/batch/batch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {

constexpr int kUnevenWorlds = 11;  // never a whole number of packs

inline std::vector<std::string> feature_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(TORSOR_SOURCE_DIR "/models/features"))
    if (entry.path().extension() == ".xml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  EXPECT_GT(files.size(), 100u) << "no models, nothing tested";
  return files;
}

// A different state for every world, off the reference pose.
inline void stir(const Model& model, Data& data, Random& random) {
  std::vector<double> displacement(static_cast<size_t>(model.nv));
  for (double& x : displacement) x = random.uniform(-0.5, 0.5);
  integrate_pos(model, data.qpos.data(), displacement.data(), 1);
  for (double& v : data.qvel) v = random.uniform(-1, 1);
  for (double& f : data.qfrc_applied) f = random.uniform(-1, 1);
  for (double& u : data.ctrl) u = random.uniform(-1, 1);
  for (double& a : data.act) a = random.uniform(0, 1);
  for (int i = 6; i < data.xfrc_applied.size(); ++i) data.xfrc_applied[i] = random.uniform(-1, 1);
}

inline std::vector<double> gather(std::vector<Data>& worlds, const std::string& field) {
  std::vector<double> values;
  for (Data& world : worlds)
    world.for_each_field([&](const FieldInfo& info, Field<double>& from) {
      if (field == info.name) values.insert(values.end(), from.begin(), from.end());
    });
  return values;
}

// Stirs the worlds of a batch, and returns the same worlds one by one.
inline std::vector<Data> make_worlds(const Model& model, Batch& batch) {
  std::vector<Data> worlds(kUnevenWorlds, Data(model));
  Random random(7);
  for (Data& world : worlds) stir(model, world, random);
  for (const char* field : {"qpos", "qvel", "qfrc_applied", "xfrc_applied", "ctrl", "act"})
    batch.set(field, gather(worlds, field).data());
  std::vector<double> time;
  for (Data& world : worlds) time.push_back(world.time = 0.5 * static_cast<double>(time.size()));
  batch.set("time", time.data());
  return worlds;
}

// The largest difference, relative to the largest value of the field over all worlds. NaN where one is a number and
// the other is not.
inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, scale = 1e-6;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) != std::isnan(b[i])) return std::nan("");
    if (std::isnan(a[i])) continue;
    scale = std::max(scale, std::fabs(b[i]));
    worst = std::max(worst, std::fabs(a[i] - b[i]));
  }
  return worst / scale;
}

// Whether one world has computed a field: what no sensor asks for is NaN in development builds.
inline bool is_computed(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return !std::isnan(x); });
}

inline std::vector<double> get(const Batch& batch, const std::string& field) {
  std::vector<double> values(static_cast<size_t>(batch.nworld() * batch.field_size(field)));
  batch.get(field, values.data());
  return values;
}

}  // namespace torsor
