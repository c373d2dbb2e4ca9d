#include "cli/rollout_cluster.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/python_command.hpp"
#include "cli/validators.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/format/npy.hpp"

namespace torsor::cli {
namespace {

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())) || !file.flush())
    throw Error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

std::string make_folder() {
  std::error_code failure;
  const auto parent = std::filesystem::temp_directory_path(failure);
  std::string name = (failure ? "/tmp" : parent.string()) + "/torsor_rollout_XXXXXX";
  if (!mkdtemp(name.data())) throw Error(fmt::format("{}: cannot be made: {}", name, std::strerror(errno)));
  return name;
}

void write_job(const ClusterJob& job, const ClusterOptions& options, const std::string& folder) {
  const size_t count = static_cast<size_t>(job.count), steps = static_cast<size_t>(job.steps);
  const size_t nu = static_cast<size_t>(job.model.nu);
  write_bytes(folder + "/model.bin", to_bytes(job.model));
  write_bytes(folder + "/states.npy", format_npy_array({{count, job.states.size() / count}, job.states}));
  if (nu > 0) {
    const bool is_one_for_all = job.controls.size() == nu;
    const std::vector<size_t> shape = {is_one_for_all ? 1 : count, is_one_for_all ? 1 : steps, nu};
    write_bytes(folder + "/controls.npy", format_npy_array({shape, job.controls}));
  }
  const nlohmann::json text = {{"count", job.count},
                               {"steps", job.steps},
                               {"model", job.model_text},
                               {"method", job.method_text},
                               {"csv", job.csv},
                               {"words", job.words},
                               {"cluster", options.address},
                               {"workers", options.workers},
                               {"isa", options.isa},
                               {"checkpoint", options.checkpoint}};
  write_bytes(folder + "/job.json", text.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

void ClusterOptions::add_to(CLI::App& command) {
  CLI::Option* cluster =
      command
          .add_option("--cluster", address,
                      "Run on a Ray cluster: its address, or auto for the one that this machine belongs to, else all "
                      "cores of this machine; needs torsor[ray]")
          ->type_name("ADDRESS");
  command.add_option("--workers", workers, "Rollouts at the same time on the cluster (default: one per core)")
      ->needs(cluster)
      ->type_name("N")
      ->check(whole(1, 1e6));
  command
      .add_option("--isa", isa,
                  "Instruction set of all nodes, where they have different ones (default: that of this machine)")
      ->needs(cluster)
      ->type_name("NAME");
  command.add_option("--checkpoint", checkpoint, "Folder for results so far; the same command continues from it")
      ->needs(cluster)
      ->type_name("FOLDER");
  command.add_option("--finished", finished, "Write the table of a job that was run")->group("");
}

int run_on_cluster(const ClusterJob& job, const ClusterOptions& options) {
  struct Folder {  // removed however Python ends
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(name, ignored);
    }
    const std::string name = make_folder();
  } folder;
  write_job(job, options, folder.name);
  return wait_for_python("rollout_on_cluster", {folder.name});
}

std::vector<double> read_finished_states(const std::string& folder) {
  const std::string path = folder + "/last.npy";
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (!file || !(bytes << file.rdbuf())) throw Error(fmt::format("{}: cannot be read", path));
  return parse_npy_array(bytes.str(), path).numbers;
}

}  // namespace torsor::cli
