// torsor state: converts recorded states from one convention to another.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_source.hpp"
#include "cli/numbers.hpp"
#include "cli/rows_option.hpp"
#include "cli/state_columns.hpp"
#include "cli/terminal.hpp"
#include "cli/validators.hpp"
#include "torsor/bridge/state_map.hpp"
#include "torsor/convention/convert.hpp"

namespace torsor::cli {
namespace {

struct StateArguments {
  std::string file, from, to, out, from_order, to_order, joint_order;
  ModelSource model;
  std::vector<double> com;
  ColumnHints hints;
  RowsOption rows;
  bool json = false;
};

// One conversion.
struct Task {
  JointSystem system;
  Convention from, to;
  StateMapOptions orders;
  bool is_body = false;  // one body without a model
  StateLayout from_layout, to_layout;
};

std::optional<Order> read_order(const std::string& text, const JointSystem& system) {
  if (text.empty()) return std::nullopt;
  const bool is_name = std::any_of(system.joints.begin(), system.joints.end(),
                                   [&](const JointCoordinates& joint) { return joint.name == text; });
  if (!is_name && text.find(',') == text.npos) return parse_order(text);
  std::vector<std::string> names;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(',', start), text.size());
    names.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return names;
}

// The joint order of one side: from its own option, or from --joint-order if the convention does not specify one.
std::optional<Order> choose_order(const StateArguments& arguments, const Convention& convention,
                                  const std::string& own_order, const JointSystem& system) {
  const bool is_open = convention.row.joints == JointOrder::kUnspecified;
  if (!own_order.empty()) return read_order(own_order, system);
  if (is_open && !arguments.joint_order.empty()) return read_order(arguments.joint_order, system);
  if (!is_open || system.joints.size() < 2) return std::nullopt;
  throw Error({Diagnostic{Severity::kError,
                          {},
                          fmt::format("the {} convention does not specify a joint order", convention.id),
                          fmt::format("pass --joint-order with {}, or all joint names separated by commas",
                                      list_of_choices(order_names()))}});
}

void choose_orders(const StateArguments& arguments, Task& task) {
  const bool from_is_open = task.from.row.joints == JointOrder::kUnspecified && arguments.from_order.empty();
  const bool to_is_open = task.to.row.joints == JointOrder::kUnspecified && arguments.to_order.empty();
  if (!arguments.joint_order.empty() && !task.is_body && !from_is_open && !to_is_open)
    throw Error(
        fmt::format("--joint-order has no effect: the order of {} and of {} is known; --from-order and "
                    "--to-order override it",
                    task.from.id, task.to.id));
  task.orders.from_order = choose_order(arguments, task.from, arguments.from_order, task.system);
  task.orders.to_order = choose_order(arguments, task.to, arguments.to_order, task.system);
}

Task make_task(const StateArguments& arguments) {
  arguments.rows.load();
  Task task;
  task.from = find_convention(arguments.from), task.to = find_convention(arguments.to);
  task.is_body = arguments.model.file.empty();
  if (task.is_body) {
    JointCoordinates body;
    body.kind = CoordinateKind::kFree;
    if (!arguments.com.empty()) body.place.p_BoBcm_B = load3(arguments.com.data());
    task.system = {{{""}, {-1}}, {body}};
    for (const Convention* convention : {&task.from, &task.to}) require(*convention, Quantity::kPose);
  } else {
    task.system = make_joint_system(arguments.model.load());
  }
  choose_orders(arguments, task);
  if (!task.is_body) StateMap(task.system, task.from, task.to, task.orders);  // throws for unspecified cells
  task.from_layout = make_layout(task.system, task.from, task.orders.from_order);
  task.to_layout = make_layout(task.system, task.to, task.orders.to_order);
  if (task.is_body) task.from_layout.joints[0].name = task.to_layout.joints[0].name = "";
  return task;
}

// Converts whole states of a model, or those of one body, for which only the quantities in the file must be specified.
class Conversion {
 public:
  explicit Conversion(const Task& task) {
    if (task.is_body)
      body_.emplace(task.from, task.to, task.system.joints[0].place);
    else
      map_.emplace(task.system, task.from, task.to, task.orders);
  }
  void positions(const double* q, double* out, size_t count) const {
    map_ ? map_->positions(q, out, count) : body_->poses(q, out, count);
  }
  void velocities(const double* q, const double* v, double* out, size_t count) const {
    map_ ? map_->velocities(q, v, out, count) : body_->twists(q, v, out, count);
  }
  void forces(const double* q, const double* f, double* out, size_t count) const {
    map_ ? map_->forces(q, f, out, count) : body_->joint_forces(q, f, out, count);
  }

 private:
  std::optional<StateMap> map_;
  std::optional<BodyConversion> body_;
};

// --- checks
// -----------------------------------------------------------------------------------------------------------

void check_numbers(const torsor::Table& table, const std::string& file) {
  for (size_t row = 0; row < table.rows; ++row) {
    for (size_t column = 0; column < table.width(); ++column) {
      const double value = table.at(row, column);
      if (std::isfinite(value)) continue;
      throw Error(fmt::format("{}: row {}, column {} ('{}'): {} is not a number", file, row + 1, column,
                              table.columns[column], value));
    }
  }
}

void check_rotations(const torsor::Table& table, const Task& task, const StateColumns& columns,
                     const std::string& file) {
  size_t first = 0;
  for (const JointNumbers& joint : task.from_layout.joints) {
    const size_t start = first + static_cast<size_t>(joint.rotation);
    first += joint.q.size();
    if (joint.rotation < 0) continue;
    const auto count = static_cast<size_t>(width(task.from.row, Quantity::kRotation));
    double numbers[9];
    for (size_t row = 0; row < table.rows; ++row) {
      for (size_t i = 0; i < count; ++i) numbers[i] = table.at(row, static_cast<size_t>(columns.q[start + i]));
      try {
        rotation_from_numbers(task.from.row, numbers);
      } catch (const Error& error) {
        const int begin = columns.q[start], end = columns.q[start + count - 1];
        throw Error(fmt::format("{}: row {}, columns {} to {} ('{}' to '{}'): {}", file, row + 1, begin, end,
                                table.columns[static_cast<size_t>(begin)], table.columns[static_cast<size_t>(end)],
                                error.what()));
      }
    }
  }
}

// --- converting
// -------------------------------------------------------------------------------------------------------

std::vector<double> gather(const torsor::Table& table, const std::vector<int>& columns, size_t row, size_t count) {
  std::vector<double> numbers;
  numbers.reserve(columns.size() * count);
  for (size_t i = row; i < row + count; ++i) {
    for (const int column : columns) numbers.push_back(table.at(i, static_cast<size_t>(column)));
  }
  return numbers;
}

struct Cancelled {};

// Rows from `start` on, in the other convention.
struct Block {
  std::vector<double> q, v, f;

  Block(const torsor::Table& table, const Task& task, const StateColumns& columns, const Conversion& conversion,
        size_t start, size_t count)
      : q(count * static_cast<size_t>(task.to_layout.nq)), v(count * columns.v.size()), f(count * columns.f.size()) {
    const std::vector<double> q_from = gather(table, columns.q, start, count);
    conversion.positions(q_from.data(), q.data(), count);
    if (!v.empty())
      conversion.velocities(q_from.data(), gather(table, columns.v, start, count).data(), v.data(), count);
    if (!f.empty()) conversion.forces(q_from.data(), gather(table, columns.f, start, count).data(), f.data(), count);
  }
  void append_row(size_t row, size_t count, std::vector<double>& to) const {
    for (const std::vector<double>* part : {&q, &v, &f}) {
      const auto width = static_cast<std::ptrdiff_t>(part->size() / count);
      const auto first = part->begin() + static_cast<std::ptrdiff_t>(row) * width;
      to.insert(to.end(), first, first + width);
    }
  }
};

torsor::Table convert(const torsor::Table& table, const Task& task, const StateColumns& columns) {
  constexpr size_t kRowsBetweenLooks = 1024;  // at the clock
  const Conversion conversion(task);
  const Interrupt interrupt;
  const Terminal terminal(stderr);
  ProgressBar bar(terminal);
  const auto time = static_cast<size_t>(columns.time);
  torsor::Table result;
  result.rows = table.rows, result.named = true;
  result.columns =
      name_columns(task.to_layout, columns, columns.time >= 0 && table.named ? table.columns[time] : "time");
  result.data.reserve(result.rows * result.width());
  for (size_t start = 0; start < table.rows; start += kRowsBetweenLooks) {
    const size_t count = std::min(kRowsBetweenLooks, table.rows - start);
    const Block block(table, task, columns, conversion, start, count);
    for (size_t i = 0; i < count; ++i) {
      if (columns.time >= 0) result.data.push_back(table.at(start + i, time));
      block.append_row(i, count, result.data);
    }
    if (interrupt.requested()) throw Cancelled{};
    const auto done = static_cast<int64_t>(start + count);
    bar.show(static_cast<double>(done) / static_cast<double>(table.rows), fmt::format("row {}", format_count(done)));
  }
  return result;
}

// --- output
// -----------------------------------------------------------------------------------------------------------

bool has_ending(const std::string& path, std::string_view ending) {
  std::string lower = std::filesystem::path(path).extension().string();
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower == ending;
}

// Writes to a temporary file and renames it, so that an existing file is replaced only when the new one is complete.
void write_whole(const std::string& path, const torsor::Table& table) {
  namespace fs = std::filesystem;
  std::error_code code;
  fs::path target = path;
  for (int hops = 0; hops < 40 && fs::is_symlink(target, code); ++hops)  // links are kept, their target is replaced
    target = target.parent_path() / fs::read_symlink(target);
  if (fs::exists(target, code) && !fs::is_regular_file(target, code))
    throw Error(fmt::format("{}: is not a file that can be replaced", path));
  const std::string beside = fmt::format("{}.{}.tmp{}", target.string(), getpid(), target.extension().string());
  try {
    write_table(beside, table);
    fs::rename(beside, target);
  } catch (const std::exception&) {
    fs::remove(beside, code);
    throw Error(fmt::format("{}: cannot be written", path));
  }
}

void check_output(const StateArguments& arguments) {
  const std::string& out = arguments.out;
  if (out.empty()) {
    if (has_ending(arguments.file, ".npy") && !arguments.json)
      throw Error("states in NPY are not printed; pass --out FILE (.npy, .csv or .json) or --json");
    return;
  }
  const std::vector<std::string> endings{".csv", ".tsv", ".json", ".npy"};
  if (std::none_of(endings.begin(), endings.end(), [&](const auto& ending) { return has_ending(out, ending.c_str()); }))
    throw Error(fmt::format("{}: unknown file extension; choose {}", out, list_of_choices(endings)));
  std::error_code ignored;
  if (std::filesystem::equivalent(arguments.file, out, ignored))
    throw Error(fmt::format("'{}' is the input file: writing there would destroy it", out));
  if (!arguments.model.file.empty()) check_not_same_file(arguments.model.file, out);
}

void print_summary(const StateArguments& arguments, const Task& task, const torsor::Table& result) {
  const Terminal terminal(stdout);
  if (arguments.json) {
    const nlohmann::ordered_json json = {{"out", arguments.out},
                                         {"rows", result.rows},
                                         {"columns", result.columns},
                                         {"from", task.from.id},
                                         {"to", task.to.id}};
    return terminal.write(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
  }
  terminal.write(fmt::format("{}: {} of {} numbers, {} to {}\n", printable(arguments.out),
                             format_plural(static_cast<int64_t>(result.rows), "row", "rows"), result.width(),
                             task.from.id, task.to.id));
}

int convert_states(const StateArguments& arguments) {
  check_output(arguments);
  const Task task = make_task(arguments);
  const torsor::Table table = read_table(arguments.file);
  const StateColumns columns = find_columns(table, task.from_layout, arguments.hints, arguments.file);
  check_numbers(table, arguments.file);
  check_rotations(table, task, columns, arguments.file);
  try {
    const torsor::Table result = convert(table, task, columns);
    if (arguments.out.empty()) {
      const bool json = arguments.json || has_ending(arguments.file, ".json");
      Terminal(stdout).write(json ? format_json_table(result) : format_csv(result));
    } else {
      write_whole(arguments.out, result);
      print_summary(arguments, task, result);
    }
  } catch (const Cancelled&) {
    return kExitInterrupted;
  }
  return kExitOk;
}

constexpr const char* kExplanation =
    "Columns: time (optional, copied), the coordinates of all joints, then (optional) their\n"
    "velocities, then with --forces their generalised forces. Column titles are used where the file\n"
    "has them:\n"
    "  time, t                        time\n"
    "  q0 v0 f0, q.0, q[0], qpos.0    by number in the order of --from; also qvel, joint_q, joint_qd,\n"
    "                                 joint_f, tau\n"
    "  elbow, q.elbow, v.elbow        by joint name, in any order of columns; names take precedence\n"
    "  q.root.qw, v.root.wx           components of a free or ball joint; v linear, w angular,\n"
    "                                 f force, t torque\n"
    "Other titles, or none: the number of columns decides. Without --model the states are those of\n"
    "one free body (7 or 13 columns where rotations are quaternions); its columns may be titled\n"
    "x y z qw qx qy qz vx vy vz wx wy wz.\n";

void add_columns_options(CLI::App& command, const std::shared_ptr<StateArguments>& arguments) {
  command.add_flag("--forces", arguments->hints.forces, "Columns without titles end with generalised forces");
  command
      .add_option_function<std::string>(
          "--time", [arguments](const std::string& word) { arguments->hints.has_time = word == "first"; },
          "first or none: whether columns without titles start with time, where their number does not tell")
      ->transform(one_of("position of time", {"first", "none"}))
      ->type_name("WORD");
  command
      .add_option(
          "--joint-order", arguments->joint_order,
          fmt::format("Joint order for a convention that does not specify one: {}, or all joint names separated "
                      "by commas",
                      list_of_choices(order_names())))
      ->type_name("ORDER");
  command.add_option("--from-order", arguments->from_order, "Joint order of the file (default: that of --from)")
      ->type_name("ORDER");
  command.add_option("--to-order", arguments->to_order, "Joint order of the result (default: that of --to)")
      ->type_name("ORDER");
}

}  // namespace

void add_state(Program& program) {
  const auto arguments = std::make_shared<StateArguments>();
  CLI::App* command =
      program.add_command("state", "Convert recorded states from one convention to another",
                          "  torsor state run.csv --from mujoco --to isaaclab3 --model robot.xml --out isaac.npy\n"
                          "  torsor state run.csv --from mujoco --to drake --model robot.xml\n"
                          "  torsor state log.json --from drake --to mujoco --com 0.1 0 0\n",
                          "0 success, 1 error, 2 usage error, 130 interrupted with Ctrl-C");
  command->footer(kExplanation + ("\n" + command->get_footer()));
  command->add_option("FILE", arguments->file, "Recorded states, one per row: .csv, .tsv, .txt, .json or .npy")
      ->required()
      ->type_name("");
  command->add_option("--from", arguments->from, "Convention of the file; torsor conventions lists them")
      ->required()
      ->type_name("ID");
  command->add_option("--to", arguments->to, "Convention of the result")->required()->type_name("ID");
  CLI::Option* model =
      command
          ->add_option("--model", arguments->model.file,
                       "The model that was recorded; needed unless the states are those of one free body")
          ->type_name("MODEL");
  command->add_option("--com", arguments->com, "Without --model: centre of mass in the body frame, metres")
      ->expected(3)
      ->check(any_number())
      ->excludes(model)
      ->type_name("X Y Z");
  command->add_option("--out", arguments->out, "Output file: .csv, .tsv, .json or .npy (default: standard output)")
      ->type_name("OUT");
  add_columns_options(*command, arguments);
  arguments->rows.add_to(*command);
  arguments->model.ignore.add_to(*command);
  command->add_flag("--json", arguments->json, "Print JSON: what was written, or the states where --out is not given");
  command->callback([&program, arguments] { program.run = [arguments] { return convert_states(*arguments); }; });
}

}  // namespace torsor::cli
