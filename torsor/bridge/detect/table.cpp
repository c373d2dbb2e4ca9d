// detect() for whole tables: chooses the body to report, its centre of mass, and examines the joints.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/bridge/detect.hpp"
#include "torsor/bridge/detect/log_bodies.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

bool is_free(const Model& model, int joint) {
  return static_cast<JointType>(model.jnt_type[joint]) == JointType::kFree;
}

std::vector<std::string> names_of(const Model& model, ObjectType type, const std::vector<int>& ids) {
  std::vector<std::string> names;
  for (const int id : ids) names.emplace_back(model.name(type, id));
  return names;
}

// The body of a log: the one given by name, the one whose free joint the log names, or the only one with a free joint;
// -1 if unknown.
int find_body(const Model& model, const std::string& named, const std::string& joint) {
  std::vector<int> free_bodies;
  for (int j = 0; j < model.njnt; ++j) {
    if (is_free(model, j)) free_bodies.push_back(model.jnt_bodyid[j]);
    if (named.empty() && is_free(model, j) && !joint.empty() && model.name(ObjectType::kJoint, j) == joint)
      return model.jnt_bodyid[j];
  }
  if (named.empty()) return free_bodies.size() == 1 ? free_bodies[0] : -1;
  const int body = model.find(ObjectType::kBody, named);
  if (body >= 0) return body;
  const std::string nearest = find_nearest(named, names_of(model, ObjectType::kBody, free_bodies));
  throw Error(fmt::format("the model has no body '{}'{}", named,
                          nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)));
}

// Keeps the entries of the named body, by the name of its free joint if the table has such names.
void keep_body(std::vector<LoggedBody>& bodies, const Model& model, int body) {
  std::vector<std::string> joints;
  for (int j = 0; j < model.njnt; ++j) {
    if (model.jnt_bodyid[j] == body) joints.emplace_back(model.name(ObjectType::kJoint, j));
  }
  const auto is_other = [&](const LoggedBody& logged) {
    return !logged.joint.empty() && std::find(joints.begin(), joints.end(), logged.joint) == joints.end();
  };
  std::vector<LoggedBody> kept = bodies;
  std::erase_if(kept, is_other);
  if (kept.empty())
    throw Error(fmt::format("the log has no pose of body '{}'; it has the free joints {}",
                            model.name(ObjectType::kBody, body), [&] {
                              std::vector<std::string> names;
                              for (const LoggedBody& logged : bodies) names.push_back(logged.joint);
                              return fmt::format("{}", fmt::join(names, ", "));
                            }()));
  bodies = std::move(kept);
}

// Coordinates of hinges and slides are the same in all conventions.
DetectionReport report_without_pose(const LogColumns& log) {
  DetectionReport report;
  report.samples = log.samples();
  if (report.samples > 1) {
    report.duration = log.time.back() - log.time.front();
    report.rate = static_cast<double>(report.samples - 1) / report.duration;
  }
  report.undecided.push_back({"pose",
                              {},
                              "the log has only hinges and slides, whose numbers are the same in every convention",
                              "record a model with a free joint, or the pose and velocity of one body"});
  return report;
}

// Whether one report is more conclusive than another.
bool tells_more(const DetectionReport& a, const DetectionReport& b) {
  if (a.decided != b.decided) return a.decided;
  if (a.ids.empty() != b.ids.empty()) return b.ids.empty();
  return a.undecided.size() < b.undecided.size();
}

DetectionReport detect_body(const LoggedBody& body, const TableDetectOptions& options) {
  if (body.log.position.empty()) return report_without_pose(body.log);
  DetectOptions own = options.detect;
  if (options.model && !own.p_BoBcm_B) {
    const int b = find_body(*options.model, options.body, body.joint);
    if (b >= 0) own.p_BoBcm_B = load3(&options.model->body_ipos[3 * b]);
  }
  return detect(body.log, own);
}

void note_choice(DetectionReport& report, const std::vector<LoggedBody>& bodies, size_t chosen) {
  std::vector<std::string> names;
  for (const LoggedBody& body : bodies) {
    if (!body.joint.empty()) names.push_back(body.joint);
  }
  if (names.size() < 2) return;
  report.notes.push_back(fmt::format("the log has {} free joints ({}); this report is about '{}'", names.size(),
                                     fmt::join(names, ", "), bodies[chosen].joint));
}

}  // namespace

DetectionReport detect_table(const Table& table, const TableDetectOptions& options) {
  std::vector<LoggedBody> bodies;
  if (options.columns.empty())
    bodies = recognise_bodies(table);
  else
    bodies.push_back({"", take_columns(table, options.columns)});
  if (options.model && !options.body.empty())
    keep_body(bodies, *options.model, find_body(*options.model, options.body, ""));
  DetectionReport best;
  size_t chosen = 0;
  for (size_t i = 0; i < bodies.size(); ++i) {
    DetectionReport report = detect_body(bodies[i], options);
    if (i > 0 && !tells_more(report, best)) continue;
    best = std::move(report), chosen = i;
  }
  if (options.model) best.joints = find_joint_order(bodies[chosen].log, *options.model);
  note_choice(best, bodies, chosen);
  return best;
}

}  // namespace torsor
