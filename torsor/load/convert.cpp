// From any model file to any other: through the Spec, where the target holds one, else through the Model.
#include "torsor/load/convert.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "torsor/format/binary/binary.hpp"
#include "torsor/format/files.hpp"
#include "torsor/format/mesh/mesh_file.hpp"
#include "torsor/format/mjz.hpp"
#include "torsor/format/urdf/write.hpp"
#include "torsor/format/zip.hpp"

namespace torsor {
namespace {

std::string format_of_output(const std::string& path) {
  const std::string ending = file_extension(path);
  if (ending == "xml" || ending == "mjcf") return "mjcf";
  if (ending == "urdf") return "urdf";
  if (ending == "mjz" || ending == "zip") return "mjz";
  if (ending == "torsor") return "binary";
  throw Error({Diagnostic{Severity::kError,
                          {},
                          fmt::format("'{}': the format of a model to write is known by its ending", path),
                          ".xml (MJCF), .urdf, .mjz or .zip, .torsor (binary), .usda, .usdc or .usdz"}});
}

std::string start_of(const std::string& path) {
  std::string start(4096, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<size_t>(file.gcount()));
  return start;
}

void check_not_same(const std::string& input, const std::string& output) {
  std::error_code ignored;  // a file that does not exist is not the same
  if (std::filesystem::equivalent(input, output, ignored))
    throw Error(fmt::format("'{}' is the model itself: writing there would destroy it", output));
}

void save(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())) || !file.flush())
    throw Error(fmt::format("cannot write '{}'", path));
}

void save_all(const FileSystem& files, const std::string& output, Conversion& out) {
  for (const auto& [name, bytes] : files) {
    const std::string path = join_path(directory_of(output), name);
    std::error_code ignored;  // writing the file says so
    std::filesystem::create_directories(directory_of(path), ignored);
    save(path, bytes);
    out.files.push_back(path);
  }
}

// The files of an archive are written beside the model.
void unpack(Spec spec, const std::string& output, Conversion& out) {
  const FileSystem files = pack_assets(spec, file_stem(output) + "_assets");
  save(output, write_mjcf_string(spec));
  out.files.push_back(output);
  save_all(files, output, out);
}

void convert_spec(const std::string& input, const std::string& output, const LoadOptions& options, Conversion& out) {
  if (out.from == "binary")
    throw Error(
        fmt::format("'{}' is a compiled model, in which default classes and files of assets are gone (the Python "
                    "package finds a Spec of it)",
                    input));
  Spec spec = read_mjcf_file(input, options);
  out.warnings = spec.warnings;
  inline_collada(spec);
  if (out.from == "mjz" && out.to == "mjcf") return unpack(std::move(spec), output, out);
  out.to == "mjz" ? save(output, write_mjz(spec)) : write_mjcf_file(spec, output);
  out.files.push_back(output);
}

void convert_model(const std::string& input, const std::string& output, const LoadOptions& options, Conversion& out) {
  const Model model = load(input, options);
  out.warnings = model.warnings;
  out.files.push_back(output);
  if (out.to == "urdf") {
    UrdfFiles files = write_urdf(model, file_stem(output) + "_meshes");
    save(output, files.text);
    save_all(files.meshes, output, out);
    out.losses = std::move(files.losses);
    return;
  }
  save_binary(model, output);
  LossList losses;
  for (int t = 0; t < model.ntex; ++t)
    losses.add("texture", urdf::name_of(model, ObjectType::kTexture, t), "a compiled model has no images");
  if (out.from != "binary") losses.add("source", "a compiled model has no default classes and no names of files");
  out.losses = losses.take();
}

}  // namespace

// By the first element of XML, which comes after declarations and comments.
std::string format_of_model(const std::string& path) {
  if (!is_regular_file(path)) return "mjcf";  // the reader says what is wrong
  const std::string start = start_of(path);
  if (is_binary(start)) return "binary";
  if (is_zip(start)) return "mjz";
  size_t at = start.find('<');
  while (at != std::string::npos && at + 1 < start.size() && (start[at + 1] == '?' || start[at + 1] == '!')) {
    const bool is_comment = start.compare(at, 4, "<!--") == 0;
    at = start.find('<', start.find(is_comment ? "-->" : ">", at));
  }
  return at != std::string::npos && start.compare(at, 6, "<robot") == 0 ? "urdf" : "mjcf";
}

Conversion convert_file(const std::string& input, const std::string& output, const LoadOptions& options) {
  Conversion out;
  out.to = format_of_output(output);
  if (std::filesystem::is_directory(input)) throw Error(fmt::format("'{}' is a folder, not a model file", input));
  out.from = format_of_model(input);
  check_not_same(input, output);
  const bool needs_spec = out.to == "mjcf" || out.to == "mjz";
  (needs_spec ? convert_spec : convert_model)(input, output, options, out);
  return out;
}

}  // namespace torsor
