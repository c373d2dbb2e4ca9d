// Readings of a log's columns, and how well poses and velocities agree under each.
#pragma once

#include <optional>
#include <vector>

#include "torsor/bridge/detect/fit.hpp"
#include "torsor/bridge/detect/samples.hpp"
#include "torsor/convention/terms.hpp"
#include "torsor/math/mat3.hpp"

namespace torsor::detection {

// One way to interpret the columns as rotation and angular velocity.
struct AngularReading {
  QuatOrder quat = QuatOrder::kWxyz;
  bool swapped = false;  // the twist's first three numbers are the angular ones
  Frame frame = Frame::kWorld;
  AngleUnit unit = AngleUnit::kRadian;

  bool operator==(const AngularReading&) const = default;
};

// One way to interpret the columns as linear velocity.
struct LinearReading {
  QuatOrder quat = QuatOrder::kWxyz;
  bool swapped = false;
  Frame frame = Frame::kWorld;
  Point point = Point::kOrigin;           // kCom: an offset is fitted
  std::optional<AngularReading> angular;  // needed by kWorldOrigin alone

  bool operator==(const LinearReading&) const = default;
};

// Rotates velocities to the axes of the pose first.
using Turn = Mat3<double>;

// Unknown: the lag of the velocities in seconds.
Fit fit_angular(const Samples& samples, const Windows& windows, const AngularReading& reading,
                const Turn& turn = Turn::identity());
// Unknowns: the lag, and for kCom the three numbers of the offset in the posed frame.
Fit fit_linear(const Samples& samples, const Windows& windows, const LinearReading& reading,
               const Turn& turn = Turn::identity());

// The constant rotation of the angular velocity with which a reading fits best; nothing if the best matrix is not a
// rotation.
std::optional<Turn> find_turn(const Samples& samples, const Windows& windows, const AngularReading& reading);

}  // namespace torsor::detection
