// The report of a detection as text and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "torsor/bridge/detect.hpp"
#include "torsor/convention/row_fields.hpp"

namespace torsor {
namespace {

constexpr size_t kShownReadings = 5;

// The cells that a reading determines.
struct Cell {
  const RowField* field;
  std::string word;
};
std::vector<Cell> cells_of(const Row& row) {
  std::vector<Cell> cells;
  for (const RowField& field : row_fields()) {
    const std::string name = field.name, word = field.get(row);
    if (word == kUnspecifiedWord || name == "joint_force") continue;
    cells.push_back({&field, word});
  }
  return cells;
}

const Undecided* find_undecided(const DetectionReport& report, const std::string& cell) {
  for (const Undecided& undecided : report.undecided) {
    if (undecided.cell == cell) return &undecided;
  }
  return nullptr;
}

std::string vector_text(const Vec3<double>& v) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", v.x, v.y, v.z); }

std::string head_text(const DetectionReport& report) {
  const bool has_pose = !report.readings.empty();
  const char* verdict =
      report.decided ? "decided" : (report.ids.empty() && has_pose ? "no convention fits" : "not conclusive");
  return fmt::format("{}: {} samples, {:.4g} s at {:.4g} Hz\n", verdict, report.samples, report.duration, report.rate);
}

std::string ids_text(const DetectionReport& report) {
  if (report.readings.empty()) return "";
  std::string text = fmt::format("  conventions that fit: {}\n",
                                 report.ids.empty() ? "none" : fmt::format("{}", fmt::join(report.ids, ", ")));
  if (!report.ids_if_com_at_origin.empty()) {
    text += fmt::format("  and if the centre of mass is at the body's origin: {}\n",
                        fmt::join(report.ids_if_com_at_origin, ", "));
  }
  return text;
}

// Cell by cell, the value in the best reading, or the remaining values.
std::string cells_text(const DetectionReport& report) {
  if (report.readings.empty()) return "";
  std::string text = "\n";
  for (const Cell& cell : cells_of(report.readings.front().row)) {
    const Undecided* undecided = find_undecided(report, cell.field->name);
    const bool open = undecided && !undecided->choices.empty();
    text +=
        fmt::format("  {:<14} {:<16} {}\n", cell.field->name,
                    open ? fmt::format("{}?", fmt::join(undecided->choices, " or ")) : cell.word, cell.field->meaning);
  }
  const Reading& best = report.readings.front();
  if (best.row.twist.point == Point::kCom) {
    text +=
        fmt::format("  {:<14} {}, each +- {}\n", "offset", vector_text(best.offset), vector_text(best.offset_error));
  }
  if (report.gravity.sign) {
    text += fmt::format("  {:<14} {}{}, {:.4g} units/s^2: lengths in units of {} m\n", "up",
                        report.gravity.sign < 0 ? "-" : "+", "xyz"[report.gravity.axis], report.gravity.magnitude,
                        report.gravity.length);
  }
  return text;
}

std::string undecided_text(const DetectionReport& report) {
  std::string text;
  for (const Undecided& undecided : report.undecided) {
    text += fmt::format("\n  {} is undetermined: {}\n    to determine it: {}\n", undecided.cell, undecided.reason,
                        undecided.advice);
  }
  return text;
}

std::string readings_text(const DetectionReport& report) {
  if (report.readings.empty()) return "";
  std::string text = "\n  confidence  evidence  unexplained rotation, translation  reading\n";
  for (size_t i = 0; i < std::min(kShownReadings, report.readings.size()); ++i) {
    const Reading& reading = report.readings[i];
    std::vector<std::string> words;
    for (const Cell& cell : cells_of(reading.row)) words.push_back(fmt::format("{}={}", cell.field->name, cell.word));
    text += fmt::format("  {:>9.1f} %  {:>8.1f}  {:>19.2f} %, {:>9.2f} %  {}{}\n", 100 * reading.confidence,
                        reading.evidence, 100 * reading.angular_residual, 100 * reading.linear_residual,
                        fmt::join(words, " "), reading.turned ? " (axes turned)" : "");
  }
  return text;
}

std::string joints_text(const JointFindings& joints) {
  if (!joints.examined) return "";
  std::string text =
      fmt::format("\n  joints         {}\n",
                  joints.orders.empty() ? "no order fits" : fmt::format("{}", fmt::join(joints.orders, " or ")));
  for (const std::string& sentence : joints.pairing) text += "  " + sentence + "\n";
  for (const std::string& note : joints.notes) text += "  " + note + "\n";
  return text;
}

// --- JSON
// -----------------------------------------------------------------------------------------------------------------

using Json = nlohmann::ordered_json;

Json to_object(const Vec3<double>& v) {
  Json list = Json::array();
  for (int i = 0; i < 3; ++i) list.push_back(std::isfinite(v[i]) ? Json(v[i]) : Json(nullptr));
  return list;
}

Json to_object(const Reading& reading) {
  Json cells = Json::object();
  for (const Cell& cell : cells_of(reading.row)) cells[cell.field->name] = cell.word;
  Json object{{"cells", cells},
              {"possible", reading.possible},
              {"confidence", reading.confidence},
              {"evidence", reading.evidence},
              {"angular_residual", reading.angular_residual},
              {"linear_residual", reading.linear_residual},
              {"lag", reading.lag},
              {"turned", reading.turned}};
  if (reading.turned) object["turn"] = std::vector<double>(reading.R_PV.m, reading.R_PV.m + 9);
  if (reading.row.twist.point == Point::kCom) {
    object["offset"] = to_object(reading.offset);
    object["offset_error"] = to_object(reading.offset_error);
  }
  return object;
}

Json to_object(const Undecided& undecided) {
  return {{"cell", undecided.cell},
          {"choices", undecided.choices},
          {"reason", undecided.reason},
          {"advice", undecided.advice}};
}

Json to_object(const SeenGravity& gravity) {
  if (!gravity.sign) return nullptr;
  return {{"up", fmt::format("{}{}", gravity.sign < 0 ? "-" : "+", "xyz"[gravity.axis])},
          {"magnitude", gravity.magnitude},
          {"length", gravity.length}};
}

Json to_object(const JointFindings& joints) {
  if (!joints.examined) return nullptr;
  return {{"orders", joints.orders}, {"pairing", joints.pairing}, {"notes", joints.notes}};
}

template <class T>
Json list_of(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(to_object(item));
  return list;
}

}  // namespace

std::string to_text(const DetectionReport& report) {
  std::string text = head_text(report) + ids_text(report) + cells_text(report) + joints_text(report.joints);
  text += undecided_text(report) + readings_text(report);
  for (const std::string& note : report.notes) text += "\n  note: " + note + "\n";
  if (!report.not_shown.empty())
    text += fmt::format("\n  not shown by this log: {}\n", fmt::join(report.not_shown, ", "));
  return text;
}

std::string to_json(const DetectionReport& report) {
  const Json object{{"decided", report.decided},
                    {"ids", report.ids},
                    {"ids_in_other_axes", report.ids_in_other_axes},
                    {"ids_if_com_at_origin", report.ids_if_com_at_origin},
                    {"undecided", list_of(report.undecided)},
                    {"not_shown", report.not_shown},
                    {"gravity", to_object(report.gravity)},
                    {"joints", to_object(report.joints)},
                    {"notes", report.notes},
                    {"samples", report.samples},
                    {"gaps", report.gaps},
                    {"duration", report.duration},
                    {"rate", report.rate},
                    {"readings", list_of(report.readings)}};
  return object.dump(2) + "\n";
}

}  // namespace torsor
