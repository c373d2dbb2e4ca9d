// <actuator> and its shortcuts: one table of attributes per kind, and how each kind interprets them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "torsor/format/mjcf/attribute.hpp"

namespace torsor::mjcf {

// Attributes of shortcuts only; each kind converts them to the values of a general actuator.
struct ShortcutSpec {
  std::optional<double> kp, kv, dampratio, ki, imax, slewmax;
  std::optional<double> timeconst, area, diameter, gain;
  std::optional<Number3> bias;
  std::optional<Number2> timeconsts, range;
  std::optional<double> tausmooth, force, scale, lmin, lmax, vmax, fpmax, fvmax;
  std::optional<double> resistance;
  std::optional<Number2> motorconst, inductance;
  std::optional<Number3> nominal, saturation, cogging;
  std::optional<Number5> lugre;
  std::optional<Number6> controller, thermal;
};

// A row of a shortcut, which is never written: files are written with general actuators.
template <auto Member, int Flags = kExact>
constexpr Access<ShortcutSpec> shortcut{into<Member, Flags>.template read<ShortcutSpec>, never_written<ShortcutSpec>};

struct ActuatorReading : ActuatorSpec, ShortcutSpec {};

struct ActuatorKind {
  std::string_view name;
  ActuatorShortcut shortcut;
  ActuatorGain gain;  // that a shortcut has
  void (*apply)(ActuatorReading& actuator, const Element& element, Report& report);
  // What default classes can set, then what only the element itself has.
  std::vector<Attribute<ActuatorSpec>> rows, own_rows;
  std::vector<Attribute<ShortcutSpec>> shortcut_rows, own_shortcut_rows;
};

std::span<const ActuatorKind> actuator_kinds();
const ActuatorKind* find_actuator_kind(std::string_view name);

// dcmotor.cpp
Table<ShortcutSpec> dcmotor_attributes();
void apply_dcmotor(ActuatorReading& actuator, const Element& element, Report& report);

}  // namespace torsor::mjcf
