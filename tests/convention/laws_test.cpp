// Laws of every conversion between every ordered pair of rows, at random poses off identity with COM offsets: round
// trips, composition, power, and agreement with finite differences of the rows' own numbers. Open cells are filled as
// the rows' worked examples do.
#include <gtest/gtest.h>

#include <optional>

#include "tests/support/property.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/convention/joint.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

std::vector<Convention> filled_conventions() {
  std::vector<Convention> all;
  for (Convention& convention : list_conventions()) {
    if (convention.id.starts_with("test.")) continue;
    set_cells(convention.row, convention.example.assume);
    all.push_back(std::move(convention));
  }
  return all;
}
bool has(const Convention& convention, Quantity quantity) { return open_cells(convention.row, quantity).empty(); }

BodyPlace<double> random_place(Random& random) {
  BodyPlace<double> place;
  place.X_WB = random.pose(2), place.p_BoBcm_B = random.vec3(), place.q_BI = random.quat();
  place.X_WP = random.pose(2), place.X_BA = random.pose();
  place.p_WoTcm_W = random.vec3(3), place.v_Tcm_W = random.vec3(3), place.g_W = random.vec3(10);
  return place;
}

Numbers pose_numbers(const Convention& convention, const BodyPlace<double>& place) {
  Numbers numbers(width(convention.row, Quantity::kPose));
  write_pose(convention.row, place, numbers.data());
  return numbers;
}

// Numbers of any kind in `from`, converted to `to`; the pose is that of the place in `from`.
Numbers convert(Quantity quantity, const Convention& from, const Convention& to, const BodyPlace<double>& place,
                const Numbers& in, const Numbers& twist = {}) {
  const BodyConversion conversion(from, to, place);
  Numbers out(width(to.row, quantity)), pose = has(from, Quantity::kPose) ? pose_numbers(from, place) : Numbers{};
  switch (quantity) {
    case Quantity::kRotation:
      conversion.rotations(in.data(), out.data(), 1);
      break;
    case Quantity::kPosition:
      conversion.positions(in.data(), out.data(), 1);
      break;
    case Quantity::kPose:
      conversion.poses(in.data(), out.data(), 1);
      break;
    case Quantity::kTwist:
      conversion.twists(pose.data(), in.data(), out.data(), 1);
      break;
    case Quantity::kAcceleration:
      conversion.accelerations(pose.data(), twist.data(), in.data(), out.data(), 1);
      break;
    case Quantity::kWrench:
      conversion.wrenches(pose.data(), in.data(), out.data(), 1);
      break;
    case Quantity::kJointForce:
      conversion.joint_forces(pose.data(), in.data(), out.data(), 1);
      break;
  }
  return out;
}

constexpr Quantity kAll[] = {Quantity::kRotation,     Quantity::kPosition, Quantity::kPose,      Quantity::kTwist,
                             Quantity::kAcceleration, Quantity::kWrench,   Quantity::kJointForce};

// The system has the quantity, and where it depends on the pose, the pose too.
bool usable(const Convention& convention, Quantity quantity) {
  return has(convention, quantity) && (quantity <= Quantity::kPose || has(convention, Quantity::kPose));
}

Numbers random_numbers(Quantity quantity, const Convention& convention, const BodyPlace<double>& place,
                       Random& random) {
  if (quantity == Quantity::kPose) return pose_numbers(convention, place);
  if (quantity != Quantity::kRotation) return random.numbers(width(convention.row, quantity), 3);
  Numbers numbers(width(convention.row, quantity));
  write_rotation(convention.row, place.X_WB.q, numbers.data());
  return numbers;
}

// Largest difference relative to the size of the numbers; q and -q are the same.
double difference(const Row& row, Quantity quantity, const Numbers& a, const Numbers& b) {
  double plain = 0, flipped = 0, size = 1;
  const bool quaternion = quantity <= Quantity::kPose && row.rotation == RotationForm::kQuaternion;
  const int offset = quantity == Quantity::kRotation || row.pose == PoseOrder::kRotationFirst ? 0 : 3;
  for (size_t i = 0; i < a.size(); ++i) {
    const bool in_quaternion = quaternion && quantity != Quantity::kPosition && int(i) >= offset && int(i) < offset + 4;
    size = std::max(size, std::abs(b[i]));
    plain = std::max(plain, std::abs(a[i] - b[i]));
    flipped = std::max(flipped, std::abs(in_quaternion ? a[i] + b[i] : a[i] - b[i]));
  }
  return std::min(plain, flipped) / size;
}

TEST(ConventionLaws, ThereAndBackIsTheSame) {
  const auto all = filled_conventions();
  for_all(20, [&](Random& random) {
    const BodyPlace<double> place = random_place(random);
    for (const Quantity quantity : kAll) {
      for (const Convention& a : all) {
        for (const Convention& b : all) {
          if (!usable(a, quantity) || !usable(b, quantity)) continue;
          const Numbers x = random_numbers(quantity, a, place, random), twist = random.numbers(6, 3);
          const Numbers twist_b =
              quantity == Quantity::kAcceleration ? convert(Quantity::kTwist, a, b, place, twist) : Numbers{};
          const Numbers y = convert(quantity, b, a, place, convert(quantity, a, b, place, x, twist), twist_b);
          ASSERT_LT(difference(a.row, quantity, y, x), 1e-11) << to_string(quantity) << " " << a.id << " " << b.id;
        }
      }
    }
  });
}

TEST(ConventionLaws, AConversionByWayOfAThirdSystemIsTheDirectOne) {
  const auto all = filled_conventions();
  for_all(2, [&](Random& random) {
    const BodyPlace<double> place = random_place(random);
    for (const Quantity quantity : kAll) {
      for (const Convention& a : all) {
        if (!usable(a, quantity)) continue;
        const Numbers x = random_numbers(quantity, a, place, random), twist = random.numbers(6, 3);
        const bool second = quantity == Quantity::kAcceleration;
        for (const Convention& b : all) {
          if (!usable(b, quantity)) continue;
          const Numbers y = convert(quantity, a, b, place, x, twist);
          const Numbers twist_b = second ? convert(Quantity::kTwist, a, b, place, twist) : Numbers{};
          for (const Convention& c : all) {
            if (!usable(c, quantity)) continue;
            const Numbers direct = convert(quantity, a, c, place, x, twist);
            ASSERT_LT(difference(c.row, quantity, convert(quantity, b, c, place, y, twist_b), direct), 1e-11)
                << to_string(quantity) << " " << a.id << " " << b.id << " " << c.id;
          }
        }
      }
    }
  });
}

double product(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(ConventionLaws, PowerIsTheSameNumberInEverySystem) {
  const auto all = filled_conventions();
  for_all(20, [&](Random& random) {
    const BodyPlace<double> place = random_place(random);
    for (const Convention& a : all) {
      for (const Convention& b : all) {
        if (!usable(a, Quantity::kTwist) || !usable(b, Quantity::kTwist)) continue;
        const Numbers pose = pose_numbers(a, place), v = random.numbers(6, 3), f = random.numbers(6, 3);
        const BodyConversion conversion(a, b, place);
        const auto X = conversion.twist_matrix(pose.data()), Y = conversion.wrench_matrix(pose.data());
        Numbers v_b(6), f_b(6);
        for (int i = 0; i < 36; ++i) v_b[i / 6] += X[i] * v[i % 6], f_b[i / 6] += Y[i] * f[i % 6];
        const double scale = 1 + std::abs(product(f, v)) + std::sqrt(product(v_b, v_b) * product(f_b, f_b));
        ASSERT_NEAR(product(f_b, v_b), product(f, v), 1e-13 * scale) << a.id << " " << b.id;
        // joint forces that are dual to the twist, by their own function
        if (joint_force_layout(a.row) == a.row.twist && joint_force_layout(b.row) == b.row.twist) {
          const Numbers g = convert(Quantity::kJointForce, a, b, place, f);
          ASSERT_NEAR(product(g, convert(Quantity::kTwist, a, b, place, v)), product(f, v), 1e-13 * scale);
        }
      }
    }
  });
}

TEST(ConventionLaws, AppliedWrenchesDoTheSameWorkOnTheSameMotion) {
  // power of a wrench, by the twist that has the wrench's own layout, is the same in all systems but for the sign of a
  // stored residual
  const auto all = filled_conventions();
  for_all(20, [&](Random& random) {
    const BodyPlace<double> place = random_place(random);
    const Wrench<double> F_Bo_W = random.wrench(5);
    const Twist<double> V_WBo_W = random.twist(5);
    for (const Convention& a : all) {
      if (!usable(a, Quantity::kWrench)) continue;
      const SpatialMap<double> map(a.row.wrench, a.row, place);
      const Parts<double> f = map.wrench(F_Bo_W * a.row.wrench_sign), v = map.twist(V_WBo_W);
      ASSERT_NEAR((dot(f.linear, v.linear) + dot(f.angular, v.angular)) * a.row.wrench_sign, power(F_Bo_W, V_WBo_W),
                  1e-11)
          << a.id;
    }
  });
}

// --- finite differences: the body moves, everything is read off the row's own poses
// -----------------------------------

struct Motion {  // constant world twist of the origin, constant accelerations
  BodyPlace<double> start;
  Twist<double> V_WBo_W;
  Accelerations<double> A;

  Twist<double> twist(double h) const { return {V_WBo_W.w + A.alpha_W * h, V_WBo_W.v + A.a_Bo_W * h}; }
  BodyPlace<double> place(double h) const {
    BodyPlace<double> result = start;
    result.X_WB.p = start.X_WB.p + V_WBo_W.v * h + A.a_Bo_W * (h * h / 2);
    // to second order in h, the mean of the spin over the step
    result.X_WB.q = quat_from_rotation_vector(V_WBo_W.w * h + A.alpha_W * (h * h / 2)) * start.X_WB.q;
    result.p_WoTcm_W = start.p_WoTcm_W + start.v_Tcm_W * h;
    return result;
  }
};

struct Seen {
  Mat3<double> R;
  Vec3<double> p;
};
// Rotation matrix and position in the row's own axes and units.
Seen read(const Row& row, const Numbers& pose) {
  const int rotation = row.pose == PoseOrder::kRotationFirst ? 0 : 3, size = int(pose.size()) - 3;
  Row plain = row;
  plain.world = plain.body = kOurAxes;  // the row's numbers as they are
  return {to_mat(read_rotation(plain, pose.data() + rotation)), load3(pose.data() + (rotation == 0 ? size : 0))};
}

Vec3<double> expected_point(const Row& row, const Motion& motion) {
  // the layout's point in the frame whose pose the row gives, in that frame's axes in the row's terms
  const BodyPlace<double>& place = motion.start;
  Pose<double> X_BF = Pose<double>::identity();
  if (row.pose_of == PoseOf::kBodyAtCom) X_BF.p = place.p_BoBcm_B;
  if (row.pose_of == PoseOf::kInertia) X_BF = {place.p_BoBcm_B, place.q_BI};
  if (row.pose_of == PoseOf::kAnchors) X_BF = place.X_BA;
  const Vec3<double> point_B = row.twist.point == Point::kCom ? place.p_BoBcm_B : Vec3<double>::zero();
  return to_axes(row.body, apply(inverse(X_BF), point_B)) * (1 / row.length);
}

TEST(ConventionLaws, TwistsAreTheFiniteDifferencesOfPoses) {
  int checked = 0;
  for_all(50, [&](Random& random) {
    const Motion motion{random_place(random), random.twist(2), {random.vec3(2), random.vec3(2)}};
    const double h = 1e-5;
    for (const Convention& a : filled_conventions()) {
      const Row& row = a.row;
      if (!usable(a, Quantity::kTwist)) continue;
      const Seen before = read(row, pose_numbers(a, motion.place(-h))), now = read(row, pose_numbers(a, motion.start)),
                 after = read(row, pose_numbers(a, motion.place(h)));
      // what moves with the body, seen from the frame that the pose is relative to
      Vec3<double> r = expected_point(row, motion);
      if (row.twist.point == Point::kWorldOrigin) r = -transposed_mul(now.R, now.p);
      if (row.twist.point == Point::kTreeCom) continue;  // no pose in that row
      Vec3<double> v = ((after.p + after.R * r) - (before.p + before.R * r)) * (0.5 / h);
      const Mat3<double> W = mul_transposed((after.R - before.R) * (0.5 / h), now.R);
      Vec3<double> w{W(2, 1), W(0, 2), W(1, 0)};
      // into the frames of the layout: the outer frame is the world or the parent anchor
      const auto in_frame = [&](Frame frame, const Vec3<double>& u, bool pseudo) {
        const bool anchors = row.pose_of == PoseOf::kAnchors;
        if (frame == Frame::kBody) return transposed_mul(now.R, u);
        if (anchors == (frame == Frame::kParent)) return u;
        const Vec3<double> ours = pseudo ? from_axes_pseudo(row.body, u) : from_axes(row.body, u);
        const Vec3<double> turned = rotate(motion.start.X_WP.q, ours);
        return pseudo ? to_axes_pseudo(row.world, turned) : to_axes(row.world, turned);
      };
      const double degrees = row.twist.angle == AngleUnit::kDegree ? 180 / M_PI : 1;
      const Parts<double> twist = SpatialMap<double>(row.twist, row, motion.start).twist(motion.V_WBo_W);
      const Vec3<double> dv = twist.linear - in_frame(row.twist.linear, v, false);
      const Vec3<double> dw = twist.angular - in_frame(row.twist.angular, w, true) * degrees;
      ASSERT_LT(norm(dv), 1e-7 * (10 / row.length)) << a.id;
      ASSERT_LT(norm(dw), 1e-7 * 10 * degrees) << a.id;
      ++checked;
    }
  });
  EXPECT_GT(checked, 50 * 20);
}

TEST(ConventionLaws, AccelerationsAreTheFiniteDifferencesOfTwists) {
  for_all(50, [&](Random& random) {
    const Motion motion{random_place(random), random.twist(2), {random.vec3(2), random.vec3(2)}};
    const double h = 1e-5;
    for (const Convention& a : filled_conventions()) {
      const Row& row = a.row;
      if (!has(a, Quantity::kAcceleration) || row.acceleration != AccelerationForm::kRate) continue;
      const auto twist = [&](double at) {
        const BodyPlace<double> place = motion.place(at);
        return SpatialMap<double>(row.twist, row, place).twist(motion.twist(at));
      };
      const Parts<double> before = twist(-h), after = twist(h);
      const Parts<double> rate = SpatialMap<double>(row.twist, row, motion.start).rate(motion.V_WBo_W, motion.A);
      const double units = std::max(1 / row.length, row.twist.angle == AngleUnit::kDegree ? 60.0 : 1.0);
      ASSERT_LT(norm(rate.linear - (after.linear - before.linear) * (0.5 / h)), 3e-6 * units) << a.id;
      ASSERT_LT(norm(rate.angular - (after.angular - before.angular) * (0.5 / h)), 3e-6 * units) << a.id;
    }
  });
}

TEST(ConventionLaws, OpenCellsRefuseEveryQuantityThatNeedsThem) {
  const Convention mujoco = find_convention("mujoco");
  const BodyPlace<double> place;
  int refused = 0;
  for (const Convention& a : list_conventions()) {
    for (const Quantity quantity : kAll) {
      if (usable(a, quantity)) continue;
      ++refused;
      const Numbers any(16, 0.5);
      EXPECT_THROW(convert(quantity, a, mujoco, place, any, any), Error) << a.id << " " << to_string(quantity);
    }
  }
  EXPECT_GT(refused, 50);
}

// --- bad numbers ----------------------------------------------------------------------------------------------------

TEST(Conversion, QuaternionsNearUnitLengthAreMadeUnitAndOthersRefused) {
  const BodyConversion conversion(find_convention("mujoco"), find_convention("newton"));
  const Numbers near{0, 0, 0, 1.0009, 0, 0, 0}, far{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1.01, 0, 0, 0};
  Numbers out(14);
  conversion.poses(near.data(), out.data(), 1);
  EXPECT_EQ(out[6], 1);
  try {
    conversion.poses(far.data(), out.data(), 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("row 1: a quaternion of length 1.01"), std::string::npos) << error.what();
  }
}
TEST(Conversion, NumbersThatAreNotFiniteAreRefusedWithTheirPlace) {
  const BodyConversion conversion(find_convention("mujoco"), find_convention("newton"));
  Numbers bad{0, 0, 0, 1, 0, 0, 0, 0, NAN, 0, 1, 0, 0, 0}, out(14);
  try {
    conversion.poses(bad.data(), out.data(), 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("row 1: column 1"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace torsor
