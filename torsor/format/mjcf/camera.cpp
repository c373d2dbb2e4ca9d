// <camera> and <light>.
#include <algorithm>

#include <fmt/format.h>

#include "torsor/format/mjcf/tables.hpp"

namespace torsor::mjcf {
namespace {

constexpr Keyword kTrackingModes[] = {
    {"fixed", static_cast<int>(TrackingMode::kFixed)},
    {"track", static_cast<int>(TrackingMode::kTrack)},
    {"trackcom", static_cast<int>(TrackingMode::kTrackCom)},
    {"targetbody", static_cast<int>(TrackingMode::kTargetBody)},
    {"targetbodycom", static_cast<int>(TrackingMode::kTargetBodyCom)},
};
constexpr Keyword kProjections[] = {{"perspective", 0}, {"orthographic", 1}};
constexpr Keyword kOutputs[] = {{"rgb", 1}, {"depth", 2}, {"distance", 4}, {"normal", 8}, {"segmentation", 16}};
constexpr Keyword kLightTypes[] = {{"spot", 0}, {"directional", 1}, {"point", 2}, {"image", 3}};

// Several keywords, each a bit.
void read_output(CameraSpec& camera, const Value& value) {
  if (value.blank()) return;
  int bits = 0;
  std::string_view rest = value.text();
  while (true) {
    const size_t begin = rest.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) break;
    const size_t end = std::min(rest.find_first_of(" \t\r\n", begin), rest.size());
    const Value word(value.element(), value.name(), rest.substr(begin, end - begin), value.report());
    const auto bit = read_keyword(kOutputs, word);
    if (!bit) return;
    if (bits & *bit) return value.fail(fmt::format("has '{}' twice", word.text()));
    bits |= *bit;
    rest.remove_prefix(end);
  }
  camera.output = bits;
}

Text write_output(const CameraSpec& camera, const CameraSpec* standard) {
  if (standard && camera.output == standard->output) return std::nullopt;
  return text_of_bits(kOutputs, camera.output);
}

// The older way of writing type.
void read_directional(LightSpec& light, const Value& value) {
  if (const auto directional = read_keyword(kBooleans, value)) light.type = *directional;
}

constexpr Attribute<CameraSpec> kCameraAttributes[] = {
    {"mode", keyword<&CameraSpec::mode, kTrackingModes>, "", "how the camera follows its body or its target"},
    {"pos", into<&CameraSpec::pos>, "m", "position in the body frame"},
    {"projection", keyword<&CameraSpec::orthographic, kProjections>, "", "perspective or orthographic"},
    {"fovy", into<&CameraSpec::fovy>, "deg | m", "vertical field of view; orthographic: its height"},
    {"ipd", into<&CameraSpec::ipd>, "m", "distance between the pupils"},
    {"resolution", into<&CameraSpec::resolution>, "pixel", "width and height of the image"},
    {"output", {read_output, write_output}, "", "kinds of image: rgb, depth, distance, normal, segmentation"},
    {"sensorsize", into<&CameraSpec::sensorsize>, "m", "width and height of the sensor, instead of fovy"},
    {"focal", into<&CameraSpec::focal_length>, "m", "focal length in x and y"},
    {"focalpixel", into<&CameraSpec::focal_pixel>, "pixel", "focal length in x and y"},
    {"principal", into<&CameraSpec::principal_length>, "m", "offset of the principal point"},
    {"principalpixel", into<&CameraSpec::principal_pixel>, "pixel", "offset of the principal point"},
    {"user", into<&CameraSpec::user, kInfinite>, "", "user data"},
};

constexpr Attribute<CameraSpec> kCameraOwnAttributes[] = {
    {"target", into<&CameraSpec::target>, "", "target body of the target modes"},
};

constexpr Attribute<LightSpec> kLightAttributes[] = {
    {"mode", keyword<&LightSpec::mode, kTrackingModes>, "", "how the light follows its body or its target"},
    {"type", keyword<&LightSpec::type, kLightTypes>, "", "spot, directional, point or image"},
    {"directional", {read_directional, never_written}, "", "older form of type: directional, or spot"},
    {"active", into<&LightSpec::active>, "", "whether the light is on"},
    {"castshadow", into<&LightSpec::castshadow>, "", "whether it casts shadows"},
    {"pos", into<&LightSpec::pos>, "m", "position in the body frame"},
    {"dir", into<&LightSpec::dir>, "1", "direction in the body frame"},
    {"bulbradius", into<&LightSpec::bulbradius>, "m", "radius of the bulb, for soft shadows"},
    {"intensity", into<&LightSpec::intensity>, "cd", "intensity for renderers that use physical units"},
    {"range", into<&LightSpec::range, kInfinite>, "m", "range of the light"},
    {"attenuation", into<&LightSpec::attenuation>, "1, 1/m, 1/m^2", "constant, linear and quadratic coefficient"},
    {"cutoff", into<&LightSpec::cutoff>, "deg", "half angle of the cone of a spot"},
    {"exponent", into<&LightSpec::exponent>, "1", "how fast a spot fades towards its edge"},
    {"softness", into<&LightSpec::softness>, "1", "softness of a spot's edge"},
    {"ambient", into<&LightSpec::ambient>, "1", "ambient colour"},
    {"diffuse", into<&LightSpec::diffuse>, "1", "diffuse colour"},
    {"specular", into<&LightSpec::specular>, "1", "specular colour"},
};

constexpr Attribute<LightSpec> kLightOwnAttributes[] = {
    {"target", into<&LightSpec::target>, "", "target body of the target modes"},
    {"texture", into<&LightSpec::texture>, "", "texture of an image light"},
};

}  // namespace

Table<CameraSpec> camera_attributes() { return kCameraAttributes; }
Table<CameraSpec> camera_own_attributes() { return kCameraOwnAttributes; }
Table<LightSpec> light_attributes() { return kLightAttributes; }
Table<LightSpec> light_own_attributes() { return kLightOwnAttributes; }

}  // namespace torsor::mjcf
