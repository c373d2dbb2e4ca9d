// Writes the tree of bodies and frames. A Spec keeps one list per kind of element and body, each element with its
// enclosing frame; reading the file must give every list in the same order.
#include <functional>
#include <vector>

#include "torsor/format/mjcf/orientation.hpp"
#include "torsor/format/mjcf/writer.hpp"

namespace torsor::mjcf {
namespace {

std::vector<std::vector<int>> list_children(const Spec& spec) {
  std::vector<std::vector<int>> children(spec.bodies.size());
  for (std::size_t b = 1; b < spec.bodies.size(); ++b) {
    children[static_cast<std::size_t>(spec.bodies[b].parent)].push_back(static_cast<int>(b));
  }
  return children;
}

// A free joint with default values is written as <freejoint>, which ignores default classes.
bool is_freejoint(const JointSpec& joint) {
  if (joint.type != JointType::kFree || !joint.class_name.empty()) return false;
  JointSpec standard;
  standard.type = JointType::kFree;
  standard.group = joint.group;
  pugi::xml_document scratch;
  const Node node = scratch.append_child("joint");
  write_attributes(node, joint, standard, joint_attributes());
  return !node.first_attribute();
}

class TreeWriter {
 public:
  explicit TreeWriter(const Writer& writer) : writer_(writer), children_(list_children(writer.spec)) {}

  void write_contents(Node node, int body, int class_index);

 private:
  // The elements of one kind in one body, and how many of them have been written.
  struct Sequence {
    int count;
    std::function<int(int)> frame_of;
    std::function<void(int, Node, int)> write;
    int next = 0;
  };
  using Sequences = std::vector<Sequence>;

  template <class T>
  static Sequence sequence_of(const std::vector<T>& parts, std::function<void(const T&, Node, int)> write) {
    return {static_cast<int>(parts.size()), [&parts](int i) { return parts[static_cast<std::size_t>(i)].frame; },
            [&parts, write](int i, Node node, int class_index) {
              write(parts[static_cast<std::size_t>(i)], node, class_index);
            }};
  }

  Sequences make_sequences(int body);
  void write_body(int body, Node parent, int class_index);
  int inner_class(const std::string& childclass, int inherited) const {
    return childclass.empty() ? inherited : writer_.class_index(childclass);
  }

  // Writes the elements that are next in their lists and belong to this frame.
  static void write_direct(Node node, int frame, int class_index, Sequences& sequences);
  void write_frame_contents(Node node, const BodySpec& body, int frame, int class_index, Sequences& sequences);
  Node open_frame(Node parent, const FrameSpec& frame, bool with_name) const;
  void write_left_over(Node node, const BodySpec& body, int class_index, Sequences& sequences);

  const Writer& writer_;
  std::vector<std::vector<int>> children_;  // of each body
};

TreeWriter::Sequences TreeWriter::make_sequences(int index) {
  const BodySpec& body = writer_.spec.bodies[static_cast<std::size_t>(index)];
  const std::vector<int>& children = children_[static_cast<std::size_t>(index)];
  Sequences out;
  out.push_back({body.inertial.given ? 1 : 0, [&body](int) { return body.inertial.frame; },
                 [&body](int, Node node, int) {
                   write_attributes(append_child(node, "inertial"), body.inertial, InertialSpec{},
                                    inertial_attributes(), orientation_attributes<InertialSpec>());
                 }});
  out.push_back(sequence_of<JointSpec>(body.joints, [this](const JointSpec& joint, Node node, int class_index) {
    if (is_freejoint(joint)) {
      JointSpec standard;
      write_attributes(append_child(node, "freejoint"), joint, standard, name_attribute(), freejoint_attributes());
    } else {
      writer_.write_element(node, "joint", joint, &DefaultSpec::joint, class_index, joint_attributes());
    }
  }));
  out.push_back(sequence_of<GeomSpec>(body.geoms, [this](const GeomSpec& geom, Node node, int class_index) {
    writer_.write_element(node, "geom", geom, &DefaultSpec::geom, class_index, geom_attributes(),
                          orientation_attributes<GeomSpec>());
  }));
  out.push_back(sequence_of<SiteSpec>(body.sites, [this](const SiteSpec& site, Node node, int class_index) {
    writer_.write_element(node, "site", site, &DefaultSpec::site, class_index, site_attributes(),
                          orientation_attributes<SiteSpec>());
  }));
  out.push_back(sequence_of<CameraSpec>(body.cameras, [this](const CameraSpec& camera, Node node, int class_index) {
    writer_.write_element(node, "camera", camera, &DefaultSpec::camera, class_index, camera_attributes(),
                          camera_own_attributes(), orientation_attributes<CameraSpec>());
  }));
  out.push_back(sequence_of<LightSpec>(body.lights, [this](const LightSpec& light, Node node, int class_index) {
    writer_.write_element(node, "light", light, &DefaultSpec::light, class_index, light_attributes(),
                          light_own_attributes());
  }));
  out.push_back({static_cast<int>(children.size()),
                 [this, &children](int i) {
                   const auto child = static_cast<std::size_t>(children[static_cast<std::size_t>(i)]);
                   return writer_.spec.bodies[child].frame;
                 },
                 [this, &children](int i, Node node, int class_index) {
                   write_body(children[static_cast<std::size_t>(i)], node, class_index);
                 }});
  return out;
}

void TreeWriter::write_body(int index, Node parent, int class_index) {
  const BodySpec& body = writer_.spec.bodies[static_cast<std::size_t>(index)];
  const Node node = append_child(parent, "body");
  write_attributes(node, body, BodySpec{}, name_attribute());
  if (!body.childclass.empty()) set_attribute(node, "childclass", body.childclass);
  write_attributes(node, body, BodySpec{}, body_attributes(), orientation_attributes<BodySpec>());
  write_contents(node, index, inner_class(body.childclass, class_index));
}

void TreeWriter::write_contents(Node node, int index, int class_index) {
  const BodySpec& body = writer_.spec.bodies[static_cast<std::size_t>(index)];
  Sequences sequences = make_sequences(index);
  write_frame_contents(node, body, -1, class_index, sequences);
  write_left_over(node, body, class_index, sequences);
}

void TreeWriter::write_direct(Node node, int frame, int class_index, Sequences& sequences) {
  for (Sequence& sequence : sequences) {
    while (sequence.next < sequence.count && sequence.frame_of(sequence.next) == frame) {
      sequence.write(sequence.next++, node, class_index);
    }
  }
}

void TreeWriter::write_frame_contents(Node node, const BodySpec& body, int frame, int class_index,
                                      Sequences& sequences) {
  write_direct(node, frame, class_index, sequences);
  for (std::size_t f = 0; f < body.frames.size(); ++f) {
    const FrameSpec& inner = body.frames[f];
    if (inner.parent_frame != frame) continue;
    write_frame_contents(open_frame(node, inner, true), body, static_cast<int>(f),
                         inner_class(inner.childclass, class_index), sequences);
    write_direct(node, frame, class_index, sequences);
  }
}

Node TreeWriter::open_frame(Node parent, const FrameSpec& frame, bool with_name) const {
  const Node node = append_child(parent, "frame");
  if (with_name) write_attributes(node, frame, FrameSpec{}, name_attribute());
  if (!frame.childclass.empty()) set_attribute(node, "childclass", frame.childclass);
  write_attributes(node, frame, FrameSpec{}, frame_attributes(), orientation_attributes<FrameSpec>());
  return node;
}

// Lists of an edited Spec may alternate between frames in a way that nesting cannot express: the frames are then
// repeated, without names.
void TreeWriter::write_left_over(Node node, const BodySpec& body, int class_index, Sequences& sequences) {
  for (Sequence& sequence : sequences) {
    while (sequence.next < sequence.count) {
      const int frame = sequence.frame_of(sequence.next);
      std::vector<const FrameSpec*> chain;
      for (int f = frame; f >= 0; f = chain.back()->parent_frame) {
        chain.push_back(&body.frames[static_cast<std::size_t>(f)]);
      }
      Node inner = node;
      int inner_index = class_index;
      for (auto f = chain.rbegin(); f != chain.rend(); ++f) {
        inner = open_frame(inner, **f, false);
        inner_index = inner_class((*f)->childclass, inner_index);
      }
      write_direct(inner, frame, inner_index, sequences);
    }
  }
}

}  // namespace

void write_worldbody(Node root, const Writer& writer) {
  const Node node = append_child(root, "worldbody");
  TreeWriter(writer).write_contents(node, 0, 0);
  if (!node.first_child()) root.remove_child(node);
}

}  // namespace torsor::mjcf
