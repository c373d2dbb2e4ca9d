// NPZ: a ZIP archive with one NPY member per field.
#include "torsor/format/motion/read.hpp"

namespace torsor {

MotionClip parse_motion_npz(std::string_view bytes, const MotionReadOptions& options, const std::string& file) {
  MotionFields fields;
  for (const ZipMember& member : parse_zip(bytes, file)) {
    std::string name = member.name;
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    fields[name] = parse_npy_array(member.bytes, file + ": " + name);
  }
  return clip_from_fields(fields, options, file);
}

std::string format_motion_npz(const MotionFields& fields, ZipMethod method) {
  std::vector<ZipMember> members;
  for (const auto& [name, array] : fields) members.push_back({name + ".npy", format_npy_array(array)});
  return format_zip(members, method);
}

}  // namespace torsor
