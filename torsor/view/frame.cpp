// Writes the parts of a frame in the order of frame.hpp.
#include "torsor/view/frame.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/view/bytes.hpp"
#include "torsor/view/scene.hpp"

namespace torsor::view {
namespace {

constexpr std::uint32_t kWithSignals = 1;
constexpr int kPulley = -2;  // in wrap_obj

void put_pose(std::string& bytes, const double* p, const double* q) {
  put_floats(bytes, p, 3);
  for (int i = 0; i < 4; ++i) put_unit(bytes, q[i]);
}

void put_camera(std::string& bytes, const double* p, const double* R) {
  const Quat<double> q = from_mat(load9(R));
  const double numbers[4] = {q.w, q.x, q.y, q.z};
  put_pose(bytes, p, numbers);
}

int most_iterations(const Data& data) {
  const int islands = std::clamp(data.nisland, 0, ConstraintStage::kIslandsWithStatistics);
  return islands == 0 ? 0 : *std::max_element(data.solver_niter, data.solver_niter + islands);
}

}  // namespace

FrameWriter::FrameWriter(const Model& model, bool with_signals)
    : with_signals_(with_signals),
      bodies_(moving_bodies(model)),
      tendons_(spatial_tendons(model)),
      cameras_(tracking_cameras(model)),
      lights_(tracking_lights(model)),
      islands_(static_cast<size_t>(model.ntree)) {}

void FrameWriter::begin(double time, int worlds) {
  bytes_.clear();
  put(bytes_, time);
  put(bytes_, static_cast<std::uint32_t>(worlds));
  put(bytes_, with_signals_ ? kWithSignals : 0);
}

void FrameWriter::add(const Model& model, const Data& data) {
  put_floats(bytes_, data.energy, 2);
  put(bytes_, static_cast<std::uint32_t>(data.ncon));
  put(bytes_, static_cast<std::uint32_t>(most_iterations(data)));
  for (const int b : bodies_) put_pose(bytes_, data.xpos.row(b, 3), data.xquat.row(b, 4));
  for (const int c : cameras_) put_camera(bytes_, data.cam_xpos.row(c, 3), data.cam_xmat.row(c, 9));
  for (const int l : lights_) {
    put_floats(bytes_, data.light_xpos.row(l, 3), 3);
    put_floats(bytes_, data.light_xdir.row(l, 3), 3);
  }
  put_tendons(model, data);
  put_islands(model, data);
  put_contacts(model, data);
  if (with_signals_) put_signals(data);
}

void FrameWriter::put_tendons(const Model&, const Data& data) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr double kBreak[3] = {kNone, kNone, kNone};
  for (const int t : tendons_) {
    put(bytes_, static_cast<std::uint32_t>(data.ten_wrapnum[t]));
    for (int k = 0; k < data.ten_wrapnum[t]; ++k) {
      const int point = data.ten_wrapadr[t] + k;
      put_floats(bytes_, data.wrap_obj[point] == kPulley ? kBreak : data.wrap_xpos.row(point, 3), 3);
    }
  }
}

void FrameWriter::put_islands(const Model& model, const Data& data) {
  std::fill(islands_.begin(), islands_.end(), short{-1});
  for (int row = 0; row < data.nefc; ++row) {
    for (int k = 0; k < data.efc_J_rownnz[row]; ++k) {
      const int tree = model.dof_treeid[data.efc_J_colind[data.efc_J_rowadr[row] + k]];
      islands_[static_cast<size_t>(tree)] = static_cast<short>(data.efc_island[row]);
    }
  }
  for (const short island : islands_) put(bytes_, island);
  if (islands_.size() % 2 == 1) put(bytes_, short{-1});
}

void FrameWriter::put_contacts(const Model& model, const Data& data) {
  for (int c = 0; c < data.ncon; ++c) {
    const Contact& contact = data.contact[c];
    double force_C[6], force_W[3] = {0, 0, 0};
    contact_force(model, data, c, force_C);
    for (int i = 0; i < 3; ++i) {
      for (int axis = 0; axis < 3; ++axis) force_W[i] += contact.frame[3 * axis + i] * force_C[axis];
    }
    put_floats(bytes_, contact.pos, 3);
    for (int i = 0; i < 3; ++i) put_unit(bytes_, contact.frame[i]);
    put(bytes_, static_cast<std::int16_t>(contact.efc_address >= 0));
    put_floats(bytes_, force_W, 3);
  }
}

void FrameWriter::put_signals(const Data& data) {
  put_floats(bytes_, data.qpos.data(), data.qpos.size());
  put_floats(bytes_, data.ctrl.data(), data.ctrl.size());
  put_floats(bytes_, data.sensordata.data(), data.sensordata.size());
}

}  // namespace torsor::view
