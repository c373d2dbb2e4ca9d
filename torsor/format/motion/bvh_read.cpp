// BVH text to a clip.
#include <array>
#include <cctype>

#include "torsor/convention/euler.hpp"
#include "torsor/core/count.hpp"
#include "torsor/format/motion/bvh.hpp"
#include "torsor/format/motion/text_cursor.hpp"

namespace torsor {
namespace {

constexpr double kBvhDegree = M_PI / 180;
constexpr size_t kMostBodies = 10'000;

bool is_word(const Word& word, std::string_view expected) {  // in either case
  return word.text.size() == expected.size() &&
         std::equal(word.text.begin(), word.text.end(), expected.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
         });
}

// One number of a frame: which component of which body it sets.
struct BvhChannel {
  int body;
  int axis;
  bool is_rotation;
};

constexpr std::array<const char*, 6> kBvhChannelNames = {"Xposition", "Yposition", "Zposition",
                                                         "Xrotation", "Yrotation", "Zrotation"};

class BvhReader {
 public:
  BvhReader(std::string_view text, const BvhOptions& options, const std::string& file)
      : cursor_(text, file), options_(options) {}

  MotionClip read() {
    expect("HIERARCHY");
    read_hierarchy();
    read_motion_header();
    read_frames();
    return std::move(clip_);
  }

 private:
  Word expect(std::string_view word) {
    const Word found = cursor_.next();
    if (!is_word(found, word)) cursor_.fail(found, fmt::format("expected {}, got {}", word, TextCursor::shown(found)));
    return found;
  }

  Vec3<double> read_offset() {
    expect("OFFSET");
    Vec3<double> offset;
    for (double* element : {&offset.x, &offset.y, &offset.z})
      *element = cursor_.number(cursor_.next(), "OFFSET") * options_.unit;
    return offset;
  }

  void read_channels(int body) {
    const Word word = cursor_.next();
    const double count = cursor_.number(word, "CHANNELS");
    if (count != std::floor(count) || count < 0 || count > 6)
      cursor_.fail(word, fmt::format("CHANNELS must be a whole number from 0 to 6, got {}", count));
    for (int i = 0; i < int(count); ++i) {
      const Word name = cursor_.next();
      int kind = 0;
      while (kind < 6 && !is_word(name, kBvhChannelNames[size_t(kind)])) ++kind;
      if (kind == 6) {
        const std::string nearest =
            find_nearest(std::string(name.text), {kBvhChannelNames.begin(), kBvhChannelNames.end()});
        cursor_.fail(name, fmt::format("{} is not a channel", TextCursor::shown(name)),
                     nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest));
      }
      for (const BvhChannel& other : channels_) {
        if (other.body == body && other.axis == kind % 3 && other.is_rotation == (kind >= 3))
          cursor_.fail(name, fmt::format("'{}' has two channels {}", clip_.bodies[size_t(body)].name,
                                         kBvhChannelNames[size_t(kind)]));
      }
      channels_.push_back({body, kind % 3, kind >= 3});
      if (kind < 3 && body > 0) clip_.body_pos.resize(1);  // bodies slide: filled in once the hierarchy is known
    }
  }

  // The name of a joint: the rest of the line, since some programs write names with blanks.
  std::string read_name() {
    Word word = cursor_.next_in_line();
    std::string name(word.text);
    while (true) {
      word = cursor_.next_in_line();
      if (word.text.empty()) return name;
      if (word.text == "{") return pending_brace_ = true, name;
      name += ' ';
      name += word.text;
    }
  }
  void open_brace() {
    if (!pending_brace_) expect("{");
    pending_brace_ = false;
  }

  void add_body(const Word& where, int parent) {
    if (clip_.bodies.size() >= kMostBodies) cursor_.fail(where, fmt::format("more than {} joints", kMostBodies));
    MotionBody body;
    body.name = read_name();
    if (body.name.empty()) cursor_.fail(where, "a joint without a name");
    for (const MotionBody& other : clip_.bodies) {
      if (other.name == body.name) cursor_.fail(where, fmt::format("two joints are named '{}'", body.name));
    }
    body.parent = parent;
    open_brace();
    body.p_PoBo_P = read_offset();
    clip_.bodies.push_back(body);
  }

  void read_end(int body) {
    const Word site = cursor_.next();
    if (!is_word(site, "Site"))
      cursor_.fail(site, fmt::format("expected End Site, got End {}", TextCursor::shown(site)));
    open_brace();
    clip_.ends.push_back({body, read_offset()});
    expect("}");
  }

  // Joints nest; a stack instead of recursion, so that deep nesting costs no stack memory.
  void read_hierarchy() {
    add_body(expect("ROOT"), -1);
    std::vector<int> open{0};
    while (!open.empty()) {
      const Word word = cursor_.next();
      if (is_word(word, "CHANNELS")) {
        read_channels(open.back());
      } else if (is_word(word, "JOINT")) {
        add_body(word, open.back());
        open.push_back(clip_.nbody() - 1);
      } else if (is_word(word, "End")) {
        read_end(open.back());
      } else if (word.text == "}") {
        open.pop_back();
      } else {
        cursor_.fail(word, fmt::format("expected CHANNELS, JOINT, End Site or }} in '{}', got {}",
                                       clip_.bodies[size_t(open.back())].name, TextCursor::shown(word)));
      }
    }
  }

  void read_motion_header() {
    const Word motion = cursor_.next();
    if (is_word(motion, "ROOT")) cursor_.fail(motion, "a second ROOT", "a clip has one figure: split the file");
    if (!is_word(motion, "MOTION"))
      cursor_.fail(motion, fmt::format("expected MOTION, got {}", TextCursor::shown(motion)));
    expect("Frames:");
    const Word frames = cursor_.next();
    frames_ = cursor_.number(frames, "Frames");
    if (frames_ != std::floor(frames_) || frames_ < 1 || frames_ > double(kMostNumbers))
      cursor_.fail(frames, fmt::format("Frames must be a whole number from 1 on, got {}", TextCursor::shown(frames)));
    expect("Frame");
    expect("Time:");
    const Word time = cursor_.next();
    const double seconds = cursor_.number(time, "Frame Time");
    if (seconds <= 0) cursor_.fail(time, fmt::format("Frame Time must be positive, got {}", TextCursor::shown(time)));
    clip_.fps = rate_of(seconds, time.text);
  }

  // Files round the frame time: 0.0333333 means 30 frames a second. A whole number of frames that gives the written
  // digits is what was meant.
  static double rate_of(double seconds, std::string_view digits) {
    const size_t point = digits.find('.');
    const bool is_decimal = point != digits.npos && digits.find_first_of("eE") == digits.npos;
    const double unit = is_decimal ? std::pow(10.0, -double(digits.size() - point - 1)) : 0;
    const double whole = std::round(1 / seconds);
    return whole >= 1 && std::abs(1 / whole - seconds) < unit ? whole : 1 / seconds;
  }

  void read_frames() {
    const bool slides = !clip_.body_pos.empty();
    clip_.body_pos.clear();
    const size_t most_frames = size_t(kMostNumbers) / std::max<size_t>(1, clip_.bodies.size() * 7);
    int frame = 0;
    for (; cursor_.next_line(); ++frame) {
      if (frame >= frames_)
        cursor_.fail(cursor_.next(), fmt::format("more than the {} frames that the header says", frames_));
      if (size_t(frame) >= most_frames) cursor_.fail(cursor_.next(), "too many frames");
      read_frame(frame, slides);
    }
    if (frame < frames_) cursor_.fail(cursor_.next(), fmt::format("{} frames, but the header says {}", frame, frames_));
    clip_.frames = frame;
    to_z_up(clip_, options_.up);
  }

  void read_frame(int frame, bool slides) {
    std::vector<Quat<double>>& q = rotations_;
    std::vector<Vec3<double>>& p = positions_;
    q.assign(clip_.bodies.size(), Quat<double>::identity());
    p.resize(clip_.bodies.size());
    for (size_t b = 0; b < clip_.bodies.size(); ++b) p[b] = clip_.bodies[b].p_PoBo_P;
    for (const BvhChannel& channel : channels_) {
      const Word word = cursor_.next_in_line();
      if (word.text.empty())
        cursor_.fail(word, fmt::format("frame {} has {} numbers, but the hierarchy has {} channels", frame,
                                       &channel - channels_.data(), channels_.size()));
      const double value = cursor_.number(word, "channel value");
      if (channel.is_rotation) {
        const Vec3<double> axis{double(channel.axis == 0), double(channel.axis == 1), double(channel.axis == 2)};
        q[size_t(channel.body)] = q[size_t(channel.body)] * from_axis_angle(axis, value * kBvhDegree);
      } else {
        (&p[size_t(channel.body)].x)[channel.axis] = value * options_.unit;
      }
    }
    if (const Word word = cursor_.next_in_line(); !word.text.empty())
      cursor_.fail(word, fmt::format("frame {} has more than {} numbers, the channels of the hierarchy", frame,
                                     channels_.size()));
    append(clip_.root_pos, {p[0].x, p[0].y, p[0].z});
    append(clip_.root_quat, {q[0].w, q[0].x, q[0].y, q[0].z});
    for (const Quat<double>& each : q) append(clip_.body_quat, {each.w, each.x, each.y, each.z});
    if (!slides) return;
    for (const Vec3<double>& each : p) append(clip_.body_pos, {each.x, each.y, each.z});
  }
  static void append(std::vector<double>& values, std::initializer_list<double> more) {
    values.insert(values.end(), more);
  }

  TextCursor cursor_;
  const BvhOptions& options_;
  MotionClip clip_;
  std::vector<BvhChannel> channels_;
  double frames_ = 0;
  bool pending_brace_ = false;
  std::vector<Quat<double>> rotations_;  // of the frame that is being read
  std::vector<Vec3<double>> positions_;
};

// By a quarter of a turn about x, forwards or backwards.
void turn_world(MotionClip& clip, int sense) {
  constexpr double kRootHalf = 0.70710678118654752440;
  const Quat<double> q_VW{kRootHalf, sense * kRootHalf, 0, 0};
  for (int frame = 0; frame < clip.frames; ++frame) {
    const Vec3<double> p = clip.p_WoRo_W(frame);
    store3(&clip.root_pos[size_t(frame) * 3], {p.x, 0 - sense * p.z, 0 + sense * p.y});  // 0 - 0 is not -0
    const Quat<double> q_VR = normalized(q_VW * clip.q_WR(frame));
    store4(&clip.root_quat[size_t(frame) * 4], q_VR);
    if (clip.nbody() > 0) store4(&clip.body_quat[size_t(frame) * clip.bodies.size() * 4], q_VR);
  }
}

}  // namespace

void to_z_up(MotionClip& clip, UpAxis up) {
  if (up == UpAxis::kY) turn_world(clip, 1);
}
void from_z_up(MotionClip& clip, UpAxis up) {
  if (up == UpAxis::kY) turn_world(clip, -1);
}

MotionClip parse_bvh(std::string_view text, const BvhOptions& options, const std::string& file) {
  if (!(options.unit > 0) || !std::isfinite(options.unit))
    throw Error({Diagnostic{Severity::kError, {file, 0, 0}, "BVH files have no unit of length", kBvhUnitHint}});
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  MotionClip clip = BvhReader(text, options, file).read();
  clip.convention = "bvh";
  check_clip(clip);
  return clip;
}

}  // namespace torsor
