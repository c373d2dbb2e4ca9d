// Pictures of a model: colours, depths, and which element is seen at each pixel. Runs on the processor alone, without a
// display, a graphics card or a library for them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "torsor/render/camera.hpp"
#include "torsor/render/draw_list.hpp"
#include "torsor/render/picture.hpp"
#include "torsor/render/shade.hpp"
#include "torsor/view/skins.hpp"
#include "torsor/view/textures.hpp"

namespace torsor::render {

enum class Style {
  kModel,   // lights and sky of the model, as MuJoCo draws it: without a sky texture the background is black
  kStudio,  // a bright sky where the model has none, and a light with a shadow where it has no lights
};

struct RenderOptions {
  int samples = 4;  // per pixel: 1, 4 or 16
  bool with_shadows = true;
  Style style = Style::kModel;
  DrawOptions draw{};
};

class Renderer {
 public:
  // The model must live as long as the renderer. Textures are drawn here; "warnings" says which could not be read.
  // Throws Error for a size that is not in 1 ... kLargestSide.
  Renderer(const Model& model, int height, int width, const view::TextureSource& textures = {},
           RenderOptions options = {});
  ~Renderer();

  int height() const { return height_; }
  int width() const { return width_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  RenderOptions& options() { return options_; }

  // Takes the poses in `data` as they are: those of forward(), or of the state before the last step().
  void update_scene(const Data& data, const FreeCamera& camera);
  // A camera of the model; -1 is the free camera that MuJoCo starts with.
  void update_scene(const Data& data, int camera = -1);
  // What the caller lists, as a camera of the caller sees it. Skins among it must have been posed.
  void update_scene(DrawList list, const Projection& view);
  void pose_skin(int skin, const view::PosedSkin& posed);

  // The pictures of the scene that was updated last. Rows from the top.
  void render(std::uint8_t* rgb);  // 3 bytes per pixel
  Picture render();
  // Depth along the axis of the camera in metres; the far plane where nothing is.
  void render_depth(float* depth);
  // Id and ObjectType of the element at each pixel, -1 and -1 for none.
  void render_segmentation(int* id_and_type);

 private:
  struct Shapes;
  // What one view shows.
  struct Scene {
    DrawList list;
    std::vector<Drawn> drawn;
    std::unique_ptr<Screen> screen;
    ScreenTriangles triangles;
    std::vector<int> transparent;  // instances, the farthest first
  };
  void update_scene(const Data& data, const Projection& view);
  void place(const Projection& view);
  void place_endless(Instance& instance, const Projection& view) const;
  void require_scene() const;
  // The first surface that reflects, if the camera is in front of it; else -1.
  int find_mirror() const;
  // What is seen in it, as a picture of floats.
  std::vector<float> draw_reflection(int mirror);
  void add_reflection(const Band& band, int y, int mirror, const std::vector<float>& reflection, float* row) const;
  // Rows of colours from 0 to 1, band by band.
  using TakeColours = std::function<void(size_t start, const std::vector<float>& colours)>;
  void for_colours(bool with_sky, const TakeColours& take);
  // Calls each(band) for bands of rows in which everything that is solid is drawn.
  template <class Each>
  void for_bands(int samples, bool with_transparent, Each each);

  const Model& model_;
  int height_, width_;
  RenderOptions options_;
  std::vector<std::string> warnings_;
  TextureList textures_;
  const Texture* sky_ = nullptr;
  std::unique_ptr<Shapes> shapes_;
  Scene scene_;
};

}  // namespace torsor::render
