// Where the frames of `torsor render` go: numbered PNG files, or a video that ffmpeg makes.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "torsor/render/picture.hpp"

namespace torsor::cli {

class Film {
 public:
  virtual ~Film() = default;
  virtual void add(const render::Picture& picture) = 0;
  // Ends the film. Throws Error if it could not be written.
  virtual void close() = 0;
};

// Whether a file name is that of a video: .mp4, .webm, .mkv, .mov or .gif.
bool is_video(const std::string& path);
// Whether a file name has a place for a number: frame_%04d.png.
bool is_numbered(const std::string& path);

// Throws Error if the name is neither, or if ffmpeg is not installed.
std::unique_ptr<Film> make_film(const std::string& path, int width, int height, double fps);

}  // namespace torsor::cli
