// The loops over pixels, compiled once per instruction set: which triangle is nearest at each sample, and light.
#pragma once

namespace torsor::render {

inline constexpr int kLanes = 8;  // pixels that are computed together; rows are padded to a multiple

// A triangle as a view sees it, coordinates in pixels. Point (x, y) is inside where all three e = a x + b y + c exceed
// their limit; e of corner i, divided by the sum of all three, is its weight there, correct in perspective. The key
// grows towards the camera and is linear on the screen: 1 / depth, or -depth for an orthographic view.
struct Triangle {
  float a[3], b[3], c[3], limit[3];
  float key_x, key_y, key_0;
  int x0, x1, y0, y1;  // pixels that it may touch: x0 <= x < x1
};

// Some rows of a picture: key and id of what is nearest, for every sample of every pixel. Sample s of row r starts at
// ((r - top) * samples + s) * pitch.
struct Band {
  int top, rows, width, pitch, samples;
  float* key;
  int* id;                   // null: keys only
  const float (*offset)[2];  // of the samples from the middle of the pixel
  float nearest;             // keys beyond this are in front of the near plane
};

// Points of surfaces that are lit, arrays of `count` numbers (padded to a multiple of kLanes), in the frame of the
// camera.
struct Fragments {
  int count;
  float *x, *y, *z, *normal_x, *normal_y, *normal_z;
  float *specular, *shininess;       // of the material; shininess as an exponent
  float *diffuse[3], *highlight[3];  // sums over the lights
};

// A light, in the frame of the camera.
struct LightSource {
  bool is_directional;
  float position[3], direction[3];
  float ambient[3], diffuse[3], specular[3], attenuation[3];
  float cos_cutoff, exponent;  // of a spot light; -1 and 0 for one that shines everywhere
  const float* visible;        // part of the light that is not in the shadow at each fragment
};

struct RasterKernels {
  // Draws triangles, given by their indices, which become the ids of the samples.
  void (*cover)(const Band& band, const Triangle* triangles, const int* ids, int count);
  // Adds a light to the sums of the fragments.
  void (*light)(const Fragments& fragments, const LightSource& light, bool is_orthographic);
};

const RasterKernels& raster_kernels();

}  // namespace torsor::render
