// A clip to BVH text.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/convention/euler.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/motion/bvh.hpp"

namespace torsor {
namespace {

class BvhWriter {
 public:
  BvhWriter(const MotionClip& clip, const BvhOptions& options)
      : clip_(clip),
        options_(options),
        sequence_(rotations::make_euler_sequence(options.rotations, rotations::EulerSpelling::kMujoco)),
        children_(clip.bodies.size()),
        ends_(clip.bodies.size()) {
    if (!sequence_.reaches_every_rotation())
      throw Error(fmt::format("rotations '{}' cannot express every rotation: neighbouring axes must differ",
                              options.rotations));
    for (const char letter : options.rotations) {
      if (letter < 'x' || letter > 'z')
        throw Error(
            fmt::format("rotations '{}': BVH rotates about moving axes, lower-case letters", options.rotations));
    }
    if (options.rotations[0] == options.rotations[2])
      throw Error(fmt::format("rotations '{}': a joint of BVH has each channel once", options.rotations));
    for (const MotionBody& body : clip.bodies) check_name(body.name);
    for (int b = 1; b < clip.nbody(); ++b) children_[size_t(clip.bodies[size_t(b)].parent)].push_back(b);
    for (const MotionEnd& end : clip.ends) ends_[size_t(end.body)].push_back(end.p_BoEo_B);
  }

  std::string write() {
    text_ = "HIERARCHY\n";
    write_hierarchy();
    text_ += fmt::format("MOTION\nFrames: {}\nFrame Time: {}\n", clip_.frames, 1 / clip_.fps);
    MotionClip turned = clip_;
    from_z_up(turned, options_.up);
    for (int frame = 0; frame < clip_.frames; ++frame) write_frame(turned, frame);
    return std::move(text_);
  }

 private:
  // The reader takes the rest of the line as the name.
  static void check_name(const std::string& name) {
    const auto is_odd = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '{' || c == '}'; };
    if (name.empty() || name.front() == ' ' || name.back() == ' ' || std::any_of(name.begin(), name.end(), is_odd) ||
        name.find("  ") != name.npos)
      throw Error(fmt::format("BVH cannot have a joint named '{}'", name));
  }
  void line(size_t depth, const std::string& content) {
    text_.append(depth, '\t');
    text_ += content;
    text_ += '\n';
  }
  std::string offset(const Vec3<double>& p) const {
    return fmt::format("OFFSET {} {} {}", p.x / options_.unit, p.y / options_.unit, p.z / options_.unit);
  }
  bool slides(int body) const { return body == 0 || !clip_.body_pos.empty(); }

  // A body with its children, depth first, which is the order of the channels. A stack, since chains may be long.
  void write_hierarchy() {
    struct Open {
      int body;
      size_t next_child;
    };
    std::vector<Open> open;
    const auto enter = [&](int body) {
      const size_t depth = open.size();
      line(depth, fmt::format("{} {}", body == 0 ? "ROOT" : "JOINT", clip_.bodies[size_t(body)].name));
      line(depth, "{");
      line(depth + 1, offset(clip_.bodies[size_t(body)].p_PoBo_P));
      std::string channels = slides(body) ? "CHANNELS 6 Xposition Yposition Zposition" : "CHANNELS 3";
      for (const char letter : options_.rotations) channels += fmt::format(" {}rotation", char(letter - 'x' + 'X'));
      line(depth + 1, channels);
      for (const Vec3<double>& end : ends_[size_t(body)]) {
        line(depth + 1, "End Site");
        line(depth + 1, "{");
        line(depth + 2, offset(end));
        line(depth + 1, "}");
      }
      order_.push_back(body);
      open.push_back({body, 0});
    };
    enter(0);
    while (!open.empty()) {
      Open& top = open.back();
      const std::vector<int>& children = children_[size_t(top.body)];
      if (top.next_child < children.size()) {
        const int child = children[top.next_child++];
        enter(child);
      } else {
        line(open.size() - 1, "}");
        open.pop_back();
      }
    }
  }

  void write_frame(const MotionClip& turned, int frame) {
    std::string separator;
    for (const int body : order_) {
      if (slides(body)) {
        const Vec3<double> p = body == 0
                                   ? turned.p_WoRo_W(frame)
                                   : load3(&clip_.body_pos[(size_t(frame) * clip_.bodies.size() + size_t(body)) * 3]);
        text_ += fmt::format("{}{} {} {}", separator, p.x / options_.unit, p.y / options_.unit, p.z / options_.unit);
        separator = " ";
      }
      const Quat<double> q =
          body == 0 ? turned.q_WR(frame) : clip_.bodies[size_t(body)].q_PB0 * turned.rotation(frame, body);
      const Vec3<double> angles = rotations::euler_from_quat(sequence_, q) * (180 / M_PI);
      text_ += fmt::format("{}{} {} {}", separator, angles.x, angles.y, angles.z);
      separator = " ";
    }
    text_ += '\n';
  }

  const MotionClip& clip_;
  const BvhOptions& options_;
  rotations::EulerSequence sequence_;
  std::vector<std::vector<int>> children_;
  std::vector<std::vector<Vec3<double>>> ends_;
  std::vector<int> order_;  // bodies as the file lists them
  std::string text_;
};

}  // namespace

std::string format_bvh(const MotionClip& clip, const BvhOptions& options) {
  require_tree(clip);
  if (!(options.unit > 0) || !std::isfinite(options.unit))
    throw Error({Diagnostic{Severity::kError, {}, "BVH files have no unit of length", kBvhUnitHint}});
  return BvhWriter(clip, options).write();
}

}  // namespace torsor
