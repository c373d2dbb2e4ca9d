// Samples of a pixel that see the same triangle are shaded once.
#include "torsor/render/shade.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace torsor::render {
namespace {

constexpr int kMostSamples = 16;
constexpr float kShininessScale = 128;  // exponent of a highlight per unit of shininess

// Weights of the corners of a triangle at a point of the screen.
struct Weights {
  float w[3];
  Weights(const Triangle& t, float x, float y) {
    float sum = 0;
    for (int i = 0; i < 3; ++i) sum += w[i] = t.a[i] * x + t.b[i] * y + t.c[i];
    const float scale = sum != 0 ? 1 / sum : 0;
    for (float& each : w) each *= scale;
  }
};

Vec3f blend(const std::vector<Vec3f>& of, const int (&vertex)[3], const float (&w)[3]) {
  return of[static_cast<size_t>(vertex[0])] * w[0] + of[static_cast<size_t>(vertex[1])] * w[1] +
         of[static_cast<size_t>(vertex[2])] * w[2];
}

// Where a share lies on its shape, in the frame of the shape.
Vec3f point_on(const Drawn& drawn, const int (&corner)[3], const float (&w)[3]) {
  const Vec3f& scale = drawn.instance.scale;
  Vec3f p = hadamard(scale, blend(drawn.surface->point, corner, w));
  if (drawn.instance.half != 0) {
    for (int i = 0; i < 3; ++i) p.z += w[i] * drawn.surface->end[static_cast<size_t>(corner[i])] * drawn.instance.half;
  }
  return p;
}

// Texture coordinates of a corner.
std::array<float, 2> uv_of(const Drawn& drawn, int corner) {
  const Look& look = drawn.instance.look;
  const auto& uv = drawn.surface->uv;
  if (!uv.empty() && !drawn.instance.is_endless) {
    const auto& at = uv[static_cast<size_t>(corner)];
    const auto repeat = drawn.instance.uv_repeat();
    return {at[0] * repeat[0], at[1] * repeat[1]};
  }
  // seen from above: once per two metres, the middle of the texture at the origin
  const Vec3f p =
      hadamard(drawn.instance.scale, drawn.surface->point[static_cast<size_t>(corner)]) + drawn.instance.texture_shift;
  return {0.5f + 0.5f * look.repeat[0] * p.x, 0.5f - 0.5f * look.repeat[1] * p.y};
}

}  // namespace

RowShader::RowShader(const LitScene& scene, int samples, const float (*offset)[2])
    : scene_(scene), samples_(samples), offset_(offset) {}

void RowShader::resize(size_t count) {
  const size_t padded = (count + kLanes - 1) / kLanes * kLanes;
  if (x_.size() < padded) {
    for (auto* array :
         {&x_, &y_, &z_, &normal_x_, &normal_y_, &normal_z_, &specular_, &shininess_, &visible_, &diffuse_[0],
          &diffuse_[1], &diffuse_[2], &highlight_[0], &highlight_[1], &highlight_[2], &emission_, &alpha_, &haze_})
      array->resize(padded);
    all_visible_.assign(padded, 1);
    base_.resize(padded);
  }
  for (int c = 0; c < 3; ++c) {
    std::fill_n(diffuse_[c].begin(), padded, 0.0f);
    std::fill_n(highlight_[c].begin(), padded, 0.0f);
  }
}

void RowShader::find_shares(const Band& band, int y, bool is_layer, float* rgb) {
  shares_.clear();
  const int* id[kMostSamples];
  for (int s = 0; s < samples_; ++s) id[s] = band.id + std::ptrdiff_t((y - band.top) * samples_ + s) * band.pitch;
  const float middle_y = static_cast<float>(y) + 0.5f;
  for (int x = 0; x < band.width; ++x) {
    const float middle_x = static_cast<float>(x) + 0.5f;
    const int first = id[0][x];
    bool is_one = true;
    for (int s = 1; s < samples_; ++s) is_one &= id[s][x] == first;
    if (is_one && (first >= 0 || is_layer)) {
      if (first >= 0) shares_.push_back({x, first, samples_, middle_x, middle_y});
      continue;
    }
    unsigned seen = 0;  // bits of samples that are accounted for
    for (int s = 0; s < samples_; ++s) {
      if (seen >> s & 1) continue;
      Share share{x, id[s][x], 0, 0, 0};
      for (int other = s; other < samples_; ++other) {
        if (id[other][x] != share.triangle) continue;
        seen |= 1u << other;
        ++share.samples;
        share.x += offset_[other][0], share.y += offset_[other][1];
      }
      const float part = 1 / static_cast<float>(share.samples);
      share.x = middle_x + share.x * part, share.y = middle_y + share.y * part;
      if (share.triangle >= 0) {
        shares_.push_back(share);
      } else if (!is_layer) {
        const Colour sky = sky_at(share.x, share.y);
        const float amount = static_cast<float>(share.samples) / static_cast<float>(samples_);
        rgb[3 * x] += sky.r * amount, rgb[3 * x + 1] += sky.g * amount, rgb[3 * x + 2] += sky.b * amount;
      }
    }
  }
}

Colour RowShader::texture_colour(const Share& share, const Drawn& drawn, const float (&weight)[3]) {
  const Look& look = drawn.instance.look;
  const Texture* texture = look.texture >= 0 && static_cast<size_t>(look.texture) < scene_.textures->size()
                               ? (*scene_.textures)[static_cast<size_t>(look.texture)].get()
                               : nullptr;
  if (!texture) return {1, 1, 1};
  const auto id = static_cast<size_t>(share.triangle);
  const TriangleSource& source = scene_.triangles->source[id];
  const int first = scene_.triangles->first_vertex[static_cast<size_t>(source.instance)];
  const int corner[3] = {source.vertex[0] - first, source.vertex[1] - first, source.vertex[2] - first};
  if (!texture->is_flat()) {
    if (drawn.instance.skin >= 0) return {1, 1, 1};  // it would swim as the skin moves
    const Vec3f p = point_on(drawn, corner, weight), size = drawn.instance.cube_size();
    return texture->sample(Vec3f{p.x / size.x, p.y / size.y, p.z / size.z});
  }
  if (share.triangle != flat_.triangle) flat_.set(share.triangle, scene_.triangles->triangle[id], drawn, corner);
  return flat_.sample(*texture, share.x, share.y);
}

void RowShader::FlatTexture::set(int id, const Triangle& t, const Drawn& drawn, const int (&corner)[3]) {
  triangle = id;
  u = v = sum = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const auto uv = uv_of(drawn, corner[i]);
    const Vec3<double> edge{t.a[i], t.b[i], t.c[i]};
    u += edge * uv[0], v += edge * uv[1], sum += edge;
  }
}

// u and v are quotients of functions that are linear on the screen.
Colour RowShader::FlatTexture::sample(const Texture& texture, double x, double y) const {
  const double scale = 1 / (sum.x * x + sum.y * y + sum.z);
  const double at_u = (u.x * x + u.y * y + u.z) * scale, at_v = (v.x * x + v.y * y + v.z) * scale;
  const float right[2] = {static_cast<float>((u.x - at_u * sum.x) * scale),
                          static_cast<float>((v.x - at_v * sum.x) * scale)};
  const float down[2] = {static_cast<float>((u.y - at_u * sum.y) * scale),
                         static_cast<float>((v.y - at_v * sum.y) * scale)};
  return texture.sample(static_cast<float>(at_u - std::floor(at_u)), static_cast<float>(at_v - std::floor(at_v)), right,
                        down);
}

Colour RowShader::sky_at(float x, float y) const {
  const Sky& sky = scene_.sky;
  const bool is_orthographic = scene_.screen->view().is_orthographic;
  const Vec3f ray = is_orthographic ? Vec3f{0, 0, -1} : scene_.screen->ray(x, y);
  const Mat3<double>& R = scene_.screen->view().R_WC;
  const Vec3<double> d_W = R * Vec3<double>{ray.x, ray.y, ray.z};
  const Vec3f d{static_cast<float>(d_W.x), static_cast<float>(d_W.y), static_cast<float>(d_W.z)};
  if (sky.texture) return sky.texture->sample(Vec3f{d.x, d.z, -d.y});
  const float height = d.z / norm(d), part = std::sqrt(std::abs(height));
  const Colour& end = height > 0 ? sky.above : sky.below;
  return {sky.horizon.r + (end.r - sky.horizon.r) * part, sky.horizon.g + (end.g - sky.horizon.g) * part,
          sky.horizon.b + (end.b - sky.horizon.b) * part};
}

// Point, normal and material of a share.
void RowShader::read(int at, const Share& share) {
  const auto i = static_cast<size_t>(at), id = static_cast<size_t>(share.triangle);
  const ScreenTriangles& triangles = *scene_.triangles;
  const TriangleSource& source = triangles.source[id];
  const Drawn& drawn = (*scene_.drawn)[static_cast<size_t>(source.instance)];
  const Weights weights(triangles.triangle[id], share.x, share.y);
  const Vec3f p = blend(triangles.point, source.vertex, weights.w);
  Vec3f n = triangles.normal[static_cast<size_t>(source.vertex[0])];
  if (drawn.instance.shape != GeomType::kPlane) {
    n = blend(triangles.normal, source.vertex, weights.w);
    n = n * (1 / std::sqrt(norm2(n) + 1e-20f));
  } else if (dot(n, p) > 0) {
    n = -n;  // seen from below
  }
  x_[i] = p.x, y_[i] = p.y, z_[i] = p.z;
  normal_x_[i] = n.x, normal_y_[i] = n.y, normal_z_[i] = n.z;
  const Look& look = drawn.instance.look;
  Colour base{1, 1, 1};
  if (look.texture >= 0) base = texture_colour(share, drawn, weights.w);
  base_[i] = {base.r * look.rgba[0], base.g * look.rgba[1], base.b * look.rgba[2]};
  emission_[i] = look.emission;
  specular_[i] = look.specular;
  shininess_[i] = look.shininess * kShininessScale;
  alpha_[i] = look.rgba[3];
  haze_[i] = 0;
  if (drawn.instance.is_endless && scene_.sky.haze) {
    const auto far = static_cast<float>(scene_.screen->view().far);
    haze_[i] = std::clamp((-p.z / far - scene_.sky.haze_start) / (1 - scene_.sky.haze_start), 0.0f, 1.0f);
  }
}

namespace {

// Whether a point can be lit at all: it faces the light, and lies in the cone of a spot light.
bool is_reached(const LightSource& light, const Vec3f& p, const Vec3f& normal) {
  const Vec3f direction = load3(light.direction);
  if (light.is_directional) return dot(normal, direction) < 0;
  const Vec3f to_light = load3(light.position) - p;
  const float along = -dot(to_light, direction), c = light.cos_cutoff;
  if (c > 0 && (along < 0 || along * along < c * c * norm2(to_light))) return false;
  return dot(normal, to_light) > 0;
}

}  // namespace

void RowShader::light(int count) {
  const Fragments fragments{(count + kLanes - 1) / kLanes * kLanes,
                            x_.data(),
                            y_.data(),
                            z_.data(),
                            normal_x_.data(),
                            normal_y_.data(),
                            normal_z_.data(),
                            specular_.data(),
                            shininess_.data(),
                            {diffuse_[0].data(), diffuse_[1].data(), diffuse_[2].data()},
                            {highlight_[0].data(), highlight_[1].data(), highlight_[2].data()}};
  for (size_t l = 0; l < scene_.lights.size(); ++l) {
    LightSource source = scene_.lights[l];
    source.visible = all_visible_.data();
    if (const ShadowMap* shadow = scene_.shadows[l].get()) {
      for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
        const Vec3f p{x_[i], y_[i], z_[i]}, normal{normal_x_[i], normal_y_[i], normal_z_[i]};
        visible_[i] = is_reached(source, p, normal) ? shadow->visible(p, normal) : 1;
      }
      source.visible = visible_.data();
    }
    raster_kernels().light(fragments, source, scene_.screen->view().is_orthographic);
  }
}

void RowShader::shade(const Band& band, int y, bool is_layer, float* rgb) {
  find_shares(band, y, is_layer, rgb);
  const int count = static_cast<int>(shares_.size());
  if (count == 0) return;
  resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) read(i, shares_[static_cast<size_t>(i)]);
  light(count);
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    const Share& share = shares_[i];
    const Colour& base = base_[i];
    float colour[3] = {base.r * (emission_[i] + diffuse_[0][i]) + highlight_[0][i],
                       base.g * (emission_[i] + diffuse_[1][i]) + highlight_[1][i],
                       base.b * (emission_[i] + diffuse_[2][i]) + highlight_[2][i]};
    if (haze_[i] > 0) {
      const float haze[3] = {scene_.sky.haze->r, scene_.sky.haze->g, scene_.sky.haze->b};
      for (int c = 0; c < 3; ++c) colour[c] += haze_[i] * (haze[c] - colour[c]);
    }
    const float part = static_cast<float>(share.samples) / static_cast<float>(samples_);
    const float amount = is_layer ? part * alpha_[i] : part;
    float* pixel = rgb + 3 * share.pixel;
    for (int c = 0; c < 3; ++c) {
      const float clamped = saturated(colour[c]);
      pixel[c] += is_layer ? amount * (clamped - pixel[c]) : amount * clamped;
    }
  }
}

}  // namespace torsor::render
