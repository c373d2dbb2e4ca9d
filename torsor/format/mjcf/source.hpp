// The text of one XML file, and locations in it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "torsor/core/error.hpp"

namespace torsor::mjcf {

class Source {
 public:
  // Throws an Error for text that is not XML.
  Source(std::string name, std::shared_ptr<const std::string> text);

  const std::string& name() const { return name_; }
  const pugi::xml_document& document() const { return document_; }

  Location locate(std::size_t offset) const;  // columns count bytes
  Location locate(pugi::xml_node node) const;
  // pugixml knows the offsets of nodes only, so the start tag is scanned again.
  Location locate(pugi::xml_node node, std::string_view attribute) const;

 private:
  std::string name_;
  std::shared_ptr<const std::string> text_;
  std::vector<std::size_t> line_starts_;
  pugi::xml_document document_;
};

}  // namespace torsor::mjcf
