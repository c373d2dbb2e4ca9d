// torsor rollout --cluster: the program makes states and controls, Python runs them on Ray, the program writes the
// table.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "torsor/model/model.hpp"

namespace torsor::cli {

struct ClusterOptions {
  std::string address;     // "" without --cluster
  int workers = 0;         // 0: all that the cluster has
  std::string checkpoint;  // folder, "" for none
  std::string isa;         // "" for that of this machine
  std::string finished;    // the folder of a job that Python has run: only the table is left to write

  void add_to(CLI::App& command);
};

// What Python needs to run the rollouts and to describe them.
struct ClusterJob {
  const Model& model;
  int count, steps;
  const std::vector<double>& states;    // count x state
  const std::vector<double>& controls;  // count x steps x nu, or one for all: nu
  std::string model_text, method_text;  // for the summary
  std::string csv;                      // --csv, "" for none
  const std::vector<std::string>&
      words;  // of the command line, with which Python starts the program again for the table
};

// Writes the job into a temporary folder and runs Python on it; returns its exit code.
int run_on_cluster(const ClusterJob& job, const ClusterOptions& options);

// The final states of a job that has been run, count x state.
std::vector<double> read_finished_states(const std::string& folder);

}  // namespace torsor::cli
