// Builds the tree of elements, including the contents of included files.
#include "torsor/format/mjcf/document.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace torsor::mjcf {
namespace {

std::string identity_of(const std::string& path) { return std::filesystem::path(path).lexically_normal().string(); }

}  // namespace

Document Document::from_file(const std::string& path, const FoundFile& file, const FileAccess& access, Budget& budget,
                             Report& report) {
  Document document(access, budget, report);
  document.base_dir_ = directory_of(path);
  document.opened_.insert(identity_of(file.path));
  document.set_main(path, file.bytes);
  return document;
}

Document Document::from_string(const std::string& text, const FileAccess& access, Budget& budget, Report& report) {
  Document document(access, budget, report);
  document.set_main("", std::make_shared<const std::string>(text));
  return document;
}

void Document::set_main(std::string name, std::shared_ptr<const std::string> text) {
  const Source& source = sources_.emplace_back(std::move(name), std::move(text));
  const pugi::xml_node node = source.document().document_element();
  Element& root = elements_.emplace_back(Element{node, &source});
  Cursor below{root};
  add_children(below, node, source, 1);
  root_ = &root;
}

Element& Document::append(Cursor& to, pugi::xml_node node, const Source& source) {
  Element& element = elements_.emplace_back(Element{node, &source, &to.parent});
  if (!budget_->add(kBytesPerElement)) budget_->fail(element.where(), "the number of elements", *report_);
  (to.last ? to.last->next : to.parent.first_child) = &element;
  to.last = &element;
  return element;
}

void Document::add_children(Cursor& to, pugi::xml_node from, const Source& source, int depth) {
  if (depth > kMaxDepth) {
    report_->error(source.locate(from), fmt::format("elements are nested deeper than {}", kMaxDepth));
    report_->throw_if_errors();
  }
  for (const pugi::xml_node node : from) {
    if (node.type() != pugi::node_element) {
      if (warned_about_text_ == &source) continue;
      report_->warning(source.locate(from), fmt::format("text inside <{}> is ignored", from.name()));
      warned_about_text_ = &source;
    } else if (std::string_view(node.name()) == "include") {
      add_included(to, node, source, depth);
    } else {
      Cursor below{append(to, node, source)};
      add_children(below, node, source, depth + 1);
    }
  }
}

// The root element of an included file is only a wrapper: its children replace the <include>.
void Document::add_included(Cursor& to, pugi::xml_node include, const Source& source, int depth) {
  const Source* file = open_include(include, source);
  if (!file) return report_->faults().set_incomplete();
  const pugi::xml_node root = file->document().document_element();
  if (!root.first_child()) {
    report_->error(source.locate(include, "file"), fmt::format("'{}' has nothing to include", file->name()));
  }
  add_children(to, root, *file, depth + 1);
}

const Source* Document::open_include(pugi::xml_node include, const Source& source) {
  for (const pugi::xml_attribute attribute : include.attributes()) {
    if (std::string_view(attribute.name()) == "file") continue;
    report_->error(source.locate(include, attribute.name()), "the only attribute of include is 'file'");
  }
  const std::string name = include.attribute("file").value();
  if (name.empty()) {
    report_->error(source.locate(include), "include needs the attribute 'file'");
    return nullptr;
  }
  if (include.first_child()) report_->error(source.locate(include), "include cannot have children");
  const Location where = source.locate(include, "file");
  std::optional<FoundFile> file;
  try {
    file = find_file(access_, {join_path(base_dir_, name), join_path(directory_of(source.name()), name)});
    if (!file) report_->error(where, fmt::format("cannot open the included file '{}'", join_path(base_dir_, name)));
  } catch (const Error& error) {
    for (const Diagnostic& d : error.diagnostics()) report_->error(where, d.message, d.hint);
  }
  if (!file) return nullptr;
  if (!opened_.insert(identity_of(file->path)).second) {
    report_->error(where, fmt::format("'{}' is included twice; a file can be included only once", name));
    return nullptr;
  }
  try {
    return &sources_.emplace_back(file->path, file->bytes);
  } catch (const Error& error) {
    for (const Diagnostic& d : error.diagnostics()) report_->error(d.where, d.message, d.hint);
    return nullptr;
  }
}

}  // namespace torsor::mjcf
