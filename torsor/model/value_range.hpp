// Which values the whole numbers of a model may have: the rules that the field lists give to every integer array.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

#include "torsor/model/types.hpp"

namespace torsor {

// Values from first to last, or those among 0 to 63 whose bits are set. An array of addresses starts runs: element i is
// followed by counts[i] elements that must lie below `last`; the address of an empty run may be -1.
struct ValueRange {
  int64_t first = std::numeric_limits<int>::min(), last = std::numeric_limits<int>::max();
  uint64_t bits = 0;
  const int* counts = nullptr;

  constexpr bool allows_all() const {
    return bits == 0 && first == std::numeric_limits<int>::min() && last == std::numeric_limits<int>::max();
  }
  constexpr bool allows(int64_t value) const {
    if (bits != 0) return value >= 0 && value < 64 && ((bits >> value) & 1) != 0;
    return value >= first && value <= last;
  }
};

// The words of the field lists.
namespace rule {

constexpr ValueRange Any{};
constexpr ValueRange Flag{0, 1, 0, nullptr};
constexpr ValueRange Between(int64_t first, int64_t last) { return {first, last, 0, nullptr}; }
constexpr ValueRange AtLeast(int64_t first) { return {first, std::numeric_limits<int>::max(), 0, nullptr}; }
constexpr ValueRange Index(int64_t count) { return {0, count - 1, 0, nullptr}; }
constexpr ValueRange IndexOrNone(int64_t count) { return {-1, count - 1, 0, nullptr}; }
constexpr ValueRange Count(int64_t most) { return {0, most, 0, nullptr}; }
template <class Counts>
constexpr ValueRange Run(const Counts& counts, int64_t end) {
  return {-1, end, 0, counts.data()};
}
template <class... Values>
constexpr ValueRange OneOf(Values... values) {
  return {0, 63, ((uint64_t{1} << static_cast<int>(values)) | ...), nullptr};
}

// Enumerators that a model may hold; types.hpp says what they mean.
template <class E>
constexpr uint64_t kEnumerators = 0;
template <class E>
constexpr uint64_t up_to(E last) {
  return (uint64_t{2} << static_cast<int>(last)) - 1;
}
template <>
inline constexpr uint64_t kEnumerators<JointType> = up_to(JointType::kHinge);
template <>
inline constexpr uint64_t kEnumerators<GeomType> = up_to(GeomType::kMesh) | (uint64_t{1} << int(GeomType::kCone));
template <>
inline constexpr uint64_t kEnumerators<MeshCollision> = up_to(MeshCollision::kTriangles);
template <>
inline constexpr uint64_t kEnumerators<TrackingMode> = up_to(TrackingMode::kTargetBodyCom);
template <>
inline constexpr uint64_t kEnumerators<Integrator> = up_to(Integrator::kDiscrete);
template <>
inline constexpr uint64_t kEnumerators<Transmission> = up_to(Transmission::kSo3);
template <>
inline constexpr uint64_t kEnumerators<ActuatorDynamics> = up_to(ActuatorDynamics::kUser);
template <>
inline constexpr uint64_t kEnumerators<ActuatorGain> = up_to(ActuatorGain::kUser);
template <>
inline constexpr uint64_t kEnumerators<ActuatorBias> = up_to(ActuatorBias::kUser);
template <>
inline constexpr uint64_t kEnumerators<SameFrame> = up_to(SameFrame::kInertiaRotation);
template <>
inline constexpr uint64_t kEnumerators<ObjectType> = up_to(ObjectType::kKey) & ~(uint64_t{1} << 9 | uint64_t{1} << 11);
template <>
inline constexpr uint64_t kEnumerators<TendonType> = up_to(TendonType::kSpatial);
template <>
inline constexpr uint64_t kEnumerators<WrapType> = up_to(WrapType::kCylinder) & ~uint64_t{1};
template <>
inline constexpr uint64_t kEnumerators<SensorType> = up_to(SensorType::kTactile) |
                                                     (uint64_t{1} << int(SensorType::kUser));
template <>
inline constexpr uint64_t kEnumerators<SensorData> = up_to(SensorData::kQuaternion);
template <>
inline constexpr uint64_t kEnumerators<SensorStage> = up_to(SensorStage::kAcceleration);
template <>
inline constexpr uint64_t kEnumerators<RowType> = up_to(RowType::kTendonDamper);
template <>
inline constexpr uint64_t kEnumerators<ConeType> = up_to(ConeType::kElliptic);
template <>
inline constexpr uint64_t kEnumerators<SolverType> = up_to(SolverType::kSap);
template <>
inline constexpr uint64_t kEnumerators<FrictionMix> = up_to(FrictionMix::kHarmonic);
template <>
inline constexpr uint64_t kEnumerators<EqualityType> = up_to(EqualityType::kTendon);

template <class E>
constexpr ValueRange Enum() {
  constexpr uint64_t bits = kEnumerators<E>;
  static_assert(bits != 0, "list the enumerators of this type above");
  if ((bits & (bits + 1)) == 0) return {0, std::popcount(bits) - 1, 0, nullptr};  // all from 0 on
  return {0, 63, bits, nullptr};
}

}  // namespace rule

// A rule of the lists in words: "Index(nbody)" is "0 to nbody - 1".
std::string describe_rule(std::string_view rule);

}  // namespace torsor
