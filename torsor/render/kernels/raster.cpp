// Plain loops of kLanes pixels, which the compiler turns into vector instructions.
#include "torsor/render/kernels/raster.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace torsor {
namespace TORSOR_ISA {

using namespace render;

namespace {

// One sample of one row: e and key are those of the row, without the part of x.
struct RowStart {
  float e[3], key;
};

// Without ids only keys are kept: shadows need no more.
template <bool kWithIds>
inline void cover_row(const Triangle& t, const RowStart& row, float offset, [[maybe_unused]] int id, float nearest,
                      float* __restrict keys, [[maybe_unused]] int* __restrict ids) {
  for (int x0 = t.x0 & -kLanes; x0 < t.x1; x0 += kLanes) {
    float* __restrict const key_at = keys + x0;
    for (int k = 0; k < kLanes; ++k) {
      const float x = static_cast<float>(x0 + k) + offset;
      const float e0 = t.a[0] * x + row.e[0], e1 = t.a[1] * x + row.e[1], e2 = t.a[2] * x + row.e[2];
      const float key = t.key_x * x + row.key;
      const bool is_drawn =
          (e0 > t.limit[0]) & (e1 > t.limit[1]) & (e2 > t.limit[2]) & (key > key_at[k]) & (key <= nearest);
      key_at[k] = is_drawn ? key : key_at[k];
      if constexpr (kWithIds) ids[x0 + k] = is_drawn ? id : ids[x0 + k];
    }
  }
}

template <bool kWithIds>
void cover_all(const Band& band, const Triangle* triangles, const int* list, int count) {
  for (int i = 0; i < count; ++i) {
    const Triangle& t = triangles[list[i]];
    const int end = std::min(t.y1, band.top + band.rows);
    for (int y = std::max(t.y0, band.top); y < end; ++y) {
      for (int s = 0; s < band.samples; ++s) {
        const float at = static_cast<float>(y) + 0.5f + band.offset[s][1];
        RowStart row;
        for (int k = 0; k < 3; ++k) row.e[k] = t.b[k] * at + t.c[k];
        row.key = t.key_y * at + t.key_0;
        const std::ptrdiff_t start = std::ptrdiff_t((y - band.top) * band.samples + s) * band.pitch;
        cover_row<kWithIds>(t, row, 0.5f + band.offset[s][0], list[i], band.nearest, band.key + start,
                            kWithIds ? band.id + start : nullptr);
      }
    }
  }
}

void cover(const Band& band, const Triangle* triangles, const int* ids, int count) {
  band.id ? cover_all<true>(band, triangles, ids, count) : cover_all<false>(band, triangles, ids, count);
}

// kLanes numbers of neighbouring fragments.
typedef float Lanes __attribute__((vector_size(4 * kLanes)));
typedef std::int32_t IntLanes __attribute__((vector_size(4 * kLanes)));
struct LanesAt {  // for loads and stores at any address
  float value[kLanes];
};

#define TORSOR_LANES __attribute__((always_inline)) inline
TORSOR_LANES Lanes all(float x) { return x - Lanes{}; }
TORSOR_LANES Lanes load(const float* from) { return std::bit_cast<Lanes>(*reinterpret_cast<const LanesAt*>(from)); }
TORSOR_LANES void add(float* to, Lanes x) { *reinterpret_cast<LanesAt*>(to) = std::bit_cast<LanesAt>(load(to) + x); }
TORSOR_LANES Lanes at_least(Lanes x, float least) { return x > all(least) ? x : all(least); }
TORSOR_LANES Lanes at_most(Lanes x, float most) { return x < all(most) ? x : all(most); }
TORSOR_LANES Lanes root(Lanes x) {
  for (int k = 0; k < kLanes; ++k) x[k] = std::sqrt(x[k]);
  return x;
}

// log2 for x > 0 and 2^y, to about 2e-4: enough for the edge of a highlight.
TORSOR_LANES Lanes log2_of(Lanes x) {
  const auto bits = std::bit_cast<IntLanes>(x);
  const Lanes exponent = __builtin_convertvector((bits >> 23) - 127, Lanes);
  const Lanes m = std::bit_cast<Lanes>((bits & 0x007FFFFF) | 0x3F800000);
  // least squares over [1, 2] through (1, 0) and (2, 1)
  return exponent + (m - 1) * (((-0.08030764f * m + 0.55792418f) * m - 1.5496924f) * m + 2.51014914f);
}

TORSOR_LANES Lanes exp2_of(Lanes y) {
  const Lanes clamped = at_least(y, -120.0f);
  const IntLanes whole = __builtin_convertvector(clamped - 0.999999f, IntLanes);  // y <= 0: towards minus infinity
  const Lanes part = clamped - __builtin_convertvector(whole, Lanes);
  const Lanes power = 1 + part * (0.6959284f + part * (0.22494658f + part * 0.07912499f));
  return power * std::bit_cast<Lanes>((whole + 127) << 23);
}

struct Lanes3 {
  Lanes x, y, z;
};
TORSOR_LANES Lanes dot(const Lanes3& a, const Lanes3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
TORSOR_LANES Lanes3 scaled(const Lanes3& a, Lanes s) { return {a.x * s, a.y * s, a.z * s}; }
TORSOR_LANES Lanes inverse_length(const Lanes3& a) { return 1 / root(dot(a, a) + 1e-20f); }
TORSOR_LANES Lanes3 all3(const float* v) { return {all(v[0]), all(v[1]), all(v[2])}; }

// Direction to the light, and the part of it that arrives where nothing is in the way.
template <bool kDirectional>
TORSOR_LANES Lanes3 find_light(const LightSource& light, const Lanes3& p, Lanes& reach) {
  const Lanes3 direction = all3(light.direction);
  if constexpr (kDirectional) {
    reach = all(1);
    return scaled(direction, all(-1));
  }
  Lanes3 to_light{light.position[0] - p.x, light.position[1] - p.y, light.position[2] - p.z};
  const Lanes square = dot(to_light, to_light) + 1e-20f, distance = root(square);
  to_light = scaled(to_light, 1 / distance);
  const Lanes along = -dot(to_light, direction);
  const Lanes fall = light.attenuation[0] + light.attenuation[1] * distance + light.attenuation[2] * square;
  const Lanes cone = exp2_of(light.exponent * log2_of(at_most(at_least(along, 1e-6f), 1)));
  reach = (along >= all(light.cos_cutoff) ? cone : all(0)) / at_least(fall, 1e-6f);
  return to_light;
}

// Light as graphics hardware of the fixed kind computes it: diffuse by the angle, highlights by the half-way vector.
template <bool kDirectional, bool kOrthographic>
void light_all(const Fragments& f, const LightSource& light) {
  for (int i = 0; i < f.count; i += kLanes) {
    const Lanes3 p{load(f.x + i), load(f.y + i), load(f.z + i)};
    const Lanes3 normal{load(f.normal_x + i), load(f.normal_y + i), load(f.normal_z + i)};
    Lanes reach;
    const Lanes3 to_light = find_light<kDirectional>(light, p, reach);
    const Lanes facing = at_least(dot(normal, to_light), 0), arriving = reach * load(light.visible + i);
    Lanes3 half = to_light;  // half way between the directions to the light and to the viewer
    if constexpr (kOrthographic) {
      half.z += 1;
    } else {
      const Lanes scale = inverse_length(p);
      half.x -= p.x * scale, half.y -= p.y * scale, half.z -= p.z * scale;
    }
    const Lanes cosine = at_most(at_least(dot(normal, half) * inverse_length(half), 1e-4f), 1);
    const Lanes shine = exp2_of(load(f.shininess + i) * log2_of(cosine)) * load(f.specular + i) * arriving;
    const Lanes glint = facing > all(0) ? shine : all(0);
    for (int c = 0; c < 3; ++c) {
      add(f.diffuse[c] + i, light.ambient[c] * reach + light.diffuse[c] * facing * arriving);
      add(f.highlight[c] + i, light.specular[c] * glint);
    }
  }
}

void light(const Fragments& f, const LightSource& source, bool is_orthographic) {
  if (source.is_directional)
    return is_orthographic ? light_all<true, true>(f, source) : light_all<true, false>(f, source);
  return is_orthographic ? light_all<false, true>(f, source) : light_all<false, false>(f, source);
}

}  // namespace

extern const RasterKernels kRasterKernels;
const RasterKernels kRasterKernels = {.cover = cover, .light = light};

}  // namespace TORSOR_ISA
}  // namespace torsor
