// The schema of MJCF: every element and attribute, supported or refused by name.
#pragma once

#include <string>
#include <vector>

namespace torsor {

struct SchemaAttribute {
  std::string name, unit, meaning;
  bool writable = true;  // whether it can be written from a Spec
};

struct SchemaElement {
  std::string path;       // such as "mujoco/asset/mesh"; bodies nest below "mujoco/worldbody/body"
  bool supported = true;  // false: refused by name, with everything below it
  std::string section;    // of refused elements: the entry of ReadOptions::ignore that leaves it out, or ""
  std::vector<SchemaAttribute> attributes;
};

std::vector<SchemaElement> mjcf_schema();

}  // namespace torsor
