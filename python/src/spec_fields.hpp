// The fields of a Spec's elements by name, one list per element: how they become dictionaries of Python values, and
// back. A field that is added to model/spec.hpp is added here too; test_spec_tree.py finds those that are missing.
#pragma once

#include <array>
#include <span>

#include "spec_values.hpp"

namespace torsor::python::spec {

template <class T>
struct Field {
  const char* name;
  std::string (*type)();
  nb::object (*get)(const T&);
  void (*set)(T&, nb::handle);
};

template <class T, auto Member>
constexpr Field<T> field(const char* name) {
  using Value = std::remove_cvref_t<decltype(std::declval<T&>().*Member)>;
  return {name, [] { return Conversion<Value>::type(); }, [](const T& object) { return to_python(object.*Member); },
          [](T& object, nb::handle value) { from_python(object.*Member, value); }};
}

template <class T>
struct Fields;  // ::rows

template <class T>
nb::dict to_dict(const T& object) {
  nb::dict out;
  for (const Field<T>& row : Fields<T>::rows) out[row.name] = row.get(object);
  return out;
}

// Keys that are missing leave the values as they are; unknown ones are errors.
template <class T>
void from_dict(T& object, nb::handle dictionary) {
  for (const auto [key, value] : nb::borrow<nb::dict>(dictionary)) {
    const std::string name = nb::cast<std::string>(key);
    const Field<T>* found = nullptr;
    for (const Field<T>& row : Fields<T>::rows) {
      if (name == row.name) found = &row;
    }
    if (!found) throw nb::key_error(fmt::format("no field '{}'", name).c_str());
    try {
      found->set(object, value);
    } catch (const nb::cast_error&) {
      throw nb::type_error(fmt::format("{}: {} does not fit", name, nb::repr(value).c_str()).c_str());
    } catch (const nb::builtin_exception& error) {
      throw nb::value_error(fmt::format("{}: {}", name, error.what()).c_str());
    }
  }
}

template <class T>
requires requires { Fields<T>::rows; }
struct Conversion<T> {
  static std::string type() { return "fields"; }
  static nb::object get(const T& value) { return to_dict(value); }
  static void set(T& value, nb::handle object) { from_dict(value, object); }
};

template <class T>
requires requires { Fields<T>::rows; }
struct Conversion<std::vector<T>> {
  static std::string type() { return "list"; }
  static nb::object get(const std::vector<T>& values) {
    nb::list out;
    for (const T& each : values) out.append(to_dict(each));
    return out;
  }
  static void set(std::vector<T>& values, nb::handle object) {
    values.clear();
    for (const nb::handle each : object) from_dict(values.emplace_back(), each);
  }
};

template <>
struct Conversion<std::vector<std::pair<std::string, std::string>>> {
  static std::string type() { return "pairs"; }
  static nb::object get(const std::vector<std::pair<std::string, std::string>>& values) {
    nb::list out;
    for (const auto& [name, text] : values) out.append(nb::make_tuple(to_str(name), to_str(text)));
    return out;
  }
  static void set(std::vector<std::pair<std::string, std::string>>& values, nb::handle object) {
    values.clear();
    for (const nb::handle each : object)
      values.emplace_back(nb::cast<std::string>(each[0]), nb::cast<std::string>(each[1]));
  }
};

template <>
struct Conversion<std::vector<TupleSpec::Entry>> {
  static std::string type() { return "entries"; }
  static nb::object get(const std::vector<TupleSpec::Entry>& values) {
    nb::list out;
    for (const TupleSpec::Entry& each : values)
      out.append(nb::make_tuple(to_str(each.objtype), to_str(each.objname), each.prm));
    return out;
  }
  static void set(std::vector<TupleSpec::Entry>& values, nb::handle object) {
    values.clear();
    for (const nb::handle each : object)
      values.push_back(
          {nb::cast<std::string>(each[0]), nb::cast<std::string>(each[1]), nb::cast<double>(nb::object(each[2]))});
  }
};

// (body, bindpos, bindquat, vertid, vertweight) of every bone.
template <>
struct Conversion<std::vector<SkinSpec::Bone>> {
  static std::string type() { return "bones"; }
  static nb::object get(const std::vector<SkinSpec::Bone>& values) {
    nb::list out;
    for (const SkinSpec::Bone& each : values)
      out.append(nb::make_tuple(to_str(each.body), to_python(each.bindpos), to_python(each.bindquat),
                                to_python(each.vertid), to_python(each.vertweight)));
    return out;
  }
  static void set(std::vector<SkinSpec::Bone>& values, nb::handle object) {
    values.clear();
    for (const nb::handle each : object) {
      SkinSpec::Bone& bone = values.emplace_back();
      bone.body = nb::cast<std::string>(each[0]);
      from_python(bone.bindpos, nb::object(each[1]));
      from_python(bone.bindquat, nb::object(each[2]));
      from_python(bone.vertid, nb::object(each[3]));
      from_python(bone.vertweight, nb::object(each[4]));
    }
  }
};

// Which arrays of a mesh came from its file, as bits.
template <>
struct Conversion<decltype(MeshSpec::from_file)> {
  using Flags = decltype(MeshSpec::from_file);
  static std::string type() { return "int"; }
  static nb::object get(const Flags& flags) {
    return nb::int_(flags.vertex + 2 * flags.normal + 4 * flags.texcoord + 8 * flags.face);
  }
  static void set(Flags& flags, nb::handle object) {
    const int bits = nb::cast<int>(object);
    flags = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
  }
};

template <>
struct Conversion<ModelAxes> {
  static std::string type() { return "int32[6]"; }
  static nb::object get(const ModelAxes& axes) {
    std::array<int, 6> numbers;
    for (size_t i = 0; i < 3; ++i) numbers[i] = axes.world.of[i], numbers[i + 3] = axes.body.of[i];
    return to_python(numbers);
  }
  static void set(ModelAxes& axes, nb::handle object) {
    std::array<int, 6> numbers;
    from_python(numbers, object);
    for (size_t i = 0; i < 3; ++i) {
      axes.world.of[i] = static_cast<signed char>(numbers[i]);
      axes.body.of[i] = static_cast<signed char>(numbers[i + 3]);
    }
    if (!find_fault(axes).empty()) throw nb::value_error(find_fault(axes).c_str());
  }
};

#define ROW(T, member) field<T, &T::member>(#member)

template <>
struct Fields<LengthRangeSpec> {
  static constexpr std::array rows = {
      ROW(LengthRangeSpec, mode),     ROW(LengthRangeSpec, useexisting), ROW(LengthRangeSpec, uselimit),
      ROW(LengthRangeSpec, accel),    ROW(LengthRangeSpec, maxforce),    ROW(LengthRangeSpec, timeconst),
      ROW(LengthRangeSpec, timestep), ROW(LengthRangeSpec, inttotal),    ROW(LengthRangeSpec, interval),
      ROW(LengthRangeSpec, tolrange),
  };
};

template <>
struct Fields<CompilerSpec> {
  static constexpr std::array rows = {
      ROW(CompilerSpec, autolimits),
      ROW(CompilerSpec, boundmass),
      ROW(CompilerSpec, boundinertia),
      ROW(CompilerSpec, settotalmass),
      ROW(CompilerSpec, balanceinertia),
      ROW(CompilerSpec, strippath),
      ROW(CompilerSpec, fitaabb),
      ROW(CompilerSpec, degree),
      ROW(CompilerSpec, eulerseq),
      ROW(CompilerSpec, discardvisual),
      ROW(CompilerSpec, usethread),
      ROW(CompilerSpec, fusestatic),
      ROW(CompilerSpec, inertiafromgeom),
      ROW(CompilerSpec, inertiagrouprange),
      ROW(CompilerSpec, saveinertial),
      ROW(CompilerSpec, alignfree),
      ROW(CompilerSpec, savecompiled),
      ROW(CompilerSpec, savecanonical),
      ROW(CompilerSpec, passthrough),
      ROW(CompilerSpec, meshdir),
      ROW(CompilerSpec, texturedir),
      ROW(CompilerSpec, conflict),
      ROW(CompilerSpec, axes),
      ROW(CompilerSpec, lengthrange),
  };
};

template <>
struct Fields<SizeSpec> {
  static constexpr std::array rows = {
      ROW(SizeSpec, memory),         ROW(SizeSpec, nstack),       ROW(SizeSpec, njmax),
      ROW(SizeSpec, nconmax),        ROW(SizeSpec, nkey),         ROW(SizeSpec, nuserdata),
      ROW(SizeSpec, nuser_body),     ROW(SizeSpec, nuser_jnt),    ROW(SizeSpec, nuser_geom),
      ROW(SizeSpec, nuser_site),     ROW(SizeSpec, nuser_cam),    ROW(SizeSpec, nuser_tendon),
      ROW(SizeSpec, nuser_actuator), ROW(SizeSpec, nuser_sensor),
  };
};

template <>
struct Fields<StatisticSpec> {
  static constexpr std::array rows = {
      ROW(StatisticSpec, meaninertia), ROW(StatisticSpec, meanmass), ROW(StatisticSpec, meansize),
      ROW(StatisticSpec, extent),      ROW(StatisticSpec, center),
  };
};

template <>
struct Fields<InertialSpec> {
  static constexpr std::array rows = {
      ROW(InertialSpec, given),       ROW(InertialSpec, frame),       ROW(InertialSpec, location),
      ROW(InertialSpec, pos),         ROW(InertialSpec, orientation), ROW(InertialSpec, mass),
      ROW(InertialSpec, diaginertia), ROW(InertialSpec, fullinertia),
  };
};

template <>
struct Fields<WrapSpec> {
  static constexpr std::array rows = {
      ROW(WrapSpec, kind),     ROW(WrapSpec, location), ROW(WrapSpec, target),
      ROW(WrapSpec, sidesite), ROW(WrapSpec, number),
  };
};

template <>
struct Fields<FrameSpec> {
  static constexpr std::array rows = {
      ROW(FrameSpec, name),        ROW(FrameSpec, class_name), ROW(FrameSpec, location),     ROW(FrameSpec, pos),
      ROW(FrameSpec, orientation), ROW(FrameSpec, childclass), ROW(FrameSpec, parent_frame), ROW(FrameSpec, scale),
      ROW(FrameSpec, scaling),     ROW(FrameSpec, massscale),
  };
};

template <>
struct Fields<JointSpec> {
  static constexpr std::array rows = {
      ROW(JointSpec, name),
      ROW(JointSpec, class_name),
      ROW(JointSpec, location),
      ROW(JointSpec, type),
      ROW(JointSpec, align_given),
      ROW(JointSpec, align),
      ROW(JointSpec, frame),
      ROW(JointSpec, group),
      ROW(JointSpec, pos),
      ROW(JointSpec, axis),
      ROW(JointSpec, springdamper),
      ROW(JointSpec, limited),
      ROW(JointSpec, range),
      ROW(JointSpec, actfrclimited),
      ROW(JointSpec, actfrcrange),
      ROW(JointSpec, actgravcomp),
      ROW(JointSpec, margin),
      ROW(JointSpec, ref),
      ROW(JointSpec, springref),
      ROW(JointSpec, springyield),
      ROW(JointSpec, armature),
      ROW(JointSpec, frictionloss),
      ROW(JointSpec, stiffness),
      ROW(JointSpec, damping),
      ROW(JointSpec, solref_limit),
      ROW(JointSpec, solimp_limit),
      ROW(JointSpec, solref_friction),
      ROW(JointSpec, solimp_friction),
      ROW(JointSpec, sapstiffness),
      ROW(JointSpec, sapdissipation),
      ROW(JointSpec, user),
  };
};

template <>
struct Fields<GeomSpec> {
  static constexpr std::array rows = {
      ROW(GeomSpec, name),           ROW(GeomSpec, class_name),
      ROW(GeomSpec, location),       ROW(GeomSpec, type),
      ROW(GeomSpec, frame),          ROW(GeomSpec, pos),
      ROW(GeomSpec, orientation),    ROW(GeomSpec, fromto),
      ROW(GeomSpec, size),           ROW(GeomSpec, contype),
      ROW(GeomSpec, conaffinity),    ROW(GeomSpec, condim),
      ROW(GeomSpec, priority),       ROW(GeomSpec, group),
      ROW(GeomSpec, friction),       ROW(GeomSpec, solmix),
      ROW(GeomSpec, solref),         ROW(GeomSpec, solimp),
      ROW(GeomSpec, margin),         ROW(GeomSpec, gap),
      ROW(GeomSpec, adhesion),       ROW(GeomSpec, surfacevel),
      ROW(GeomSpec, sapstiffness),   ROW(GeomSpec, sapdissipation),
      ROW(GeomSpec, mass),           ROW(GeomSpec, density),
      ROW(GeomSpec, shellinertia),   ROW(GeomSpec, fluid_ellipsoid),
      ROW(GeomSpec, fluidcoef),      ROW(GeomSpec, mesh),
      ROW(GeomSpec, hfield),         ROW(GeomSpec, material),
      ROW(GeomSpec, mesh_collision), ROW(GeomSpec, fitscale),
      ROW(GeomSpec, castshadow),     ROW(GeomSpec, rgba),
      ROW(GeomSpec, user),
  };
};

template <>
struct Fields<SiteSpec> {
  static constexpr std::array rows = {
      ROW(SiteSpec, name),  ROW(SiteSpec, class_name), ROW(SiteSpec, location),    ROW(SiteSpec, type),
      ROW(SiteSpec, frame), ROW(SiteSpec, pos),        ROW(SiteSpec, orientation), ROW(SiteSpec, fromto),
      ROW(SiteSpec, size),  ROW(SiteSpec, group),      ROW(SiteSpec, mesh),        ROW(SiteSpec, material),
      ROW(SiteSpec, rgba),  ROW(SiteSpec, user),
  };
};

template <>
struct Fields<CameraSpec> {
  static constexpr std::array rows = {
      ROW(CameraSpec, name),
      ROW(CameraSpec, class_name),
      ROW(CameraSpec, location),
      ROW(CameraSpec, mode),
      ROW(CameraSpec, frame),
      ROW(CameraSpec, target),
      ROW(CameraSpec, pos),
      ROW(CameraSpec, orientation),
      ROW(CameraSpec, orthographic),
      ROW(CameraSpec, fovy),
      ROW(CameraSpec, ipd),
      ROW(CameraSpec, resolution),
      ROW(CameraSpec, output),
      ROW(CameraSpec, sensorsize),
      ROW(CameraSpec, focal_length),
      ROW(CameraSpec, focal_pixel),
      ROW(CameraSpec, principal_length),
      ROW(CameraSpec, principal_pixel),
      ROW(CameraSpec, user),
  };
};

template <>
struct Fields<LightSpec> {
  static constexpr std::array rows = {
      ROW(LightSpec, name),       ROW(LightSpec, class_name), ROW(LightSpec, location),    ROW(LightSpec, mode),
      ROW(LightSpec, frame),      ROW(LightSpec, target),     ROW(LightSpec, texture),     ROW(LightSpec, type),
      ROW(LightSpec, active),     ROW(LightSpec, castshadow), ROW(LightSpec, pos),         ROW(LightSpec, dir),
      ROW(LightSpec, bulbradius), ROW(LightSpec, intensity),  ROW(LightSpec, range),       ROW(LightSpec, cutoff),
      ROW(LightSpec, exponent),   ROW(LightSpec, softness),   ROW(LightSpec, attenuation), ROW(LightSpec, ambient),
      ROW(LightSpec, diffuse),    ROW(LightSpec, specular),
  };
};

template <>
struct Fields<BodySpec> {
  static constexpr std::array rows = {
      ROW(BodySpec, name),  ROW(BodySpec, class_name), ROW(BodySpec, location), ROW(BodySpec, parent),
      ROW(BodySpec, frame), ROW(BodySpec, childclass), ROW(BodySpec, pos),      ROW(BodySpec, orientation),
      ROW(BodySpec, mocap), ROW(BodySpec, gravcomp),   ROW(BodySpec, fuse),     ROW(BodySpec, simple_auto),
      ROW(BodySpec, sleep), ROW(BodySpec, inertial),   ROW(BodySpec, user),
  };
};

template <>
struct Fields<MeshSpec> {
  static constexpr std::array rows = {
      ROW(MeshSpec, name),         ROW(MeshSpec, class_name),    ROW(MeshSpec, location),
      ROW(MeshSpec, file),         ROW(MeshSpec, content_type),  ROW(MeshSpec, scale),
      ROW(MeshSpec, refpos),       ROW(MeshSpec, refquat),       ROW(MeshSpec, inertia),
      ROW(MeshSpec, smoothnormal), ROW(MeshSpec, maxhullvert),   ROW(MeshSpec, builtin),
      ROW(MeshSpec, material),     ROW(MeshSpec, params),        ROW(MeshSpec, vertex),
      ROW(MeshSpec, normal),       ROW(MeshSpec, texcoord),      ROW(MeshSpec, face),
      ROW(MeshSpec, face_normal),  ROW(MeshSpec, face_texcoord), ROW(MeshSpec, from_file),
      ROW(MeshSpec, stretch),
  };
};

template <>
struct Fields<HfieldSpec> {
  static constexpr std::array rows = {
      ROW(HfieldSpec, name), ROW(HfieldSpec, class_name),   ROW(HfieldSpec, location),
      ROW(HfieldSpec, file), ROW(HfieldSpec, content_type), ROW(HfieldSpec, nrow),
      ROW(HfieldSpec, ncol), ROW(HfieldSpec, size),         ROW(HfieldSpec, elevation),
  };
};

template <>
struct Fields<SkinSpec> {
  static constexpr std::array rows = {
      ROW(SkinSpec, name),      ROW(SkinSpec, class_name), ROW(SkinSpec, location), ROW(SkinSpec, file),
      ROW(SkinSpec, material),  ROW(SkinSpec, rgba),       ROW(SkinSpec, inflate),  ROW(SkinSpec, group),
      ROW(SkinSpec, vertex),    ROW(SkinSpec, texcoord),   ROW(SkinSpec, face),     ROW(SkinSpec, bones),
      ROW(SkinSpec, from_file),
  };
};

template <>
struct Fields<TextureSpec> {
  static constexpr std::array rows = {
      ROW(TextureSpec, name),
      ROW(TextureSpec, class_name),
      ROW(TextureSpec, location),
      ROW(TextureSpec, attributes),
  };
};

template <>
struct Fields<MaterialSpec> {
  static constexpr std::array rows = {
      ROW(MaterialSpec, name),        ROW(MaterialSpec, class_name), ROW(MaterialSpec, location),
      ROW(MaterialSpec, textures),    ROW(MaterialSpec, texuniform), ROW(MaterialSpec, texrepeat),
      ROW(MaterialSpec, emission),    ROW(MaterialSpec, specular),   ROW(MaterialSpec, shininess),
      ROW(MaterialSpec, reflectance), ROW(MaterialSpec, metallic),   ROW(MaterialSpec, roughness),
      ROW(MaterialSpec, rgba),
  };
};

template <>
struct Fields<PairSpec> {
  static constexpr std::array rows = {
      ROW(PairSpec, name),           ROW(PairSpec, class_name),   ROW(PairSpec, location),       ROW(PairSpec, geom1),
      ROW(PairSpec, geom2),          ROW(PairSpec, condim),       ROW(PairSpec, friction),       ROW(PairSpec, solref),
      ROW(PairSpec, solreffriction), ROW(PairSpec, solimp),       ROW(PairSpec, margin),         ROW(PairSpec, gap),
      ROW(PairSpec, adhesion),       ROW(PairSpec, sapstiffness), ROW(PairSpec, sapdissipation),
  };
};

template <>
struct Fields<ExcludeSpec> {
  static constexpr std::array rows = {
      ROW(ExcludeSpec, name),  ROW(ExcludeSpec, class_name), ROW(ExcludeSpec, location),
      ROW(ExcludeSpec, body1), ROW(ExcludeSpec, body2),
  };
};

template <>
struct Fields<EqualitySpec> {
  static constexpr std::array rows = {
      ROW(EqualitySpec, name),     ROW(EqualitySpec, class_name),   ROW(EqualitySpec, location),
      ROW(EqualitySpec, type),     ROW(EqualitySpec, objtype),      ROW(EqualitySpec, object1),
      ROW(EqualitySpec, object2),  ROW(EqualitySpec, active),       ROW(EqualitySpec, solref),
      ROW(EqualitySpec, solimp),   ROW(EqualitySpec, sapstiffness), ROW(EqualitySpec, sapdissipation),
      ROW(EqualitySpec, anchor),   ROW(EqualitySpec, relpose),      ROW(EqualitySpec, torquescale),
      ROW(EqualitySpec, polycoef),
  };
};

template <>
struct Fields<ActuatorSpec> {
  static constexpr std::array rows = {
      ROW(ActuatorSpec, name),         ROW(ActuatorSpec, class_name),   ROW(ActuatorSpec, location),
      ROW(ActuatorSpec, shortcut),     ROW(ActuatorSpec, gaintype),     ROW(ActuatorSpec, biastype),
      ROW(ActuatorSpec, dyntype),      ROW(ActuatorSpec, gainprm),      ROW(ActuatorSpec, biasprm),
      ROW(ActuatorSpec, dynprm),       ROW(ActuatorSpec, actdim),       ROW(ActuatorSpec, ctrlspec),
      ROW(ActuatorSpec, actearly),     ROW(ActuatorSpec, joint),        ROW(ActuatorSpec, jointinparent),
      ROW(ActuatorSpec, tendon),       ROW(ActuatorSpec, site),         ROW(ActuatorSpec, cranksite),
      ROW(ActuatorSpec, body),         ROW(ActuatorSpec, refsite),      ROW(ActuatorSpec, slidersite),
      ROW(ActuatorSpec, gear),         ROW(ActuatorSpec, cranklength),  ROW(ActuatorSpec, lengthrange),
      ROW(ActuatorSpec, inheritrange), ROW(ActuatorSpec, damping),      ROW(ActuatorSpec, armature),
      ROW(ActuatorSpec, ctrllimited),  ROW(ActuatorSpec, forcelimited), ROW(ActuatorSpec, actlimited),
      ROW(ActuatorSpec, ctrlrange),    ROW(ActuatorSpec, velrange),     ROW(ActuatorSpec, ffrange),
      ROW(ActuatorSpec, forcerange),   ROW(ActuatorSpec, actrange),     ROW(ActuatorSpec, group),
      ROW(ActuatorSpec, nsample),      ROW(ActuatorSpec, interp),       ROW(ActuatorSpec, delay),
      ROW(ActuatorSpec, user),
  };
};

template <>
struct Fields<TendonSpec> {
  static constexpr std::array rows = {
      ROW(TendonSpec, name),
      ROW(TendonSpec, class_name),
      ROW(TendonSpec, location),
      ROW(TendonSpec, spatial),
      ROW(TendonSpec, group),
      ROW(TendonSpec, limited),
      ROW(TendonSpec, range),
      ROW(TendonSpec, actfrclimited),
      ROW(TendonSpec, actfrcrange),
      ROW(TendonSpec, margin),
      ROW(TendonSpec, springlength),
      ROW(TendonSpec, springyield),
      ROW(TendonSpec, stiffness),
      ROW(TendonSpec, damping),
      ROW(TendonSpec, armature),
      ROW(TendonSpec, frictionloss),
      ROW(TendonSpec, solref_limit),
      ROW(TendonSpec, solimp_limit),
      ROW(TendonSpec, solref_friction),
      ROW(TendonSpec, solimp_friction),
      ROW(TendonSpec, sapstiffness),
      ROW(TendonSpec, sapdissipation),
      ROW(TendonSpec, width),
      ROW(TendonSpec, material),
      ROW(TendonSpec, rgba),
      ROW(TendonSpec, user),
      ROW(TendonSpec, path),
  };
};

template <>
struct Fields<SensorSpec> {
  static constexpr std::array rows = {
      ROW(SensorSpec, name),      ROW(SensorSpec, class_name), ROW(SensorSpec, location), ROW(SensorSpec, type),
      ROW(SensorSpec, objtype),   ROW(SensorSpec, reftype),    ROW(SensorSpec, objname),  ROW(SensorSpec, refname),
      ROW(SensorSpec, cutoff),    ROW(SensorSpec, noise),      ROW(SensorSpec, nsample),  ROW(SensorSpec, interp),
      ROW(SensorSpec, delay),     ROW(SensorSpec, interval),   ROW(SensorSpec, dim),      ROW(SensorSpec, datatype),
      ROW(SensorSpec, needstage), ROW(SensorSpec, data),       ROW(SensorSpec, reduce),   ROW(SensorSpec, num),
      ROW(SensorSpec, user),      ROW(SensorSpec, enclosed),
  };
};

template <>
struct Fields<NumericSpec> {
  static constexpr std::array rows = {
      ROW(NumericSpec, name), ROW(NumericSpec, class_name), ROW(NumericSpec, location),
      ROW(NumericSpec, size), ROW(NumericSpec, data),
  };
};

template <>
struct Fields<TextSpec> {
  static constexpr std::array rows = {
      ROW(TextSpec, name),
      ROW(TextSpec, class_name),
      ROW(TextSpec, location),
      ROW(TextSpec, data),
  };
};

template <>
struct Fields<TupleSpec> {
  static constexpr std::array rows = {
      ROW(TupleSpec, name),
      ROW(TupleSpec, class_name),
      ROW(TupleSpec, location),
      ROW(TupleSpec, entries),
  };
};

template <>
struct Fields<KeySpec> {
  static constexpr std::array rows = {
      ROW(KeySpec, name),  ROW(KeySpec, class_name), ROW(KeySpec, location), ROW(KeySpec, time),
      ROW(KeySpec, qpos),  ROW(KeySpec, qvel),       ROW(KeySpec, act),      ROW(KeySpec, mpos),
      ROW(KeySpec, mquat), ROW(KeySpec, ctrl),       ROW(KeySpec, plastic),
  };
};

#undef ROW

}  // namespace torsor::python::spec
