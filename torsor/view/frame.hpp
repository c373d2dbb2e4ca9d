// One moment of one or more worlds of a Model, as bytes for the page. web/src/frame.ts reads them.
//
// Little-endian, every part a multiple of 4 bytes:
//   float64 time, uint32 worlds, uint32 bits (1: with signals), then per world
//   float32[2] energy (potential, kinetic), uint32 contacts, uint32 solver iterations (the most of any island)
//   moving_bodies():      float32[3] p_WoBo_W, int16[4] R_WB as wxyz times 32767
//   tracking_cameras():   the same, of the camera
//   tracking_lights():    float32[3] position, float32[3] direction
//   spatial_tendons():    uint32 points, float32[3] each; a NaN point separates the branches of a pulley
//   trees:                int16 island of each, -1 for none, padded to 4 bytes
//   contacts:             float32[3] position, int16[3] normal times 32767, int16 1 if it makes rows,
//                         float32[3] force on the second geom, in W
//   signals, if asked for: float32 qpos, ctrl, sensordata
// A rotation is off by at most 5e-5 rad, which moves a point 10 m away from the body's origin by half a millimetre.
#pragma once

#include <string>
#include <vector>

#include "torsor/model/data.hpp"

namespace torsor::view {

class FrameWriter {
 public:
  explicit FrameWriter(const Model& model, bool with_signals = false);

  // Begins a frame; add() must follow once per world. The returned text stays valid until the next frame begins.
  void begin(double time, int worlds);
  // The results in `data` must belong to its state: those after forward(), not after step().
  void add(const Model& model, const Data& data);
  const std::string& bytes() const { return bytes_; }

 private:
  void put_tendons(const Model& model, const Data& data);
  void put_islands(const Model& model, const Data& data);
  void put_contacts(const Model& model, const Data& data);
  void put_signals(const Data& data);

  bool with_signals_;
  std::vector<int> bodies_, tendons_, cameras_, lights_;
  std::vector<short> islands_;  // of trees
  std::string bytes_;
};

}  // namespace torsor::view
