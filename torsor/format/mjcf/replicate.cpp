// Expands <replicate> once the whole Spec has been read, because elements of later sections are copied too.
#include "torsor/format/mjcf/replicate.hpp"

#include <algorithm>
#include <numbers>
#include <span>

#include <fmt/format.h>

#include "torsor/convention/euler.hpp"
#include "torsor/format/mjcf/attached_keys.hpp"
#include "torsor/format/mjcf/key_sizes.hpp"
#include "torsor/format/mjcf/references.hpp"
#include "torsor/format/mjcf/replicated_keys.hpp"
#include "torsor/format/mjcf/tables.hpp"
#include "torsor/math/pose.hpp"

namespace torsor::mjcf {
namespace {

constexpr int kMaxCopies = 1'000'000;  // more are taken for a typing error

void read_count(ReplicateSpec& replicate, const Value& value) {
  int count = 0;
  if (read_numbers(&count, 1, 1, value, kExact) == 0) return;
  if (count > kMaxCopies) return value.fail(fmt::format("is at most {}, got {}", kMaxCopies, count));
  replicate.count = std::max(count, 0);
}

constexpr Attribute<ReplicateSpec> kReplicateAttributes[] = {
    {"count", {read_count, written<&ReplicateSpec::count>}, "", "number of copies", true},
    {"prefix", {[](ReplicateSpec&, const Value&) {}, never_written}, "", "has no effect, as in MuJoCo"},
    {"sep", into<&ReplicateSpec::sep>, "", "text between a name and the number of the copy"},
    {"offset", into<&ReplicateSpec::offset>, "m", "offset from each copy to the next, in the frame of the former"},
    {"euler", into<&ReplicateSpec::euler>, kAngle, "rotation from each copy to the next"},
};

// The suffix of one copy's names: numbers are padded to the same number of digits.
std::string suffix_of(const ReplicateSpec& replicate, int copy) {
  const int digits = static_cast<int>(std::to_string(replicate.count).size());
  return fmt::format("{}{:0{}}", replicate.sep, copy, digits);
}

// The Euler angles of a copy are multiples of the given ones; the offset to the next copy is in its frame.
Quat<double> rotation_of(const ReplicateSpec& replicate, int copy, const CompilerSpec& compiler) {
  const double unit = copy * (compiler.degree ? std::numbers::pi / 180 : 1);
  const Vec3<double> angles{replicate.euler[0] * unit, replicate.euler[1] * unit, replicate.euler[2] * unit};
  const auto sequence = rotations::make_euler_sequence(compiler.eulerseq, rotations::EulerSpelling::kMujoco);
  return rotations::quat_from_euler(sequence, angles);
}

class Expansion {
 public:
  Expansion(const ReplicateSpec& replicate, bool has_keys, Spec& spec, Budget& budget, Report& report)
      : replicate_(replicate),
        has_keys_(has_keys),
        spec_(spec),
        budget_(budget),
        report_(report),
        body_(static_cast<std::size_t>(replicate.body)) {}

  // Returns by how much the indices of bodies from `first_later_body()` on increased.
  int run();
  const KeyLayout& keys() const { return keys_; }
  int first_later_body() const { return static_cast<int>(last_body_); }

 private:
  BodySpec& body() { return spec_.bodies[body_]; }

  void find_contents();
  void take_from_budget();
  bool is_in_contents(int frame) const { return frame >= 0 && inside_[static_cast<std::size_t>(frame)]; }
  template <class T>
  void add_names(ObjectType kind, const std::vector<T>& parts, bool all);
  void copy_frames();
  template <class T>
  void copy_parts(std::vector<T>& parts);
  void copy_bodies();
  void rename_contents(BodySpec& copy, const std::string& suffix);
  template <class T>
  void rename(T& element, const std::string& suffix);
  void lay_out_joints_and_mocaps();
  void lay_out_actuators();
  template <class T>
  bool refers_inside(const T& element) const;
  template <class T>
  void copy_referring(ObjectType type, std::vector<T>& elements);
  void name_tuples();

  const ReplicateSpec& replicate_;
  const bool has_keys_;
  Spec& spec_;
  Budget& budget_;
  Report& report_;
  std::size_t body_;
  std::vector<int> frames_;                     // of the contents, beginning with that of the <replicate>
  std::vector<bool> inside_;                    // whether a frame of the body is one of them
  std::vector<std::vector<int>> copied_;        // frame of each copy, by the original frame's index
  std::size_t first_body_ = 0, last_body_ = 0;  // bodies of the contents
  Names names_;
  KeyLayout keys_;
};

void Expansion::find_contents() {
  const std::vector<FrameSpec>& frames = body().frames;
  copied_.resize(frames.size());
  inside_.resize(frames.size());
  for (int f = replicate_.frame; f < static_cast<int>(frames.size()); ++f) {
    if (f != replicate_.frame && !is_in_contents(frames[static_cast<std::size_t>(f)].parent_frame)) continue;
    inside_[static_cast<std::size_t>(f)] = true;
    frames_.push_back(f);
  }
  // bodies are in depth-first order, so those of the contents are contiguous
  const auto is_inside = [&](const BodySpec& b) { return b.parent == replicate_.body && is_in_contents(b.frame); };
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

// Before anything is copied, since a few lines can request any number of elements.
void Expansion::take_from_budget() {
  Count elements(frames_.size());
  const auto add = [&](const auto& parts) {
    for (const auto& part : parts) elements += is_in_contents(part.frame) ? 1 : 0;
  };
  add(body().joints);
  add(body().geoms);
  add(body().sites);
  add(body().cameras);
  add(body().lights);
  for (std::size_t b = first_body_; b < last_body_; ++b) elements += count_elements(spec_.bodies[b]);
  budget_.take_elements(elements * Count(replicate_.count), replicate_.location, "<replicate>", report_);
}

template <class T>
void Expansion::add_names(ObjectType kind, const std::vector<T>& parts, bool all) {
  for (const T& part : parts) {
    if (all || is_in_contents(part.frame)) names_.add(kind, part.name);
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

// The first copy keeps the frames; the others get new frames, each offset from the previous one.
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

// Elements of the contents are contiguous in their list; the copies replace them.
template <class T>
void Expansion::copy_parts(std::vector<T>& parts) {
  const auto is_inside = [&](const T& part) { return is_in_contents(part.frame); };
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

template <class T>
bool Expansion::refers_inside(const T& element) const {
  bool found = false;
  for_each_reference(element,
                     [&](ObjectType kind, const std::string& name) { found = found || names_.has(kind, name); });
  return found;
}

// Elements that refer to the contents are copied too, those that also refer to something else included; the copies come
// after the elements that do not.
template <class T>
void Expansion::copy_referring(ObjectType type, std::vector<T>& elements) {
  std::vector<T> referring, others;
  for (T& element : elements) {
    const bool is_inside = refers_inside(element);
    (is_inside ? referring : others).push_back(std::move(element));
  }
  Count bytes;
  for (const T& element : referring) bytes += weigh_element(element);
  budget_.take(bytes * Count(replicate_.count), replicate_.location, "<replicate>", report_);
  for (int copy = 0; copy < replicate_.count; ++copy) {
    for (const T& element : referring) rename(others.emplace_back(element), suffix_of(replicate_, copy));
  }
  for (const T& element : referring) names_.add(type, element.name);
  elements = std::move(others);
}

// Tuples may name tuples that come later.
void Expansion::name_tuples() {
  for (bool found = true; found;) {
    found = false;
    for (const TupleSpec& tuple : spec_.tuples) {
      if (names_.has(ObjectType::kTuple, tuple.name) || !refers_inside(tuple)) continue;
      names_.add(ObjectType::kTuple, tuple.name);
      found = true;
    }
  }
}

// The sources of keyframe numbers, in the new order of joints and bodies.
void Expansion::lay_out_joints_and_mocaps() {
  const std::vector<BodySpec>& bodies = spec_.bodies;
  struct Address {
    int qpos = 0, qvel = 0, mocap = 0;
  };
  std::vector<Address> addresses{{}};
  for (const BodySpec& b : bodies) {
    const Address& a = addresses.back();
    addresses.push_back(
        {a.qpos + sum_over_joints(b, qpos_size), a.qvel + sum_over_joints(b, dof_size), a.mocap + b.mocap});
  }
  const auto add_joints = [&](std::size_t b, int copy, const auto& is_wanted) {
    Address at = addresses[b];
    for (const JointSpec& joint : bodies[b].joints) {
      if (is_wanted(joint)) keys_.add_joint(at.qpos, at.qvel, joint, copy);
      at.qpos += qpos_size(joint);
      at.qvel += dof_size(joint);
    }
  };
  const auto any = [](const JointSpec&) { return true; };
  const auto add_body = [&](std::size_t b, int copy) {
    add_joints(b, copy, any);
    if (bodies[b].mocap) keys_.add_mocap(addresses[b].mocap, copy);
  };
  // joints of the enclosing body: those before the contents, the copies, those after
  const auto add_around = [&] {
    bool is_behind = false;
    const auto is_inside = [&](const JointSpec& joint) { return is_in_contents(joint.frame); };
    add_joints(body_, -1, [&](const JointSpec& joint) {
      is_behind = is_behind || is_inside(joint);
      return !is_behind;
    });
    for (int copy = 0; copy < replicate_.count; ++copy) add_joints(body_, copy, is_inside);
    is_behind = false;
    add_joints(body_, -1, [&](const JointSpec& joint) {
      is_behind = is_behind || is_inside(joint);
      return is_behind && !is_inside(joint);
    });
    if (body().mocap) keys_.add_mocap(addresses[body_].mocap, -1);
  };
  for (std::size_t b = 0; b < first_body_; ++b) b == body_ ? add_around() : add_body(b, -1);
  for (int copy = 0; copy < replicate_.count; ++copy) {
    for (std::size_t b = first_body_; b < last_body_; ++b) add_body(b, copy);
  }
  for (std::size_t b = last_body_; b < bodies.size(); ++b) add_body(b, -1);
}

// Those outside come first.
void Expansion::lay_out_actuators() {
  for (int copy = -1; copy < replicate_.count; ++copy) {
    int ctrl = 0, act = 0;
    for (const ActuatorSpec& actuator : spec_.actuators) {
      if (refers_inside(actuator) == (copy >= 0)) keys_.add_actuator(ctrl, act, actuator, copy);
      ctrl += ctrl_size(actuator);
      act += act_size(actuator);
    }
  }
}

int Expansion::run() {
  find_contents();
  take_from_budget();
  if (has_keys_) lay_out_joints_and_mocaps();
  copy_frames();
  copy_parts(body().joints);
  copy_parts(body().geoms);
  copy_parts(body().sites);
  copy_parts(body().cameras);
  copy_parts(body().lights);
  copy_bodies();
  copy_referring<PairSpec>(ObjectType::kPair, spec_.pairs);
  copy_referring<ExcludeSpec>(ObjectType::kExclude, spec_.excludes);
  copy_referring<TendonSpec>(ObjectType::kTendon, spec_.tendons);
  copy_referring<EqualitySpec>(ObjectType::kEquality, spec_.equalities);
  if (has_keys_) lay_out_actuators();
  copy_referring<ActuatorSpec>(ObjectType::kActuator, spec_.actuators);
  copy_referring<SensorSpec>(ObjectType::kSensor, spec_.sensors);
  name_tuples();
  copy_referring<TupleSpec>(ObjectType::kTuple, spec_.tuples);
  return static_cast<int>(last_body_ - first_body_) * (replicate_.count - 1);
}

}  // namespace

Table<ReplicateSpec> replicate_attributes() { return kReplicateAttributes; }

namespace {

// Later replicates are inside bodies that the copies moved.
void move_later(std::span<ReplicateSpec> later, const Expansion& done, int moved) {
  for (ReplicateSpec& replicate : later) {
    if (replicate.body >= done.first_later_body()) replicate.body += moved;
  }
}

}  // namespace

Spec expand_so_far(const Spec& spec, std::vector<ReplicateSpec> replicates, Budget& budget, Report& report) {
  Spec expanded = spec;
  for (std::size_t r = 0; r < replicates.size(); ++r) {
    Expansion expansion(replicates[r], false, expanded, budget, report);
    const int moved = expansion.run();
    move_later(std::span(replicates).subspan(r + 1), expansion, moved);
  }
  return expanded;
}

void assemble(std::vector<ReplicateSpec>& replicates, std::vector<Attachment>& attachments, Spec& spec, Budget& budget,
              Report& report) {
  const std::vector<KeySpec> own_keys = spec.keys;
  ReplicatedKeys keys(attachments, spec);
  std::size_t finished = 0;
  const auto finish = [&](Attachment& part) {
    budget.take(weigh_attachment(part, spec, own_keys.size()), part.location, "<attach>", report);
    finish_attachment(part, own_keys, spec);
  };
  for (auto replicate = replicates.begin(); replicate != replicates.end(); ++replicate) {
    for (; finished < static_cast<std::size_t>(replicate->attached_before); ++finished) {
      finish(attachments[finished]);
    }
    Expansion expansion(*replicate, !keys.empty(), spec, budget, report);
    const int moved = expansion.run(), first_later = expansion.first_later_body();
    budget.take(keys.weigh(expansion.keys()), replicate->location, "<replicate>, with its keyframes,", report);
    keys.expand(expansion.keys());
    move_later(std::span(replicate + 1, replicates.end()), expansion, moved);
    for (std::size_t a = finished; a < attachments.size(); ++a) {
      for (auto& [from, to] : attachments[a].bodies) {
        if (to >= first_later) to += moved;
      }
    }
  }
  for (; finished < attachments.size(); ++finished) finish(attachments[finished]);
  keys.finish();
}

}  // namespace torsor::mjcf
