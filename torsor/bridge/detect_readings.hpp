// Readings of a log's columns, and how well each explains the poses by the velocities.
#pragma once

#include <optional>
#include <vector>

#include "torsor/bridge/detect_fit.hpp"
#include "torsor/bridge/detect_samples.hpp"
#include "torsor/convention/terms.hpp"
#include "torsor/math/mat3.hpp"

namespace torsor::detection {

// How the columns may be read as a rotation and a spin.
struct AngularReading {
  QuatOrder quat = QuatOrder::kWxyz;
  bool swapped = false;  // the twist's first three numbers are the angular ones
  Frame frame = Frame::kWorld;
  AngleUnit unit = AngleUnit::kRadian;

  bool operator==(const AngularReading&) const = default;
};

// How they may be read as a linear velocity.
struct LinearReading {
  QuatOrder quat = QuatOrder::kWxyz;
  bool swapped = false;
  Frame frame = Frame::kWorld;
  Point point = Point::kOrigin;           // kCom: an offset is fitted
  std::optional<AngularReading> angular;  // needed by kWorldOrigin alone

  bool operator==(const LinearReading&) const = default;
};

// Turns velocities into the axes of the pose before all else.
using Turn = Mat3<double>;

// Unknown: the lag of the velocities in seconds.
Fit fit_angular(const Samples& samples, const Windows& windows, const AngularReading& reading,
                const Turn& turn = Turn::identity());
// Unknowns: the lag, and for kCom the three numbers of the offset in the posed frame.
Fit fit_linear(const Samples& samples, const Windows& windows, const LinearReading& reading,
               const Turn& turn = Turn::identity());

// The constant turn of the angular velocity under which a reading fits best, or nothing if that is no rotation.
std::optional<Turn> find_turn(const Samples& samples, const Windows& windows, const AngularReading& reading);

}  // namespace torsor::detection
