// Reads a model: the document with its includes, then section by section into a Spec.
#include "torsor/format/mjcf/mjcf.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "torsor/format/files.hpp"
#include "torsor/format/mjcf/asset_paths.hpp"
#include "torsor/format/mjcf/reader.hpp"
#include "torsor/format/mjcf/refused.hpp"
#include "torsor/format/mjz.hpp"
#include "torsor/format/urdf/urdf.hpp"
#include "torsor/format/zip.hpp"

namespace torsor {
namespace mjcf {
namespace {

constexpr Attribute<Spec> kRootAttributes[] = {
    {"model", into<&Spec::modelname>, "", "name of the model"},
};

struct SectionReader {
  std::string_view name;
  void (*read)(const Element&, Reader&);
};

// Sections in the order in which they are read, whatever their order in the file: default classes before their uses.
constexpr SectionReader kSectionReaders[] = {
    {"compiler", read_compiler},     {"option", read_option},     {"size", read_size},
    {"statistic", read_statistic},   {"visual", read_visual},     {"default", read_default},
    {"custom", read_custom},         {"asset", read_asset},       {"worldbody", read_worldbody},
    {"keyframe", read_keyframe},     {"contact", read_contact},   {"equality", read_equality},
    {"tendon", read_tendon},         {"actuator", read_actuator}, {"sensor", read_sensor},
    {"deformable", read_deformable},
};

bool is_section(std::string_view name) {
  return std::any_of(std::begin(kSectionReaders), std::end(kSectionReaders),
                     [&](const auto& s) { return s.name == name; });
}

void check_ignore(const ReadOptions& options) {
  const auto valid = ignorable_sections();
  const std::vector<std::string> names(valid.begin(), valid.end());
  for (const std::string& name : options.ignore) {
    if (name == kEverythingUnsupported || std::find(valid.begin(), valid.end(), name) != valid.end()) continue;
    throw Error(
        fmt::format("ignore: '{}' is not a section that can be left out; those are {}; {} leaves out what is "
                    "not supported",
                    name, fmt::join(names, ", "), kEverythingUnsupported));
  }
}

constexpr std::string_view kUrdfRoot = "robot";

void check_root(const Element& root) {
  if (root.name() == "mujoco" || root.name() == kUrdfRoot) return;
  const std::string hint = root.name() == "mujocoinclude" ? "this file is meant to be included by another" : "";
  throw Error({Diagnostic{
      Severity::kError, root.where(),
      fmt::format("the root element of a model is <mujoco>, or <robot> in URDF, got <{}>", root.name()), hint}});
}

void read_sections(const Element& root, Reader& reader) {
  read_attributes(root, reader.spec, reader.report, root_attributes());
  for (const SectionReader& section : kSectionReaders) {
    for (const Element& child : root) {
      if (child.name() == section.name) section.read(child, reader);
    }
  }
  for (const Element& child : root) {
    if (!is_section(child.name())) reader.reject(child, "mujoco");
  }
}

// A URDF file may have settings of ours in an element <mujoco>; bodies come from its links alone.
void read_urdf(const Element& root, Reader& reader) {
  constexpr std::string_view kSettings[] = {"compiler", "option", "size", "statistic", "visual"};
  for (const Element& child : root) {
    if (child.name() != "mujoco") continue;
    for (const Element& section : child) {
      if (std::find(std::begin(kSettings), std::end(kSettings), section.name()) == std::end(kSettings))
        reader.report.error(section, fmt::format("<mujoco> in a URDF file cannot have <{}>: it has {}", section.name(),
                                                 fmt::join(kSettings, ", ")));
    }
    read_sections(child, reader);
  }
  urdf::add_robot(urdf::read_robot(root, reader.report), reader.options.urdf, reader.spec, reader.report);
}

Spec read_document(const Document& document, Reader& reader) {
  const Element& root = document.root();
  check_root(root);
  reader.spec.base_dir = document.base_dir();
  reader.spec.files = reader.options.files;
  reader.spec.restrict = reader.options.restrict;
  reader.spec.memory_limit = reader.options.memory_limit;
  if (reader.options.defaults) reader.spec.defaults[0] = *reader.options.defaults;
  reader.spec.defaults[0].name = "main";
  root.name() == kUrdfRoot ? read_urdf(root, reader) : read_sections(root, reader);
  leave_out_dependents(reader);
  assemble(reader.replicates, reader.attachments, reader.spec, reader.budget, reader.report);
  check_names(reader.spec, reader.report);
  reader.spec.warnings = reader.report.warnings();
  return std::move(reader.spec);
}

FoundFile open_model(const std::string& path, const FileAccess& access) {
  if (auto file = find_file(access, {path})) return *file;
  throw Error(fmt::format("cannot open '{}'", path));
}

// Malformed XML is the only error then; errors that stop the reader are reported with those before them.
template <class MakeDocument>
Spec read_model(Reader& reader, Findings& findings, MakeDocument&& make_document) {
  const Document document = make_document();
  Spec spec = read_document(document, reader);
  findings = reader.report.take_findings();
  return spec;
}

// A model in an archive reads the files of the archive and those in memory; from disk only where that is asked for.
Spec read_archive(const std::string& path, const std::string& bytes, const ReadOptions& options, Findings& findings) {
  MjzArchive archive = read_mjz(bytes, path, options.memory_limit);
  ReadOptions inside = options;
  if (options.files) archive.files.insert(options.files->begin(), options.files->end());
  inside.files = std::make_shared<const FileSystem>(std::move(archive.files));
  if (!inside.restrict) inside.restrict.emplace();
  return read_mjcf_file(archive.model, inside, findings);
}

}  // namespace

Table<Spec> root_attributes() { return kRootAttributes; }

ModelAsset read_model_asset(const ModelAssetSpec& asset, Reader& reader) {
  const std::string path = join_path(reader.spec.base_dir, asset.file);
  if (std::find(reader.opened.begin(), reader.opened.end(), path) != reader.opened.end()) {
    reader.report.error(asset.location, fmt::format("'{}' is a model asset of itself", asset.file));
    reader.report.faults().set_incomplete();
    return {};
  }
  constexpr std::size_t kMaxModels = 50;
  if (reader.opened.size() > kMaxModels) {
    reader.report.error(asset.location, fmt::format("models are nested deeper than {}", kMaxModels));
    reader.report.faults().set_incomplete();
    return {};
  }
  try {
    Reader inner(reader.options, reader.budget);
    inner.opened = reader.opened;
    inner.opened.push_back(path);
    const FoundFile file = open_model(path, reader.access());
    const auto document = Document::from_file(path, file, reader.access(), reader.budget, inner.report);
    Spec spec = read_document(document, inner);
    inner.report.throw_if_errors();
    settle_asset_paths(spec);
    return {std::make_shared<const Spec>(std::move(spec)), std::move(inner.given)};
  } catch (const Error& error) {
    if (error.diagnostics().empty()) reader.report.error(asset.location, error.what());
    for (const Diagnostic& d : error.diagnostics()) {
      reader.report.error(d.where.line > 0 ? d.where : asset.location, d.message, d.hint);
    }
    reader.report.faults().set_incomplete();
    return {};
  }
}

}  // namespace mjcf

Spec read_mjcf_file(const std::string& path, const ReadOptions& options, Findings& findings) {
  mjcf::check_ignore(options);
  mjcf::Budget budget(options.memory_limit);
  mjcf::Reader reader(options, budget);
  reader.opened.push_back(path);
  // restrictions apply to files that the model refers to, not to the model itself
  const FoundFile file = mjcf::open_model(path, {options.files, {}, options.memory_limit});
  if (is_zip(*file.bytes)) return mjcf::read_archive(path, *file.bytes, options, findings);
  return mjcf::read_model(
      reader, findings, [&] { return mjcf::Document::from_file(path, file, reader.access(), budget, reader.report); });
}

Spec read_mjcf_string(const std::string& text, const ReadOptions& options, Findings& findings) {
  mjcf::check_ignore(options);
  ReadOptions own = options;
  if (!own.restrict) own.restrict.emplace();
  mjcf::Budget budget(options.memory_limit);
  mjcf::Reader reader(own, budget);
  return mjcf::read_model(reader, findings,
                          [&] { return mjcf::Document::from_string(text, reader.access(), budget, reader.report); });
}

Spec read_mjcf_file(const std::string& path, const ReadOptions& options) {
  Findings findings;
  Spec spec = read_mjcf_file(path, options, findings);
  findings.diagnostics.throw_if_errors();
  return spec;
}

Spec read_mjcf_string(const std::string& text, const ReadOptions& options) {
  Findings findings;
  Spec spec = read_mjcf_string(text, options, findings);
  findings.diagnostics.throw_if_errors();
  return spec;
}

}  // namespace torsor
