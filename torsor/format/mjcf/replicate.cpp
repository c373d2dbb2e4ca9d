// Expands <replicate> in a Spec that has been read whole, because elements of later sections are copied too.
#include "torsor/format/mjcf/replicate.hpp"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "torsor/convention/euler.hpp"
#include "torsor/format/mjcf/references.hpp"
#include "torsor/format/mjcf/tables.hpp"
#include "torsor/math/pose.hpp"

namespace torsor::mjcf {
namespace {

constexpr int kMaxCopies = 1'000'000;  // more are typing errors

void read_count(ReplicateSpec& replicate, const Value& value) {
  int count = 0;
  if (read_numbers(&count, 1, 1, value, kExact) == 0) return;
  if (count > kMaxCopies) return value.fail(fmt::format("is at most {}, got {}", kMaxCopies, count));
  replicate.count = std::max(count, 0);
}

constexpr Attribute<ReplicateSpec> kReplicateAttributes[] = {
    {"count", {read_count, written<&ReplicateSpec::count>}, "", "number of copies", true},
    {"sep", into<&ReplicateSpec::sep>, "", "text between a name and the number of the copy"},
    {"offset", into<&ReplicateSpec::offset>, "m", "from each copy to the next, in the frame of the former"},
    {"euler", into<&ReplicateSpec::euler>, kAngle, "rotation from each copy to the next"},
};

// One copy's part of every name: all have as many digits as the count.
std::string suffix_of(const ReplicateSpec& replicate, int copy) {
  const int digits = static_cast<int>(std::to_string(replicate.count).size());
  return fmt::format("{}{:0{}}", replicate.sep, copy, digits);
}

// The angles of a copy are multiples of the given ones; from one copy to the next leads the offset in its frame.
Quat<double> rotation_of(const ReplicateSpec& replicate, int copy, const CompilerSpec& compiler) {
  const double unit = copy * (compiler.degree ? std::numbers::pi / 180 : 1);
  const Vec3<double> angles{replicate.euler[0] * unit, replicate.euler[1] * unit, replicate.euler[2] * unit};
  const auto sequence = rotations::make_euler_sequence(compiler.eulerseq, rotations::EulerSpelling::kMujoco);
  return rotations::quat_from_euler(sequence, angles);
}

class Expansion {
 public:
  Expansion(const ReplicateSpec& replicate, Spec& spec, Report& report)
      : replicate_(replicate), spec_(spec), report_(report), body_(static_cast<std::size_t>(replicate.body)) {}

  // How many bodies behind `first_later_body()` moved back by.
  int run();
  int first_later_body() const { return static_cast<int>(last_body_); }

 private:
  BodySpec& body() { return spec_.bodies[body_]; }

  void find_contents();
  template <class T>
  void add_names(ObjectType kind, const std::vector<T>& parts, bool all);
  void copy_frames();
  template <class T>
  void copy_parts(std::vector<T>& parts);
  void copy_bodies();
  void rename_contents(BodySpec& copy, const std::string& suffix);
  template <class T>
  void rename(T& element, const std::string& suffix);
  template <class T>
  void copy_referring(std::string_view kind, ObjectType type, std::vector<T>& elements,
                      bool (*may_be_partial)(const T&));

  const ReplicateSpec& replicate_;
  Spec& spec_;
  Report& report_;
  std::size_t body_;
  std::vector<int> frames_;                     // of the contents, the replicate's own first
  std::vector<std::vector<int>> copied_;        // frame of each copy, by the original frame's index
  std::size_t first_body_ = 0, last_body_ = 0;  // bodies of the contents
  Names names_;
};

void Expansion::find_contents() {
  const std::vector<FrameSpec>& frames = body().frames;
  copied_.resize(frames.size());
  for (int f = replicate_.frame; f < static_cast<int>(frames.size()); ++f) {
    const int parent = frames[static_cast<std::size_t>(f)].parent_frame;
    const bool inside = f == replicate_.frame || std::find(frames_.begin(), frames_.end(), parent) != frames_.end();
    if (inside) frames_.push_back(f);
  }
  // bodies are depth first, so those of the contents stand together
  const auto is_inside = [&](const BodySpec& b) {
    return b.parent == replicate_.body && std::find(frames_.begin(), frames_.end(), b.frame) != frames_.end();
  };
  std::vector<BodySpec>& bodies = spec_.bodies;
  first_body_ = static_cast<std::size_t>(std::find_if(bodies.begin(), bodies.end(), is_inside) - bodies.begin());
  last_body_ = first_body_;
  while (last_body_ < bodies.size() &&
         (is_inside(bodies[last_body_]) || bodies[last_body_].parent >= static_cast<int>(first_body_))) {
    ++last_body_;
  }
  const auto add_all = [&](const BodySpec& b, bool all) {
    add_names(ObjectType::kJoint, b.joints, all);
    add_names(ObjectType::kGeom, b.geoms, all);
    add_names(ObjectType::kSite, b.sites, all);
    add_names(ObjectType::kCamera, b.cameras, all);
    add_names(ObjectType::kLight, b.lights, all);
  };
  add_all(body(), false);
  for (std::size_t b = first_body_; b < last_body_; ++b) {
    names_.add(ObjectType::kBody, bodies[b].name);
    add_all(bodies[b], true);
  }
}

template <class T>
void Expansion::add_names(ObjectType kind, const std::vector<T>& parts, bool all) {
  for (const T& part : parts) {
    if (all || std::find(frames_.begin(), frames_.end(), part.frame) != frames_.end()) names_.add(kind, part.name);
  }
}

template <class T>
void Expansion::rename(T& element, const std::string& suffix) {
  if (!element.name.empty()) element.name += suffix;
  if constexpr (requires { for_each_reference(element, [](ObjectType, std::string&) {}); }) {
    for_each_reference(element, [&](ObjectType kind, std::string& name) {
      if (names_.has(kind, name)) name += suffix;
    });
  }
}

// The first copy keeps the frames as they are; the others get frames of their own, moved on step by step.
void Expansion::copy_frames() {
  const Vec3<double> offset{replicate_.offset[0], replicate_.offset[1], replicate_.offset[2]};
  Pose<double> X = Pose<double>::identity();
  for (int copy = 0; copy < replicate_.count; ++copy) {
    for (const int f : frames_) {
      const auto original = static_cast<std::size_t>(f);
      int index = f;
      if (copy > 0) {
        FrameSpec frame = body().frames[original];
        if (f != replicate_.frame) frame.parent_frame = copied_[static_cast<std::size_t>(frame.parent_frame)].back();
        index = static_cast<int>(body().frames.size());
        body().frames.push_back(std::move(frame));
      }
      copied_[original].push_back(index);
    }
    FrameSpec& root =
        body().frames[static_cast<std::size_t>(copied_[static_cast<std::size_t>(replicate_.frame)].back())];
    X.q = rotation_of(replicate_, copy, spec_.compiler);
    store3(root.pos.data(), X.p);
    store4(root.orientation.quat.data(), X.q);
    X.p = apply(X, offset);
  }
  for (int copy = replicate_.count - 1; copy >= 0; --copy) {
    for (const int f : frames_) {
      FrameSpec& frame =
          body().frames[static_cast<std::size_t>(copied_[static_cast<std::size_t>(f)][static_cast<std::size_t>(copy)])];
      if (!frame.name.empty()) frame.name += suffix_of(replicate_, copy);
    }
  }
}

// Elements of the contents stand together in their list; the copies take their place.
template <class T>
void Expansion::copy_parts(std::vector<T>& parts) {
  const auto is_inside = [&](const T& part) {
    return std::find(frames_.begin(), frames_.end(), part.frame) != frames_.end();
  };
  const auto first = std::find_if(parts.begin(), parts.end(), is_inside);
  const auto last = std::find_if_not(first, parts.end(), is_inside);
  std::vector<T> all(parts.begin(), first);
  for (int copy = 0; copy < replicate_.count; ++copy) {
    for (auto part = first; part != last; ++part) {
      T& made = all.emplace_back(*part);
      made.frame = copied_[static_cast<std::size_t>(part->frame)][static_cast<std::size_t>(copy)];
      rename(made, suffix_of(replicate_, copy));
    }
  }
  all.insert(all.end(), last, parts.end());
  parts = std::move(all);
}

void Expansion::rename_contents(BodySpec& copy, const std::string& suffix) {
  rename(copy, suffix);
  for (FrameSpec& frame : copy.frames) rename(frame, suffix);
  for (JointSpec& joint : copy.joints) rename(joint, suffix);
  for (GeomSpec& geom : copy.geoms) rename(geom, suffix);
  for (SiteSpec& site : copy.sites) rename(site, suffix);
  for (CameraSpec& camera : copy.cameras) rename(camera, suffix);
  for (LightSpec& light : copy.lights) rename(light, suffix);
}

void Expansion::copy_bodies() {
  std::vector<BodySpec>& bodies = spec_.bodies;
  const std::size_t size = last_body_ - first_body_;
  if (size == 0) return;
  std::vector<BodySpec> all(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(first_body_));
  for (int copy = 0; copy < replicate_.count; ++copy) {
    const int moved = static_cast<int>(size) * copy;
    for (std::size_t b = first_body_; b < last_body_; ++b) {
      BodySpec& made = all.emplace_back(bodies[b]);
      if (made.parent == replicate_.body) {
        made.frame = copied_[static_cast<std::size_t>(made.frame)][static_cast<std::size_t>(copy)];
      } else {
        made.parent += moved;
      }
      rename_contents(made, suffix_of(replicate_, copy));
    }
  }
  const int moved = static_cast<int>(size) * (replicate_.count - 1);
  for (std::size_t b = last_body_; b < bodies.size(); ++b) {
    BodySpec& later = all.emplace_back(std::move(bodies[b]));
    if (later.parent >= static_cast<int>(last_body_)) later.parent += moved;
  }
  bodies = std::move(all);
}

// Elements that refer to the contents, copied for each; the copies come behind the elements that do not.
template <class T>
void Expansion::copy_referring(std::string_view kind, ObjectType type, std::vector<T>& elements,
                               bool (*may_be_partial)(const T&)) {
  std::vector<T> referring, others;
  for (T& element : elements) {
    int inside = 0, outside = 0;
    for_each_reference(element,
                       [&](ObjectType target, std::string& name) { ++(names_.has(target, name) ? inside : outside); });
    if (inside > 0 && outside > 0 && !may_be_partial(element)) {
      report_.error(element.location,
                    fmt::format("{} '{}' refers to elements inside and outside of a <replicate>", kind, element.name));
    }
    (inside > 0 ? referring : others).push_back(std::move(element));
  }
  for (int copy = 0; copy < replicate_.count; ++copy) {
    for (const T& element : referring) rename(others.emplace_back(element), suffix_of(replicate_, copy));
  }
  for (const T& element : referring) names_.add(type, element.name);
  elements = std::move(others);
}

int Expansion::run() {
  find_contents();
  copy_frames();
  copy_parts(body().joints);
  copy_parts(body().geoms);
  copy_parts(body().sites);
  copy_parts(body().cameras);
  copy_parts(body().lights);
  copy_bodies();
  copy_referring<TendonSpec>("tendon", ObjectType::kTendon, spec_.tendons, [](const auto& t) { return t.spatial; });
  copy_referring<ActuatorSpec>("actuator", ObjectType::kActuator, spec_.actuators, [](const auto&) { return false; });
  copy_referring<SensorSpec>("sensor", ObjectType::kSensor, spec_.sensors, [](const auto&) { return true; });
  return static_cast<int>(last_body_ - first_body_) * (replicate_.count - 1);
}

}  // namespace

Table<ReplicateSpec> replicate_attributes() { return kReplicateAttributes; }

void expand_replicates(std::vector<ReplicateSpec>& replicates, Spec& spec, Report& report) {
  if (!replicates.empty() && !spec.keys.empty()) {
    report.error(spec.keys[0].location, "keyframes of models with <replicate> are not supported yet");
  }
  for (auto replicate = replicates.begin(); replicate != replicates.end(); ++replicate) {
    Expansion expansion(*replicate, spec, report);
    const int moved = expansion.run();
    for (auto later = replicate + 1; later != replicates.end(); ++later) {
      if (later->body >= expansion.first_later_body()) later->body += moved;
    }
  }
}

}  // namespace torsor::mjcf
