// Cameras and lights: targets, intrinsics, and their arrays.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

bool is_set(const Float2& numbers) { return numbers[0] != 0 || numbers[1] != 0; }

int target_body(Draft& draft, const Tree& tree, const std::string& name, std::string_view kind,
                const ElementSpec& element) {
  const int index = draft.resolve(draft.body_names, "target body", name, kind, element);
  return index < 0 ? -1 : tree.body_id[static_cast<size_t>(index)];
}

bool has_sensor(const CameraSpec& spec) { return spec.sensorsize[0] > 0 && spec.sensorsize[1] > 0; }

void check_intrinsics(Draft& draft, const CameraSpec& spec) {
  if (spec.resolution[0] < 0 || spec.resolution[1] < 0)
    return draft.error("camera", spec, "the resolution cannot be negative");
  if (has_sensor(spec)) {
    if (spec.resolution[0] == 0 || spec.resolution[1] == 0)
      draft.error("camera", spec, "sensorsize needs a positive resolution");
    return;
  }
  const bool has_lens = is_set(spec.focal_length) || is_set(spec.focal_pixel) || is_set(spec.principal_length) ||
                        is_set(spec.principal_pixel);
  if (has_lens) draft.error("camera", spec, "focal length and principal point need a positive sensorsize");
  if (spec.fovy >= 180) draft.error("camera", spec, "fovy must be less than 180 degrees");
}

// A length on the sensor, which may be given in pixels.
float sensor_length(float length, float pixels, float sensorsize, int resolution) {
  return pixels != 0 ? pixels / (static_cast<float>(resolution) / sensorsize) : length;
}

// Focal lengths and principal point of a sensor; without one, the near plane is used instead. In floats, like the
// fields.
void write_intrinsics(const Draft& draft, const CameraSpec& spec, int c, Model& model) {
  float* intrinsic = model.cam_intrinsic.row(c, 4);
  model.cam_fovy[c] = spec.fovy;
  if (!has_sensor(spec)) {
    const float near = draft.spec.visual.map.znear;
    write_list(intrinsic, Float4{near, near, 0, 0});
    return;
  }
  for (size_t k = 0; k < 2; ++k) {
    const float size = spec.sensorsize[k];
    intrinsic[k] = sensor_length(spec.focal_length[k], spec.focal_pixel[k], size, spec.resolution[k]);
    intrinsic[k + 2] = sensor_length(spec.principal_length[k], spec.principal_pixel[k], size, spec.resolution[k]);
  }
  const float half_angle = std::atan2(spec.sensorsize[1], 2 * intrinsic[1]);
  model.cam_fovy[c] = static_cast<double>(2 * half_angle) * 180 / std::numbers::pi;
}

void write_camera(const Draft& draft, const CameraDraft& camera, int c, Model& model) {
  constexpr int kRgb = 1;
  const CameraSpec& spec = *camera.spec;
  model.cam_mode[c] = static_cast<int>(spec.mode);
  write_frame(model.cam_pos.row(c, 3), model.cam_quat.row(c, 4), camera.X_BC);
  model.cam_projection[c] = spec.orthographic;
  model.cam_ipd[c] = spec.ipd;
  write_list(model.cam_resolution.row(c, 2), spec.resolution);
  model.cam_output[c] = spec.output == 0 ? kRgb : spec.output;
  write_list(model.cam_sensorsize.row(c, 2), spec.sensorsize);
  write_intrinsics(draft, spec, c, model);
  write_list(model.cam_user.row(c, model.nuser_cam), spec.user);
}

void write_light(const LightDraft& light, int l, Model& model) {
  const LightSpec& spec = *light.spec;
  model.light_mode[l] = static_cast<int>(spec.mode);
  model.light_type[l] = spec.type;
  model.light_castshadow[l] = spec.castshadow;
  model.light_active[l] = spec.active;
  store3(model.light_pos.row(l, 3), light.p_BoLo_B);
  store3(model.light_dir.row(l, 3), light.direction_B);
  model.light_bulbradius[l] = spec.bulbradius;
  model.light_intensity[l] = spec.intensity;
  model.light_range[l] = spec.range;
  model.light_cutoff[l] = spec.cutoff;
  model.light_exponent[l] = spec.exponent;
  model.light_softness[l] = spec.softness;
  write_list(model.light_attenuation.row(l, 3), spec.attenuation);
  write_list(model.light_ambient.row(l, 3), spec.ambient);
  write_list(model.light_diffuse.row(l, 3), spec.diffuse);
  write_list(model.light_specular.row(l, 3), spec.specular);
}

}  // namespace

void settle_cameras(Draft& draft, const Tree& tree) {
  for (BodyDraft& body : draft.bodies) {
    for (CameraDraft& camera : body.cameras) {
      camera.target = target_body(draft, tree, camera.spec->target, "camera", *camera.spec);
      check_intrinsics(draft, *camera.spec);
    }
  }
}

void settle_lights(Draft& draft, const Tree& tree) {
  for (BodyDraft& body : draft.bodies) {
    for (LightDraft& light : body.lights) {
      const int texture = draft.resolve(draft.texture_names, "texture", light.spec->texture, "light", *light.spec);
      light.texture = draft.drops_visuals ? -1 : texture;
      light.target = target_body(draft, tree, light.spec->target, "light", *light.spec);
    }
  }
}

void write_cameras(const Draft& draft, const Tree& tree, Model& model) {
  int c = 0;
  for (int b = 0; b < model.nbody; ++b) {
    for (const CameraDraft& camera : draft.bodies[static_cast<size_t>(tree.order[static_cast<size_t>(b)])].cameras) {
      model.cam_bodyid[c] = b;
      model.cam_targetbodyid[c] = camera.target;
      write_camera(draft, camera, c++, model);
    }
  }
}

void write_lights(const Draft& draft, const Tree& tree, Model& model) {
  int l = 0;
  for (int b = 0; b < model.nbody; ++b) {
    for (const LightDraft& light : draft.bodies[static_cast<size_t>(tree.order[static_cast<size_t>(b)])].lights) {
      model.light_bodyid[l] = b;
      model.light_targetbodyid[l] = light.target;
      model.light_texid[l] = light.texture;
      write_light(light, l++, model);
    }
  }
}

}  // namespace torsor::compiler
