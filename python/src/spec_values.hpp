// Values of a Spec's fields as Python objects: numbers, text, NumPy arrays of their own, and NaN or None for a value
// that the author left open.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <nanobind/ndarray.h>

#include <fmt/format.h>

#include "text.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::python::spec {

namespace nb = nanobind;

template <class Number>
nb::object make_array(const Number* numbers, size_t count) {
  auto owned = std::make_unique<Number[]>(count);
  if (count > 0) std::memcpy(owned.get(), numbers, count * sizeof(Number));
  Number* memory = owned.release();
  const nb::capsule owner(memory, [](void* pointer) noexcept { delete[] static_cast<Number*>(pointer); });
  return nb::cast(nb::ndarray<nb::numpy, Number>(memory, {count}, owner));
}

template <class Number>
nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu> read_array(nb::handle value) {
  return nb::cast<nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(value);
}

template <class T>
struct Conversion;

template <class T>
nb::object to_python(const T& value) {
  return Conversion<T>::get(value);
}
template <class T>
void from_python(T& value, nb::handle object) {
  Conversion<T>::set(value, object);
}

template <class T>
requires std::is_arithmetic_v<T>
struct Conversion<T> {
  static std::string type() { return std::is_same_v<T, bool> ? "bool" : std::is_integral_v<T> ? "int" : "float"; }
  static nb::object get(T value) {
    if constexpr (std::is_floating_point_v<T>) return nb::float_(static_cast<double>(value));
    return nb::cast(value);
  }
  static void set(T& value, nb::handle object) {
    if constexpr (std::is_same_v<T, bool>) {
      value = PyObject_IsTrue(object.ptr()) == 1;
    } else if constexpr (std::is_integral_v<T>) {
      value = nb::cast<T>(nb::int_(nb::borrow(object)));
    } else {
      value = static_cast<T>(nb::cast<double>(object));
    }
  }
};

// Whether a number is a value of an enum: the library takes that for granted.
template <class T>
constexpr int kLastValue = -1;
template <>
inline constexpr int kLastValue<Tristate> = 2;
template <>
inline constexpr int kLastValue<JointType> = static_cast<int>(JointType::kHinge);
template <>
inline constexpr int kLastValue<GeomType> = static_cast<int>(GeomType::kSdf);
template <>
inline constexpr int kLastValue<MeshCollision> = static_cast<int>(MeshCollision::kTriangles);
template <>
inline constexpr int kLastValue<ScalingPolicy> = static_cast<int>(ScalingPolicy::kGeometry);
template <>
inline constexpr int kLastValue<MeshInertia> = static_cast<int>(MeshInertia::kShell);
template <>
inline constexpr int kLastValue<TrackingMode> = static_cast<int>(TrackingMode::kTargetBodyCom);
template <>
inline constexpr int kLastValue<EqualityType> = static_cast<int>(EqualityType::kTendon);
template <>
inline constexpr int kLastValue<ObjectType> = static_cast<int>(ObjectType::kKey);
template <>
inline constexpr int kLastValue<ActuatorGain> = static_cast<int>(ActuatorGain::kUser);
template <>
inline constexpr int kLastValue<ActuatorShortcut> = static_cast<int>(ActuatorShortcut::kDcMotor);
template <>
inline constexpr int kLastValue<ActuatorBias> = static_cast<int>(ActuatorBias::kUser);
template <>
inline constexpr int kLastValue<ActuatorDynamics> = static_cast<int>(ActuatorDynamics::kUser);
template <>
inline constexpr int kLastValue<SensorType> = static_cast<int>(SensorType::kUser);
template <>
inline constexpr int kLastValue<SensorData> = static_cast<int>(SensorData::kQuaternion);
template <>
inline constexpr int kLastValue<SensorStage> = static_cast<int>(SensorStage::kAcceleration);
template <>
inline constexpr int kLastValue<ContactReduce> = static_cast<int>(ContactReduce::kNetForce);
template <>
inline constexpr int kLastValue<WrapSpec::Kind> = static_cast<int>(WrapSpec::Kind::kPulley);

template <class T>
bool is_value(int number) {
  static_assert(kLastValue<T> > 0, "the last value of the enum is listed above");
  if (std::is_same_v<T, GeomType> && number == static_cast<int>(GeomType::kCone)) return true;
  if (std::is_same_v<T, SensorType> && number == 47) return false;  // a plugin, which the library does not have
  return number >= 0 && number <= kLastValue<T>;
}

template <class T>
requires std::is_enum_v<T>
struct Conversion<T> {
  static std::string type() { return std::is_same_v<T, Tristate> ? "tristate" : "enum"; }
  static nb::object get(T value) { return nb::int_(static_cast<int>(value)); }
  static void set(T& value, nb::handle object) {
    const int number = nb::cast<int>(nb::int_(nb::borrow(object)));
    if (!is_value<T>(number)) throw nb::value_error(fmt::format("there is no value {}", number).c_str());
    value = static_cast<T>(number);
  }
};

template <>
struct Conversion<std::string> {
  static std::string type() { return "str"; }
  static nb::object get(const std::string& value) { return to_str(value); }
  static void set(std::string& value, nb::handle object) { value = nb::cast<std::string>(object); }
};

template <class Number>
const char* number_name() {
  return std::is_same_v<Number, double> ? "float64" : std::is_same_v<Number, float> ? "float32" : "int32";
}

template <class Number, size_t N>
requires std::is_arithmetic_v<Number>
struct Conversion<std::array<Number, N>> {
  static std::string type() { return fmt::format("{}[{}]", number_name<Number>(), N); }
  static nb::object get(const std::array<Number, N>& value) { return make_array(value.data(), N); }
  static void set(std::array<Number, N>& value, nb::handle object) {
    const auto array = read_array<Number>(object);
    if (array.shape(0) != N) throw nb::value_error(fmt::format("expected {} numbers", N).c_str());
    std::copy_n(array.data(), N, value.begin());
  }
};

template <size_t N>
struct Conversion<std::array<std::string, N>> {
  static std::string type() { return fmt::format("str[{}]", N); }
  static nb::object get(const std::array<std::string, N>& value) {
    nb::list out;
    for (const std::string& each : value) out.append(to_str(each));
    return out;
  }
  static void set(std::array<std::string, N>& value, nb::handle object) {
    size_t index = 0;
    for (const nb::handle each : object) {
      if (index < N) value[index++] = nb::cast<std::string>(each);
    }
  }
};

template <class Number>
struct Conversion<std::vector<Number>> {
  static std::string type() { return fmt::format("{}[]", number_name<Number>()); }
  static nb::object get(const std::vector<Number>& value) { return make_array(value.data(), value.size()); }
  static void set(std::vector<Number>& value, nb::handle object) {
    const auto array = read_array<Number>(object);
    value.assign(array.data(), array.data() + array.shape(0));
  }
};

// NaN stands for a number that was left open.
template <>
struct Conversion<std::optional<double>> {
  static std::string type() { return "float"; }
  static nb::object get(const std::optional<double>& value) { return nb::float_(value.value_or(kUnset)); }
  static void set(std::optional<double>& value, nb::handle object) {
    const double number = nb::cast<double>(object);
    value = std::isnan(number) ? std::nullopt : std::optional<double>(number);
  }
};

template <size_t N>
struct Conversion<std::optional<std::array<double, N>>> {
  using Numbers = std::array<double, N>;
  static std::string type() { return Conversion<Numbers>::type(); }
  static nb::object get(const std::optional<Numbers>& value) {
    Numbers open;
    open.fill(kUnset);
    return Conversion<Numbers>::get(value.value_or(open));
  }
  static void set(std::optional<Numbers>& value, nb::handle object) {
    Numbers numbers{};
    Conversion<Numbers>::set(numbers, object);
    value = std::isnan(numbers[0]) ? std::nullopt : std::optional<Numbers>(numbers);
  }
};

template <>
struct Conversion<std::optional<std::vector<double>>> {
  static std::string type() { return "float64[] | None"; }
  static nb::object get(const std::optional<std::vector<double>>& value) {
    return value ? to_python(*value) : nb::object(nb::none());
  }
  static void set(std::optional<std::vector<double>>& value, nb::handle object) {
    if (object.is_none()) {
      value.reset();
    } else {
      from_python(value.emplace(), object);
    }
  }
};

template <>
struct Conversion<Location> {
  static std::string type() { return "location"; }
  static nb::object get(const Location& where) { return nb::make_tuple(to_str(where.file), where.line, where.column); }
  static void set(Location& where, nb::handle object) {
    where.file = nb::cast<std::string>(object[0]);
    where.line = nb::cast<int>(object[1]);
    where.column = nb::cast<int>(object[2]);
  }
};

// The way of writing that is in force, and its numbers.
template <>
struct Conversion<OrientationSpec> {
  static std::string type() { return "orientation"; }
  template <class Orientation, class F>
  static void visit(Orientation& value, F&& f) {
    switch (value.form) {
      case OrientationSpec::Form::kQuat:
        return f(value.quat);
      case OrientationSpec::Form::kAxisAngle:
        return f(value.axisangle);
      case OrientationSpec::Form::kXyAxes:
        return f(value.xyaxes);
      case OrientationSpec::Form::kZAxis:
        return f(value.zaxis);
      case OrientationSpec::Form::kEuler:
        return f(value.euler);
    }
    throw nb::value_error("unknown form of an orientation");
  }
  static nb::object get(const OrientationSpec& value) {
    nb::object out;
    visit(value, [&](const auto& numbers) { out = nb::make_tuple(static_cast<int>(value.form), to_python(numbers)); });
    return out;
  }
  static void set(OrientationSpec& value, nb::handle object) {
    value.form = static_cast<OrientationSpec::Form>(nb::cast<int>(object[0]));
    visit(value, [&](auto& numbers) { from_python(numbers, object[1]); });
  }
};

}  // namespace torsor::python::spec
