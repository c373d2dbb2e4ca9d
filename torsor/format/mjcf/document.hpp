// The tree of elements of a model, in which the contents of included files replace their <include>.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "torsor/format/files.hpp"
#include "torsor/format/mjcf/budget.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/format/mjcf/report.hpp"
#include "torsor/format/mjcf/source.hpp"

namespace torsor::mjcf {

// The deepest nesting of elements, includes counted.
constexpr int kMaxDepth = 500;

struct Element {
  pugi::xml_node node;
  const Source* source = nullptr;
  const Element* parent = nullptr;
  const Element* first_child = nullptr;
  const Element* next = nullptr;

  std::string_view name() const { return node.name(); }
  bool has(const char* attribute) const { return !node.attribute(attribute).empty(); }
  std::string_view text(const char* attribute) const { return node.attribute(attribute).value(); }
  Location where() const { return source->locate(node); }
  Location where(std::string_view attribute) const { return source->locate(node, attribute); }

  // for (const Element& child : element)
  class Iterator {
   public:
    explicit Iterator(const Element* at) : at_(at) {}
    const Element& operator*() const { return *at_; }
    Iterator& operator++() {
      at_ = at_->next;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const Element* at_;
  };
  Iterator begin() const { return Iterator(first_child); }
  Iterator end() const { return Iterator(nullptr); }
};

class Document {
 public:
  // Throws an Error for malformed XML. Problems with included files are added to the report, and their contents left
  // out; `access` applies to those files.
  static Document from_file(const std::string& path, const FoundFile& file, const FileAccess& access, Budget& budget,
                            Report& report);
  static Document from_string(const std::string& text, const FileAccess& access, Budget& budget, Report& report);

  const Element& root() const { return *root_; }
  const std::string& base_dir() const { return base_dir_; }  // included files are relative to it

 private:
  Document(const FileAccess& access, Budget& budget, Report& report)
      : access_(access), budget_(&budget), report_(&report) {}

  // Where the next element goes: after the last child of its parent.
  struct Cursor {
    Element& parent;
    Element* last = nullptr;
  };

  void set_main(std::string name, std::shared_ptr<const std::string> text);
  Element& append(Cursor& to, pugi::xml_node node, const Source& source);
  void add_children(Cursor& to, pugi::xml_node from, const Source& source, int depth);
  void add_included(Cursor& to, pugi::xml_node include, const Source& source, int depth);
  const Source* open_include(pugi::xml_node include, const Source& source);

  FileAccess access_;  // to included files
  Budget* budget_;
  Report* report_;
  std::string base_dir_;
  std::deque<Source> sources_;
  std::deque<Element> elements_;  // a deque, because elements point to each other
  std::unordered_set<std::string> opened_;
  const Source* warned_about_text_ = nullptr;
  const Element* root_ = nullptr;
};

}  // namespace torsor::mjcf
