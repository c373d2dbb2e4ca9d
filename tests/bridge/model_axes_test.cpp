// A model knows the axes of its world and its bodies, and conversions that are given a model use them: the same machine
// has the same numbers in another system, whatever axes its model is written in.
#include "torsor/bridge/model_axes.hpp"

#include <gtest/gtest.h>

#include "tests/bridge/scene.hpp"
#include "torsor/bridge/body_view.hpp"
#include "torsor/bridge/sap_solver.hpp"
#include "torsor/convention/rows.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

constexpr const char* kAircraft = R"(<mujoco><worldbody>
  <body name="hull" pos="1 2 3"><freejoint name="free"/>
    <geom type="box" size="0.5 0.2 0.1" pos="0.1 0.05 -0.02" euler="10 20 30"/>
    <body pos="0.3 0 0"><joint name="flap" axis="0 1 0" ref="20"/><geom size="0.1" pos="0 0 0.2"/></body>
    <body pos="-0.3 0 0"><joint name="ball" type="ball"/><geom size="0.1" pos="0 0 0.2"/></body></body>
</worldbody></mujoco>)";
constexpr const char* kSystems[] = {"newton",
                                    "drake[ball=body]",
                                    "pinocchio",
                                    "sap.public",
                                    "sap.internal",
                                    "ptera[twist.order=linear first,ball=body,zero=zero,joints=depth first]",
                                    "unity[pose=position first,twist.order=linear first,ball=body,zero=zero,"
                                    "joints=depth first,length=1,acceleration=rate]"};
constexpr Axes kWorlds[] = {rows::words::kYUp, rows::words::kDown, rows::words::kGltf, Axes{{3, 2, -1}},
                            Axes{{3, 1, 2}}};

struct Pair {  // the same machine in the same state, written in our axes and in others
  explicit Pair(const Axes& world) : ours(load_string(kAircraft)), turned(load_turned(world)), a(ours), b(turned) {}
  static Model load_turned(const Axes& world) {
    LoadOptions options;
    options.world = world;
    return load_string(kAircraft, options);
  }
  void randomise(Random& random) {
    for (double& v : a.qvel) v = random.uniform(-1, 1);
    for (double& v : a.xfrc_applied) v = random.uniform(-1, 1);
    const Pose<double> X_WB = random.pose();
    store3(&a.qpos[0], X_WB.p), store4(&a.qpos[3], X_WB.q);
    a.qpos[7] = random.uniform(-1, 1), store4(&a.qpos[8], random.quat());
    // by hand: only what is in world axes changes
    const Axes& world = turned.axes.world;
    std::copy(a.qpos.begin(), a.qpos.end(), b.qpos.begin());
    std::copy(a.qvel.begin(), a.qvel.end(), b.qvel.begin());
    store3(&b.qpos[0], to_axes(world, X_WB.p)), store4(&b.qpos[3], axes_rotation(world) * X_WB.q);
    store3(&b.qvel[0], to_axes(world, load3(&a.qvel[0])));
    for (int i = 0; i < 2 * ours.nbody; ++i)
      store3(&b.xfrc_applied[3 * i], to_axes(world, load3(&a.xfrc_applied[3 * i])));
    forward(ours, a), forward(turned, b);
  }
  Model ours, turned;
  Data a, b;
};

TEST(ModelAxes, TheSameMachineHasTheSameNumbersWhateverItsAxes) {
  for (const Axes& world : kWorlds) {
    Pair pair(world);
    EXPECT_TRUE(pair.turned.axes == (ModelAxes{world, kOurAxes}));
    for (const char* system : kSystems) {
      const Convention engine = find_convention("mujoco"), other = find_convention(system);
      const StateMap one(pair.ours, engine, other), two(pair.turned, engine, other), back(pair.turned, other, engine);
      const int nq = one.nq_to(), nv = one.nv();
      for_all(10, [&](Random& random) {
        pair.randomise(random);
        std::vector<double> q1(nq), q2(nq), v1(nv), v2(nv), q(pair.turned.nq), v(nv);
        one.positions(pair.a.qpos.data(), q1.data()), two.positions(pair.b.qpos.data(), q2.data());
        // q and -q are one rotation: compare the numbers of the hull by its rotation's sign
        one.velocities(pair.a.qpos.data(), pair.a.qvel.data(), v1.data());
        two.velocities(pair.b.qpos.data(), pair.b.qvel.data(), v2.data());
        EXPECT_NEAR_REL(v1, v2, 1e-12) << system;
        back.positions(q2.data(), q.data()), back.velocities(q2.data(), v2.data(), v.data());
        EXPECT_NEAR_REL(v, std::vector<double>(pair.b.qvel.begin(), pair.b.qvel.end()), 1e-12) << system;
        EXPECT_NEAR_REL(load3(q.data()), load3(pair.b.qpos.data()), 1e-12) << system;
        EXPECT_TRUE(is_same_rotation(load4(&q[3]), load4(&pair.b.qpos[3]), 1e-12)) << system;
        one.forces(pair.a.qpos.data(), pair.a.qvel.data(), v1.data());
        two.forces(pair.b.qpos.data(), pair.b.qvel.data(), v2.data());
        EXPECT_NEAR_REL(v1, v2, 1e-12) << system;
        one.accelerations(pair.a.qpos.data(), pair.a.qvel.data(), pair.a.qacc.data(), v1.data());
        two.accelerations(pair.b.qpos.data(), pair.b.qvel.data(), pair.b.qacc.data(), v2.data());
        EXPECT_NEAR_REL(v1, v2, 1e-9) << system;
      });
    }
  }
}

TEST(ModelAxes, BodiesAreTheSameInAnotherSystem) {
  for (const Axes& world : kWorlds) {
    Pair pair(world);
    for (const char* system : {"newton", "drake[wrench.point=origin]", "ptera[twist.order=linear first]"}) {
      const Convention convention = find_convention(system);
      for_all(10, [&](Random& random) {
        pair.randomise(random);
        const int body = random.integer(1, pair.ours.nbody - 1);
        std::vector<double> x(7), y(7), t(6), u(6), J(6 * pair.ours.nv), K(6 * pair.ours.nv);
        read_body_pose(pair.ours, pair.a, body, convention, x.data());
        read_body_pose(pair.turned, pair.b, body, convention, y.data());
        const size_t p = convention.row.pose == PoseOrder::kRotationFirst ? 4 : 0;
        EXPECT_NEAR_REL(load3(&x[p]), load3(&y[p]), 1e-12) << system;
        EXPECT_TRUE(is_same_rotation(load4(&x[p ? 0 : 3]), load4(&y[p ? 0 : 3]), 1e-12)) << system;
        ViewOptions options;
        if (random.chance(0.5)) options.p_BoQ_B = random.vec3();
        if (random.chance(0.5)) options.axes_body = random.integer(0, pair.ours.nbody - 1);
        read_body_twist(pair.ours, pair.a, body, convention, t.data(), options);
        read_body_twist(pair.turned, pair.b, body, convention, u.data(), options);
        EXPECT_NEAR_REL(t, u, 1e-12) << system;
        read_body_wrench(pair.ours, pair.a, body, convention, t.data(), options);
        read_body_wrench(pair.turned, pair.b, body, convention, u.data(), options);
        EXPECT_NEAR_REL(t, u, 1e-12) << system;
        set_body_wrench(pair.turned, pair.b, body, convention, u.data(), options);
        EXPECT_NEAR_REL(load3(&pair.b.xfrc_applied[6 * body]), to_axes(world, load3(&pair.a.xfrc_applied[6 * body])),
                        1e-12)
            << system;
        read_body_jacobian(pair.turned, pair.b, body, convention, K.data(), options);
        read_body_twist(pair.turned, pair.b, body, convention, u.data(), options);
        for (int i = 0; i < 6; ++i) {
          double sum = 0;
          for (int k = 0; k < pair.turned.nv; ++k) sum += K[i * pair.turned.nv + k] * pair.b.qvel[k];
          EXPECT_NEAR(sum, u[i], 1e-11 * 57) << system;
        }
      });
    }
  }
}

TEST(ModelAxes, InEarthAxesTheNumbersOfMujocoArePterasExceptForDegrees) {
  Pair pair(rows::words::kDown);
  const Convention ptera = find_convention("ptera[twist.order=linear first,ball=body,zero=zero,joints=depth first]");
  const StateMap map(pair.turned, find_convention("mujoco"), ptera);
  Random random(3);
  pair.randomise(random);
  std::vector<double> q(map.nq_to()), v(map.nv());
  map.positions(pair.b.qpos.data(), q.data());
  map.velocities(pair.b.qpos.data(), pair.b.qvel.data(), v.data());
  // the CG moves with its offset from the origin, by hand
  const Quat<double> q_EB = load4(&pair.b.qpos[3]);
  const Vec3<double> p_BoBcm_E = rotate(q_EB, load3(&pair.turned.body_ipos[3]));
  EXPECT_NEAR_REL(load3(q.data()), load3(pair.b.qpos.data()) + p_BoBcm_E, 1e-12);
  const Vec3<double> w_E = rotate(q_EB, load3(&pair.b.qvel[3]));
  EXPECT_NEAR_REL(load3(v.data()), load3(pair.b.qvel.data()) + cross(w_E, p_BoBcm_E), 1e-12);
}

TEST(ModelAxes, AxesInBracketsReplaceThoseOfTheModel) {
  Pair pair(rows::words::kDown);
  const StateMap same(pair.turned, find_convention("mujoco[world=z-up]"), find_convention("mujoco"));
  std::vector<double> q(pair.turned.nq);
  same.positions(pair.ours.qpos0.data(), q.data());
  EXPECT_NEAR_REL(q, std::vector<double>(pair.turned.qpos0.begin(), pair.turned.qpos0.end()), 1e-12);
  EXPECT_TRUE(find_convention("mujoco[quat=xyzw]").has_model_axes);
  EXPECT_FALSE(find_convention("mujoco[axes=z-up]").has_model_axes);
  EXPECT_FALSE(find_convention("newton").has_model_axes);
}

TEST(ModelAxes, ModelsWrittenInOtherAxesSaySo) {
  const std::string earth = R"(<mujoco><compiler worldaxes="ned" bodyaxes="x -y -z"/><option gravity="0 0 9.81"/>
      <worldbody><body pos="0 0 -5"><freejoint/><geom size="0.1" pos="0.1 0.2 0.3"/></body></worldbody></mujoco>)";
  const Model model = load_string(earth);
  const ModelAxes axes{rows::words::kDown, rows::words::kDown};
  EXPECT_TRUE(model.axes == axes);
  // all numbers of MuJoCo are Ptera's
  const StateMap map(model, find_convention("mujoco"), find_convention("mujoco.earth"));
  const double q[7] = {1, 2, 3, 0.5, -0.5, 0.5, 0.5};
  double out[7];
  map.positions(q, out);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(out[i], q[i]);
  // in another world it is the same machine
  LoadOptions options;
  options.world = kOurAxes;
  const Model turned = load_string(earth, options);
  EXPECT_NEAR(turned.opt.gravity[2], -9.81, 1e-12);
  EXPECT_NEAR(turned.qpos0[2], 5, 1e-12);
  EXPECT_TRUE(turned.axes == (ModelAxes{kOurAxes, rows::words::kDown}));
  double ours[7], theirs[7];
  StateMap(turned, find_convention("mujoco"), find_convention("newton")).positions(turned.qpos0.data(), ours);
  StateMap(model, find_convention("mujoco"), find_convention("newton")).positions(model.qpos0.data(), theirs);
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-12);
}

TEST(ModelAxes, FilesCopiesAndTextKeepThem) {
  const Model model = Pair::load_turned(rows::words::kDown);
  const Model read = from_bytes(to_bytes(model)), copy = model;
  EXPECT_TRUE(read.axes == model.axes && copy.axes == model.axes);
  EXPECT_TRUE(model.with_options(model.opt).axes == model.axes);
  Model other = model;
  other.axes.world = kOurAxes;
  EXPECT_FALSE(find_difference(model, other).empty());
  Spec spec = read_mjcf_string(R"(<mujoco><compiler worldaxes="x z -y"/></mujoco>)");
  EXPECT_TRUE(load_string(write_mjcf_string(spec)).axes == (ModelAxes{rows::words::kYUp, kOurAxes}));
}

TEST(ModelAxes, BytesWithAxesThatDoNotExistAreRefused) {
  Model model = Pair::load_turned(rows::words::kDown);
  model.axes.world = Axes{{1, 1, 2}};
  EXPECT_THROW(from_bytes(to_bytes(model)), Error);
  model.axes.world = rows::words::kUnity;  // left-handed
  EXPECT_THROW(from_bytes(to_bytes(model)), Error);
}

TEST(ModelAxes, BadAxesAndMixedModelsAreRefused) {
  for (const char* text : {"up", "", "x y", "x x y", "unity", "unspecified"}) {
    EXPECT_THROW(load_string("<mujoco><compiler worldaxes=\"" + std::string(text) + "\"/></mujoco>"), Error) << text;
  }
  LoadOptions options;
  options.files = std::make_shared<FileSystem>(
      FileSystem{{"part.xml", R"(<mujoco model="part"><compiler worldaxes="ned"/><worldbody><body name="b"><freejoint/>
       <geom size="0.1"/></body></worldbody></mujoco>)"}});
  try {
    load_string(R"(<mujoco><asset><model name="part" file="part.xml"/></asset>
        <worldbody><attach model="part" body="b" prefix="p"/></worldbody></mujoco>)",
                options);
    FAIL() << "attached a part with other axes";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("other axes"), std::string::npos) << error.what();
  }
}

TEST(ModelAxes, BuffersOfTheSapSolverAreInTheAxesOfItsModel) {
  for (const char* axes : {R"(<compiler worldaxes="ned" bodyaxes="ned"/>)", ""}) {
    const std::string text = std::string("<mujoco>") + axes + R"(<option solver="SAP" gravity="0 0 3"/>
      <worldbody><body><freejoint/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0.2 0.3"/></body></worldbody></mujoco>)";
    SapSolver solver(load_string(text));
    SapState state = solver.state();
    const double q[7] = {1, 2, 3, 0.5, -0.5, 0.5, 0.5};
    std::copy_n(q, 7, state.joint_q.begin());
    for (int i = 0; i < 6; ++i) state.joint_qd[i] = i + 1, state.body_f[i] = 6 - i;
    solver.step(state, state, nullptr, nullptr, 0.01);
    static std::vector<double> first;
    if (first.empty()) first = state.joint_q;
    EXPECT_NEAR_REL(state.joint_q, first, 1e-14);
    EXPECT_NEAR_REL(std::vector<double>(state.body_q.begin(), state.body_q.end()), first, 1e-14);
  }
}

}  // namespace
}  // namespace torsor
