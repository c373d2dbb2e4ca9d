// The convention of a simulated recording is found again, or the report says that it is undetermined.
#include "torsor/bridge/detect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/bridge/recorded_logs.hpp"
#include "tests/support/property.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using namespace recorded;

// --- what can be told from a log, written down a second time, from the rows alone
// ---------------------------------------

bool writes_pose_and_twist(const Row& row) {
  return row.rotation != RotationForm::kUnspecified && row.twist != SpatialLayout{};
}
Row filled(const Convention& convention) {
  Row row = convention.row;
  set_cells(row, convention.example.assume);
  return row;
}
template <class Word>
bool alike(Word open, Word truth) {
  return open == Word{} || open == truth;
}

// Where the velocity's point is, as seen from the posed point.
enum class Place { kOpen, kSame, kOff, kWorldOrigin };
Place place_of(const Row& row) {
  const bool at_com = row.pose_of == PoseOf::kBodyAtCom || row.pose_of == PoseOf::kInertia;
  switch (row.twist.point) {
    case Point::kUnspecified:
      return Place::kOpen;
    case Point::kWorldOrigin:
      return Place::kWorldOrigin;
    case Point::kOrigin:
      return at_com ? Place::kOff : Place::kSame;
    default:
      return at_com ? Place::kSame : Place::kOff;
  }
}
Frame still(Frame frame) { return frame == Frame::kParent ? Frame::kWorld : frame; }

// Whether a log of `truth` could have been written by `other` as well; `turned`: the truth's anchors are turned.
bool may_have_written(const Row& other, const Row& truth, bool turned, bool orders, bool gravity) {
  if (!writes_pose_and_twist(other) || other.rotation != truth.rotation) return false;
  if (turned && other.pose_of != PoseOf::kAnchors) return false;
  if (turned && (other.twist.linear != truth.twist.linear || other.twist.angular != truth.twist.angular)) return false;
  if (orders && !(alike(other.pose, truth.pose) && alike(other.twist.order, truth.twist.order))) return false;
  if (gravity && other.world.known() && other.pose_of != PoseOf::kAnchors) {
    const Vec up{0, 0, 1};
    if (norm(to_axes(other.world, up) - to_axes(truth.world, up)) > 0.1) return false;
  }
  if (gravity && other.length != 0 && other.length != truth.length) return false;
  return alike(other.quat, truth.quat) && alike(still(other.twist.linear), still(truth.twist.linear)) &&
         alike(still(other.twist.angular), still(truth.twist.angular)) && alike(other.twist.angle, truth.twist.angle) &&
         alike(place_of(other), place_of(truth));
}

std::set<std::string> writers(const Row& truth, bool turned, bool orders, bool gravity) {
  std::set<std::string> ids;
  for (const Convention& other : list_conventions()) {
    if (may_have_written(other.row, truth, turned, orders, gravity)) ids.insert(other.id);
  }
  return ids;
}

std::string join(const std::set<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += id + " ";
  return text;
}
std::string describe(const DetectionReport& report) { return to_text(report); }

// --- the trials
// -----------------------------------------------------------------------------------------------------------

struct Trial {
  Kind kind;
  double rate;
  bool names;
  bool anchors;  // turned
};

struct Count {
  int trials = 0, decided = 0;
};

void run_trial(const Convention& convention, const Trial& trial, Random& random, Count& count) {
  const Row truth = filled(convention);
  Body body;
  for (int i = 0; i < 3; ++i) body.p_BoBcm_B[i] = random.magnitude(0.08, 0.3);
  BodyPlace<double> place;
  place.p_BoBcm_B = body.p_BoBcm_B;
  place.q_BI = random.quat();
  if (trial.anchors) place.X_WP = random.pose(1), place.X_BA = random.pose(0.3);
  LogColumns log = write_log(truth, make_motion(trial.kind, random, trial.rate, body), place);
  add_noise(log, 0.01, random);
  if (!trial.names) log = without_names(log, truth);

  const DetectionReport report = detect(log, {.smallest_offset = 0.05 / truth.length});
  const bool turned = truth.pose_of == PoseOf::kAnchors && trial.anchors && truth.twist.linear == Frame::kWorld;
  std::set<std::string> found(report.ids.begin(), report.ids.end());
  found.insert(report.ids_in_other_axes.begin(), report.ids_in_other_axes.end());
  const auto expected = writers(truth, turned, !trial.names, report.gravity.sign != 0);
  const std::string where = convention.id + " at " + std::to_string(trial.rate) + " Hz, kind " +
                            std::to_string(static_cast<int>(trial.kind)) + "\nfound    " + join(found) + "\nexpected " +
                            join(expected) + "\n" + describe(report);
  EXPECT_TRUE(found.count(convention.id)) << "the truth is missing: " << where;
  ++count.trials;
  if (!report.decided) return;
  ++count.decided;
  EXPECT_EQ(found, expected) << where;
}

// Every convention that writes poses and twists: from files with titles, the parent anchor turned, and from files
// without. The ordinary test takes one of the two, and at high rates, which are slow, every fourth convention.
Count run_trials(Kind kind, double rate, int rounds, std::uint64_t seed) {
  Count count;
  for (int round = 0; round < rounds; ++round) {
    for (const Convention& convention : list_conventions()) {
      if (!writes_pose_and_twist(convention.row)) continue;
      for (const bool titles : {true, false}) {
        if (!titles && convention.row.rotation == RotationForm::kMatrix) continue;
        ++seed;
        if (!is_long() && (seed % 2 || (rate > 200 && seed % 8))) continue;
        Random random(seed);
        SCOPED_TRACE("seed " + std::to_string(seed));
        run_trial(convention, {kind, rate, titles, titles}, random, count);
      }
    }
  }
  std::printf("decided %d of %d\n", count.decided, count.trials);
  return count;
}

int rounds() { return is_long() ? 10 : 1; }

class Recordings : public testing::TestWithParam<double> {};
TEST_P(Recordings, OfATumblingBodyTellTheConvention) {
  const Count count = run_trials(Kind::kTumble, GetParam(), rounds(), 1000);
  EXPECT_GE(count.decided, 0.9 * count.trials);
}
TEST_P(Recordings, OfAHoveringBodyTellTheConventionOrSayThatTheyCannot) {
  const Count count = run_trials(Kind::kDrone, GetParam(), rounds(), 2001);
  EXPECT_GE(count.decided, 0.5 * count.trials);
}
TEST_P(Recordings, OfAThrowTellTheConventionOrSayThatTheyCannot) {
  const Count count = run_trials(Kind::kThrow, GetParam(), rounds(), 3000);
  EXPECT_GE(count.decided, 0.5 * count.trials);
}
INSTANTIATE_TEST_SUITE_P(Hertz, Recordings, testing::Values(30.0, 100.0, 250.0, 1000.0));

// --- what is undetermined
// -----------------------------------------------------------------------------------------------------

Motion tumble(Random& random, double rate = 100, const Body& body = {}) {
  return make_motion(Kind::kTumble, random, rate, body);
}
LogColumns log_of(const std::string& id, const Motion& motion, const Body& body = {}) {
  const Convention convention = find_convention(id);
  BodyPlace<double> place;
  place.p_BoBcm_B = body.p_BoBcm_B;
  return write_log(filled(convention), motion, place);
}
bool names(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}
const Undecided* find_cell(const DetectionReport& report, const std::string& cell) {
  for (const Undecided& undecided : report.undecided) {
    if (undecided.cell == cell) return &undecided;
  }
  return nullptr;
}
const char* const kSome[] = {"mujoco", "newton", "isaaclab2", "drake", "pinocchio", "raisim", "ptera", "unity"};

// Spins too fast for the samples are never taken for another convention.
TEST(Detect, FastSpinsAtThirtyHertzAreNeverMistaken) {
  int decided = 0, undecided = 0;
  for (const double spin : {20.0, 40.0, 60.0, 80.0, 90.0, 100.0, 120.0, 150.0, 188.5, 200.0, 300.0, 400.0}) {
    for (const char* id : kSome) {
      for (int seed = 1; seed <= 20; ++seed) {
        if (!is_long() && seed != 1 && seed != 18) continue;  // 18: at 200 rad/s the alias resembles degrees
        Random random(static_cast<std::uint64_t>(seed));
        const Body body;
        const State start{random.vec3(2), random.vec3(1), random.quat(), random.unit_vec3() * spin};
        const Wander force(random, 1.5, 0.1, 0.6);
        const Motion motion = move(body, start, 10, 30, [&](double t, const State& now) {
          return Loads{force.at(t), euler(body, now.w_B, {0, 0, 0})};
        });
        LogColumns log = log_of(id, motion, body);
        add_noise(log, 0.01, random);
        const DetectionReport report = detect(log);
        EXPECT_TRUE(names(report.ids, id)) << id << " spins at " << spin << ", seed " << seed << "\n"
                                           << to_text(report);
        // half a turn between samples is 94 rad/s
        EXPECT_TRUE(spin < 90 || !report.decided) << id << " spins at " << spin << ", seed " << seed << "\n"
                                                  << to_text(report);
        ++(report.decided ? decided : undecided);
      }
    }
  }
  EXPECT_GT(decided, 0);
  EXPECT_GT(undecided, 0);
}

TEST(Detect, WithoutRotationFramesAndOrderStayOpenAndTheReportSaysWhatToRecord) {
  for (const char* id : kSome) {
    for (const bool noisy : {false, true}) {
      Random random(7);
      const Body body;
      const Wander force(random, 1.5, 0.1, 0.6);
      const State start{random.vec3(2), random.vec3(1), random.quat(), {0, 0, 0}};
      const Motion motion = move(body, start, 10, 100, [&](double t, const State&) {
        return Loads{force.at(t), {0, 0, 0}};
      });
      LogColumns log = log_of(id, motion, body);
      if (noisy) add_noise(log, 0.01, random);
      const DetectionReport report = detect(log);
      EXPECT_FALSE(report.decided);
      EXPECT_TRUE(names(report.ids, id) || names(report.ids_if_com_at_origin, id)) << id << to_text(report);
      for (const char* cell : {"twist.angular", "twist.angle", "twist.point"}) {
        const Undecided* undecided = find_cell(report, cell);
        ASSERT_TRUE(undecided) << id << " " << cell << to_text(report);
        EXPECT_NE(undecided->advice.find("30 degrees"), std::string::npos) << undecided->advice;
      }
      // the orientation is not that of the world, so that world and body axes differ although nothing turns
      EXPECT_FALSE(find_cell(report, "twist.linear")) << id << to_text(report);
    }
  }
}

TEST(Detect, RotationAboutOneAxisLeavesTheFrameOfTheAngularVelocityOpen) {
  LogColumns log;
  for (int i = 0; i <= 1000; ++i) {
    const double t = 0.01 * i, angle = std::sin(t), rate = std::cos(t);
    log.time.push_back(t);
    for (const double x : {std::sin(2 * t), std::cos(t), 0.1 * t}) log.position.push_back(x);
    for (const double x : {2 * std::cos(2 * t), -std::sin(t), 0.1}) log.linear.push_back(x);
    for (const double x : {std::cos(angle / 2), 0.0, 0.0, std::sin(angle / 2)}) log.rotation.push_back(x);
    for (const double x : {0.0, 0.0, rate}) log.angular.push_back(x);
  }
  const DetectionReport report = detect(log);
  EXPECT_TRUE(find_cell(report, "twist.angular")) << to_text(report);
  EXPECT_FALSE(find_cell(report, "quat")) << to_text(report);
  EXPECT_FALSE(find_cell(report, "twist.linear")) << to_text(report);
  EXPECT_TRUE(find_cell(report, "twist.point")) << "the offset along the axis stays unknown\n" << to_text(report);
  EXPECT_TRUE(names(report.ids, "mujoco") && names(report.ids, "raisim") && names(report.ids, "isaaclab2"));
  EXPECT_FALSE(names(report.ids, "newton") || names(report.ids, "ptera"));
}

// The origin stands still, so that its velocity is zero in all axes; that of the centre of mass tells more.
TEST(Detect, WithoutTranslationTheAxesOfTheLinearVelocityStayOpen) {
  for (const char* id : {"mujoco", "newton", "isaaclab2", "drake", "raisim"}) {
    for (const bool noisy : {false, true}) {
      Random random(8);
      Body body;
      Motion motion = tumble(random, 100, body);
      for (size_t i = 0; i < motion.time.size(); ++i) motion.X_WB[i].p = {1, 2, 3}, motion.V_WBo_W[i].v = {0, 0, 0};
      LogColumns log = log_of(id, motion, body);
      if (noisy) add_noise(log, 0.01, random);
      const DetectionReport report = detect(log);
      EXPECT_TRUE(names(report.ids, id)) << id << to_text(report);
      EXPECT_FALSE(find_cell(report, "quat")) << id << to_text(report);
      EXPECT_FALSE(find_cell(report, "twist.angular")) << id << to_text(report);
      const bool is_com = find_convention(id).row.twist.point == Point::kCom;
      EXPECT_EQ(report.decided, is_com) << id << to_text(report);
      EXPECT_EQ(find_cell(report, "twist.linear") == nullptr, is_com) << id << to_text(report);
    }
  }
}

TEST(Detect, ACentreOfMassAtTheOriginMakesTheTwoPointsAlike) {
  for (const char* id : {"isaaclab2", "raisim"}) {
    Random random(9);
    const Body body{.p_BoBcm_B = {0, 0, 0}};
    LogColumns log = log_of(id, tumble(random, 100, body), body);
    add_noise(log, 0.01, random);
    const DetectionReport unknown = detect(log);
    EXPECT_TRUE(unknown.decided) << to_text(unknown);
    EXPECT_TRUE(names(unknown.ids, "raisim") && names(unknown.ids, "brax")) << to_text(unknown);
    EXPECT_TRUE(names(unknown.ids_if_com_at_origin, "isaaclab2")) << to_text(unknown);
    EXPECT_FALSE(names(unknown.ids, "isaaclab2")) << to_text(unknown);
    const DetectionReport known = detect(log, {.p_BoBcm_B = Vec{0, 0, 0}});
    EXPECT_TRUE(names(known.ids, "raisim") && names(known.ids, "isaaclab2")) << to_text(known);
    const DetectionReport elsewhere = detect(log, {.p_BoBcm_B = Vec{0.2, 0, 0.1}});
    EXPECT_TRUE(names(elsewhere.ids, "raisim") && !names(elsewhere.ids, "isaaclab2")) << to_text(elsewhere);
    EXPECT_TRUE(elsewhere.ids_if_com_at_origin.empty());
  }
}

// Newton 1.0 wrote the pose between a joint's anchors and the velocity in the world: turned against each other for
// good.
TEST(Detect, AxesOfVelocitiesThatAreTurnedAgainstThoseOfThePoseShowAnchors) {
  for (std::uint64_t seed = 40; seed < 44; ++seed) {
    Random random(seed);
    const Body body;
    BodyPlace<double> place;
    place.p_BoBcm_B = body.p_BoBcm_B, place.X_WP = random.pose(1), place.X_BA = random.pose(0.3);
    LogColumns log = write_log(find_convention("newton.joint").row, tumble(random, 100, body), place);
    add_noise(log, 0.01, random);
    const DetectionReport report = detect(log);
    EXPECT_TRUE(report.decided) << to_text(report);
    EXPECT_EQ(report.ids, std::vector<std::string>{"newton.joint"}) << to_text(report);
    const Mat3<double> turn = transposed_mul(to_mat(place.X_WP.q), Mat3<double>::identity());
    for (int m = 0; m < 9; ++m) EXPECT_NEAR(report.readings.front().R_PV.m[m], turn.m[m], 0.02);
  }
}

TEST(Detect, TurningTooFarBetweenSamplesIsGivenAsTheReason) {
  Random random(45);
  const Body body;
  const State start{random.vec3(2), random.vec3(1), random.quat(), {80, 10, 5}};
  const Motion motion = move(body, start, 10, 30, [&](double, const State& now) {
    return Loads{{0, 0, 0}, euler(body, now.w_B, {0, 0, 0})};
  });
  const DetectionReport report = detect(log_of("mujoco", motion, body));
  const Undecided* undecided = find_cell(report, "twist.angular");
  ASSERT_TRUE(undecided) << to_text(report);
  EXPECT_NE(undecided->reason.find("between two samples"), std::string::npos) << undecided->reason;
  EXPECT_NE(undecided->advice.find("more samples per second"), std::string::npos) << undecided->advice;
}

// A centre of mass that is known shows the axes of the body, and with them the hand and the unit of length.
TEST(Detect, AKnownCentreOfMassShowsTheAxesOfTheBody) {
  Random random(10);
  const Body body{.p_BoBcm_B = {0.3, -0.1, 0.2}};
  LogColumns log = log_of("unity", tumble(random, 250, body), body);
  add_noise(log, 0.01, random);
  const DetectionReport blind = detect(log);
  EXPECT_TRUE(names(blind.ids, "unity") && names(blind.ids, "newton")) << to_text(blind);
  const DetectionReport seeing = detect(log, {.p_BoBcm_B = body.p_BoBcm_B});
  EXPECT_TRUE(names(seeing.ids, "unity") && !names(seeing.ids, "newton")) << to_text(seeing);
}

TEST(Detect, TheFittedOffsetIsThatOfTheCentreOfMass) {
  Random random(11);
  const Body body{.p_BoBcm_B = {0.3, -0.1, 0.2}};
  LogColumns log = log_of("newton", tumble(random, 100, body), body);
  add_noise(log, 0.01, random);
  const Reading best = detect(log).readings.front();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(best.offset[i], body.p_BoBcm_B[i], 5 * best.offset_error[i]);
    EXPECT_LT(best.offset_error[i], 0.02);
  }
}

TEST(Detect, AThrowShowsWhichWayIsUpAndTheUnitOfLength) {
  const struct {
    const char* id;
    int axis, sign;
    double length;
  } cases[] = {
      {"mujoco", 2, 1, 1}, {"unity", 1, 1, 1}, {"ptera", 2, -1, 1}, {"unreal", 2, 1, 0.01}, {"usd.text", 1, 1, 1}};
  for (const auto& c : cases) {
    Random random(12);
    const Body body;
    LogColumns log = log_of(c.id, make_motion(Kind::kThrow, random, 100, body), body);
    add_noise(log, 0.01, random);
    const DetectionReport report = detect(log, {.smallest_offset = 0.05 / c.length});
    EXPECT_EQ(report.gravity.axis, c.axis) << c.id;
    EXPECT_EQ(report.gravity.sign, c.sign) << c.id;
    EXPECT_EQ(report.gravity.length, c.length) << c.id;
    EXPECT_TRUE(names(report.ids, c.id)) << c.id << to_text(report);
  }
}
TEST(Detect, NoOtherMotionIsTakenForAFall) {
  for (int seed = 1; seed <= (is_long() ? 100 : 10); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Body body;
    for (const Kind kind : {Kind::kTumble, Kind::kDrone}) {
      LogColumns log = log_of("mujoco", make_motion(kind, random, 100, body), body);
      add_noise(log, 0.01, random);
      EXPECT_EQ(detect(log).gravity.sign, 0) << seed;
    }
  }
}

// --- logs as they come
// -------------------------------------------------------------------------------------------------------

LogColumns noisy_log(const std::string& id, std::uint64_t seed = 20) {
  Random random(seed);
  LogColumns log = log_of(id, tumble(random));
  add_noise(log, 0.01, random);
  return log;
}

TEST(Detect, SignsAndLengthsOfQuaternionsDoNotMatter) {
  for (const char* id : kSome) {
    LogColumns log = noisy_log(id);
    const DetectionReport before = detect(log);
    Random random(21);
    for (size_t i = 0; i < log.samples(); ++i) {
      const double factor = random.magnitude(0.5, 2);
      for (size_t c = 0; c < 4; ++c) log.rotation[4 * i + c] *= factor;
    }
    const DetectionReport after = detect(log);
    EXPECT_TRUE(before.decided && after.decided) << id << to_text(after);
    EXPECT_EQ(before.ids, after.ids) << id;
  }
}

TEST(Detect, MissingSamplesAreLeftOut) {
  for (const char* id : kSome) {
    const LogColumns whole = noisy_log(id);
    LogColumns log;
    Random random(22);
    for (size_t i = 0; i < whole.samples(); ++i) {
      const bool in_hole = (i > 300 && i < 380) || (i > 600 && i < 605);
      if (in_hole || random.chance(0.01)) continue;
      log.time.push_back(whole.time[i]);
      for (size_t c = 0; c < 4; ++c) log.rotation.push_back(whole.rotation[4 * i + c]);
      for (size_t c = 0; c < 3; ++c) {
        log.position.push_back(whole.position[3 * i + c]);
        log.linear.push_back(whole.linear[3 * i + c]);
        log.angular.push_back(whole.angular[3 * i + c]);
      }
    }
    const DetectionReport report = detect(log);
    EXPECT_GE(report.gaps, 5u);
    EXPECT_TRUE(report.decided && names(report.ids, id)) << id << to_text(report);
    EXPECT_EQ(report.ids, detect(whole).ids) << id;
  }
}

TEST(Detect, UnevenTimesDoNotMatter) {
  for (const char* id : kSome) {
    Random random(23);
    const Body body;
    const Motion fine = make_motion(Kind::kTumble, random, 1000, body);
    Motion motion;
    for (size_t i = 0; i < fine.time.size(); i += static_cast<size_t>(random.integer(7, 13))) {
      motion.time.push_back(fine.time[i]), motion.X_WB.push_back(fine.X_WB[i]),
          motion.V_WBo_W.push_back(fine.V_WBo_W[i]);
    }
    LogColumns log = log_of(id, motion, body);
    add_noise(log, 0.01, random);
    const DetectionReport report = detect(log);
    EXPECT_TRUE(report.decided && names(report.ids, id)) << id << to_text(report);
  }
}

// Simulators that step velocities first have them ahead of positions by half a step.
TEST(Detect, VelocitiesMayBeHalfAStepAhead) {
  for (const char* id : kSome) {
    Random random(24);
    const Body body;
    const Motion fine = make_motion(Kind::kTumble, random, 200, body);
    Motion motion;
    for (size_t i = 0; i + 1 < fine.time.size(); i += 2) {
      const Twist<double>& ahead = fine.V_WBo_W[i + 1];
      motion.time.push_back(fine.time[i]), motion.X_WB.push_back(fine.X_WB[i]), motion.V_WBo_W.push_back(ahead);
    }
    LogColumns log = log_of(id, motion, body);
    add_noise(log, 0.01, random);
    const DetectionReport report = detect(log);
    EXPECT_TRUE(names(report.ids, id)) << id << to_text(report);
    EXPECT_NEAR(report.readings.front().lag, 0.005, 0.003) << id;
  }
}

TEST(Detect, LogsWithoutNoiseAreDecidedToo) {
  for (const char* id : kSome) {
    Random random(25);
    const DetectionReport report = detect(log_of(id, tumble(random)));
    EXPECT_TRUE(report.decided && names(report.ids, id)) << id << to_text(report);
  }
}

TEST(Detect, DegreesAreTold) {
  LogColumns log = noisy_log("mujoco");
  for (double& w : log.angular) w /= kRadiansPerDegree;
  const DetectionReport report = detect(log);
  EXPECT_TRUE(report.decided) << to_text(report);
  EXPECT_EQ(report.readings.front().row.twist.angle, AngleUnit::kDegree);
  EXPECT_FALSE(names(report.ids, "mujoco"));
}

TEST(Detect, VelocitiesOfAnotherBodyFitNothing) {
  for (int seed = 30; seed < (is_long() ? 130 : 36); ++seed) {
    LogColumns log = noisy_log("mujoco", static_cast<std::uint64_t>(seed));
    const LogColumns other = noisy_log("mujoco", static_cast<std::uint64_t>(seed) + 1000);
    log.linear = other.linear, log.angular = other.angular;
    EXPECT_FALSE(detect(log).decided) << seed;
  }
}

TEST(Detect, AConstantLogTellsNothing) {
  for (const double velocity : {0.0, 1.0}) {
    LogColumns log;
    for (int i = 0; i < 500; ++i) {
      log.time.push_back(0.01 * i);
      for (const double x : {1.0, 2.0, 3.0}) log.position.push_back(x);
      for (const double x : {0.5, 0.5, 0.5, 0.5}) log.rotation.push_back(x);
      for (int c = 0; c < 3; ++c) log.linear.push_back(velocity), log.angular.push_back(velocity);
    }
    const DetectionReport report = detect(log);
    EXPECT_FALSE(report.decided) << to_text(report);
    EXPECT_TRUE(names(report.ids, "mujoco") && names(report.ids, "newton") && names(report.ids, "ptera"));
  }
}

TEST(Detect, PosesAloneTellNothingAboutVelocitiesNorTheOrderOfQuaternions) {
  LogColumns log =
      noisy_log("scipy[pose=position first,length=1,twist.point=origin,twist.frame=world,twist.angle=rad]");
  log.linear.clear(), log.angular.clear();
  const DetectionReport report = detect(log);
  EXPECT_FALSE(report.decided);
  for (const char* cell : {"quat", "twist.point", "twist.linear", "twist.angular", "twist.angle"}) {
    EXPECT_TRUE(find_cell(report, cell)) << cell;
  }
  EXPECT_TRUE(names(report.ids, "scipy") && names(report.ids, "gltf") && names(report.ids, "mujoco"));
}

TEST(Detect, ShortLogsAreUndecidable) {
  LogColumns log = noisy_log("mujoco");
  log.time.resize(5), log.position.resize(15), log.rotation.resize(20), log.linear.resize(15), log.angular.resize(15);
  const DetectionReport report = detect(log);
  EXPECT_FALSE(report.decided);
  EXPECT_TRUE(names(report.ids, "mujoco"));
}

// --- errors
// ------------------------------------------------------------------------------------------------------------------

template <class Change>
std::string error_of(const Change& change) {
  LogColumns log = noisy_log("mujoco");
  change(log);
  try {
    detect(log);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Detect, BadNumbersAreNamedWithTheirSample) {
  EXPECT_EQ(error_of([](LogColumns& log) { log.angular[3 * 17 + 2] = NAN; }),
            "sample 17 (the first is 0): angular velocity[2] is nan");
  EXPECT_EQ(error_of([](LogColumns& log) { log.position[3 * 5] = INFINITY; }),
            "sample 5 (the first is 0): position[0] is inf");
  EXPECT_EQ(error_of([](LogColumns& log) { log.time[8] = log.time[7]; }),
            "sample 8 (the first is 0): time 0.07 does not come after 0.07");
  EXPECT_EQ(error_of([](LogColumns& log) { log.time[8] = 0.01; }),
            "sample 8 (the first is 0): time 0.01 does not come after 0.07");
  EXPECT_EQ(error_of([](LogColumns& log) { std::fill_n(&log.rotation[4 * 9], 4, 0.0); }),
            "sample 9 (the first is 0): its quaternion is zero");
  EXPECT_NE(error_of([](LogColumns& log) { log.linear.pop_back(); }).find("linear velocity"), std::string::npos);
  EXPECT_NE(error_of([](LogColumns& log) { log = {}; }).find("no motion"), std::string::npos);
}

TEST(Detect, ATimeFarAwayFromTheOthersIsNoTrap) {
  LogColumns log;
  for (int i = 0; i < 12; ++i) {  // so far that adding the length of a window changes nothing
    log.time.push_back(i == 0 ? -1e203 : 0.01 * i);
    log.position.insert(log.position.end(), {0.01 * i, 0, 1});
    log.rotation.insert(log.rotation.end(), {std::cos(0.1 * i), 0, 0, std::sin(0.1 * i)});
    log.linear.insert(log.linear.end(), {1, 0, 0});
    log.angular.insert(log.angular.end(), {0, 0, 20});
  }
  EXPECT_EQ(detect(log).samples, 12U);
}

}  // namespace
}  // namespace torsor
