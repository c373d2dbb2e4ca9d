// <attach> and <asset><model>: parts of other models, with everything that belongs to them, under prefixed names.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "torsor/format/mjcf/attribute.hpp"

namespace torsor::mjcf {

struct ModelAssetSpec : ElementSpec {
  std::string file, content_type;
};

struct AttachSpec {
  std::string model, body, frame, prefix;
};

Table<ModelAssetSpec> model_asset_attributes();
Table<AttachSpec> attach_attributes();

// One attached part, kept until the whole model has been read: its tendons, actuators and keyframes come last.
struct Attachment {
  std::shared_ptr<const Spec> source;
  std::string prefix;
  bool is_self = false;  // the source is the model itself, as read so far
  Location location;
  std::vector<std::pair<int, int>> bodies{};     // in the source, in the model; the world too if all of it is attached
  std::map<std::string, std::string> classes{};  // names of default classes in the source, in the model
  std::vector<std::pair<int, int>> actuators{};  // in the source, in the model
  std::vector<KeySpec> keys{};                   // in the coordinates of the model; some numbers unspecified
};

// Adds the tree below a body of `source` (0: the contents of its world) to `body` of the model, inside a frame; and all
// assets, custom data and default classes of the source. Pass the result to finish_attachment().
Attachment attach(Spec& spec, int body, int frame, std::shared_ptr<const Spec> source, int source_body,
                  const std::string& prefix, bool is_self = false);

// The model reduced to one frame of a body, placed in the world.
std::shared_ptr<const Spec> extract_frame(std::shared_ptr<const Spec> source, int body, int frame);

// Adds tendons, actuators, sensors and tuples of a part, and makes its keyframes.
void finish_attachment(Attachment& part, const std::vector<KeySpec>& own_keys, Spec& spec);

}  // namespace torsor::mjcf
