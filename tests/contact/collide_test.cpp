// From geoms to the list of contacts: what the broad phase may not change.
#include "torsor/contact/collide.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/allocations.hpp"
#include "tests/support/property.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/core/isa.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"

namespace torsor {
namespace {

// Bodies with one or two geoms each in a room, every fifth of them fixed, on a floor.
std::string crowd(Random& random, int bodies, double room, const std::string& options = "") {
  std::string text = "<mujoco>" + options + "<worldbody><geom type='plane' size='0 0 1'/>";
  for (int b = 0; b < bodies; ++b) {
    const Vec3<double> p = random.vec3(room);
    text += fmt::format("<body pos='{} {} {}'>{}", p.x, p.y, p.z, b % 5 ? "<freejoint/>" : "");
    for (int g = 0; g <= b % 2; ++g) {
      const char* shape = random.uniform(0, 1) < 0.5 ? "sphere" : "capsule";
      const Quat<double> q = random.quat();
      text += fmt::format("<geom type='{}' size='{} {}' pos='{} 0 0' quat='{} {} {} {}' margin='{}'/>", shape,
                          random.uniform(0.05, 0.3), random.uniform(0.05, 0.5), 0.2 * g, q.w, q.x, q.y, q.z,
                          random.uniform(0, 0.05));
    }
    text += "</body>";
  }
  return text + "</worldbody></mujoco>";
}

// The geoms of all contacts, found without any broad phase.
std::vector<std::pair<int, int>> touch_all(const Model& model, const Data& data) {
  struct Found {
    int body1, body2, geom1, geom2;
    auto operator<=>(const Found&) const = default;
  };
  std::vector<Found> found;
  for (int g1 = 0; g1 < model.ngeom; ++g1) {
    for (int g2 = g1 + 1; g2 < model.ngeom; ++g2) {
      const int weld1 = model.body_weldid[model.geom_bodyid[g1]], weld2 = model.body_weldid[model.geom_bodyid[g2]];
      if (weld1 == weld2) continue;
      const bool swapped = model.geom_type[g1] > model.geom_type[g2];
      const int a = swapped ? g2 : g1, b = swapped ? g1 : g2;
      const PairFunction function = find_pair_function(GeomType(model.geom_type[a]), GeomType(model.geom_type[b]));
      ShapeParts parts_a, parts_b;
      ContactPoint points[kMaxPoints];
      const int count = function(make_shape(model, data, a, parts_a), make_shape(model, data, b, parts_b),
                                 model.geom_margin[a] + model.geom_margin[b], points);
      for (int i = 0; i < count; ++i) found.push_back({model.geom_bodyid[g1], model.geom_bodyid[g2], a, b});
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::pair<int, int>> geoms;
  for (const Found& f : found) geoms.emplace_back(f.geom1, f.geom2);
  return geoms;
}

std::vector<std::pair<int, int>> listed(const Data& data) {
  std::vector<std::pair<int, int>> geoms;
  for (int c = 0; c < data.ncon; ++c) geoms.emplace_back(data.contact[c].geom[0], data.contact[c].geom[1]);
  return geoms;
}

struct Simulation {
  Model model;
  Data data;

  explicit Simulation(const std::string& text) : model(load_string(text)), data(model) {
    compute_kinematics(model, data);
    compute_com_position(model, data);
  }
};

// Small crowds are compared all with all, large ones along a sorted axis.
TEST(Collide, FindsEveryPairThatTouchesInOrder) {
  for_all(12, [](Random& random) {
    const int bodies = random.uniform(0, 1) < 0.5 ? 30 : 200;
    Simulation sim(crowd(random, bodies, bodies == 30 ? 0.8 : 1.5));
    collide(sim.model, sim.data);
    EXPECT_GT(sim.data.ncon, 50);
    EXPECT_EQ(listed(sim.data), touch_all(sim.model, sim.data));
  });
}

TEST(Collide, TheOrderOfCentresAlongAnyAxisDoesNotMatter) {
  for_all(3, [](Random& random) {
    Simulation sim(crowd(random, 150, 1.0));
    collide(sim.model, sim.data);
    std::vector<double> dist;
    for (int c = 0; c < sim.data.ncon; ++c) dist.push_back(sim.data.contact[c].dist);
    // the same crowd, stretched out along another axis by a rotation of the world about (1, 1, 1)
    for (int g = 0; g < sim.model.ngeom; ++g) {
      double *p = sim.data.geom_xpos.row(g, 3), *R = sim.data.geom_xmat.row(g, 9);
      std::rotate(p, p + 1, p + 3);
      std::rotate(R, R + 3, R + 9);
    }
    const std::vector<std::pair<int, int>> before = listed(sim.data);
    collide(sim.model, sim.data);
    ASSERT_EQ(listed(sim.data), before);
    for (int c = 0; c < sim.data.ncon; ++c) EXPECT_NEAR(sim.data.contact[c].dist, dist[c], 1e-12);
  });
}

TEST(Collide, EveryInstructionSetFindsTheSameContacts) {
  Random random(1);
  const std::string best = isa_name(current_isa());
  for (const int bodies : {10, 120}) {
    Simulation sim(crowd(random, bodies, 0.8));
    collide(sim.model, sim.data);
    const std::vector<std::pair<int, int>> expected = listed(sim.data);
    for (const Isa isa : available_isas()) {
      use_isa(isa_name(isa));
      collide(sim.model, sim.data);
      EXPECT_EQ(listed(sim.data), expected) << isa_name(isa);
    }
    use_isa(best);
  }
}

TEST(Collide, NeverAllocates) {
  Random random(2);
  Simulation small(crowd(random, 10, 0.5)), large(crowd(random, 200, 1.0));
  for (Simulation* sim : {&small, &large}) {
    const long before = allocations;
    collide(sim->model, sim->data);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(sim->data.ncon, 0);
  }
}

TEST(Collide, NeverAllocatesForTriangles) {
  constexpr const char* kRing = "<geom type='mesh' mesh='ring' meshcollision='triangles'/>";
  Simulation sim(fmt::format(R"(<mujoco>
    <asset>
      <mesh name="ring" builtin="supertorus" params="30 0.25 1 1" scale="0.2 0.2 0.2"/>
      <hfield name="flat" nrow="10" ncol="10" size="3 3 0.1 0.2"/>
    </asset>
    <worldbody>
      <geom type="plane" size="5 5 1" pos="0 0 -0.05"/><geom type="hfield" hfield="flat" pos="0 0 -0.04"/>
      <body pos="0.15 0 0">{0}<freejoint/></body><body pos="0.3 0 0" euler="90 0 0">{0}<freejoint/></body>
      <body pos="-0.2 0 0"><freejoint/><geom size="0.1"/></body>
      <body pos="0 0.25 0"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
      <body pos="0.15 -0.2 0"><freejoint/><geom type="ellipsoid" size="0.1 0.1 0.1"/></body>
    </worldbody></mujoco>)",
                             kRing));
  const long before = allocations;
  collide(sim.model, sim.data);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(sim.data.ncon, 5);
}

TEST(Collide, TwiceIsTheSameAsOnce) {
  Random random(3);
  Simulation sim(crowd(random, 50, 0.7));
  collide(sim.model, sim.data);
  const std::vector<std::pair<int, int>> once = listed(sim.data);
  collide(sim.model, sim.data);
  EXPECT_EQ(listed(sim.data), once);
}

TEST(Collide, ContactsThatDoNotFitAreFoundAllTheSameAndTheMemoryTheyNeedIsTold) {
  Random random(4);
  Simulation sim(crowd(random, 60, 0.3, "<size memory='40K'/>"));
  collide(sim.model, sim.data);
  EXPECT_GT(sim.data.memory_needed(), 40U << 10);
  EXPECT_EQ(static_cast<size_t>(sim.data.ncon), static_cast<size_t>(sim.data.contact.size()));
}

TEST(Collide, EditedFiltersCountFromTheNextCallOn) {
  Simulation sim(R"(<mujoco><worldbody>
      <body><freejoint/><geom size="0.2"/></body>
      <body pos="0.3 0 0"><freejoint/><geom size="0.2"/></body>
    </worldbody></mujoco>)");
  collide(sim.model, sim.data);
  EXPECT_EQ(sim.data.ncon, 1);
  sim.model.geom_contype[0] = sim.model.geom_conaffinity[0] = 0;
  collide(sim.model, sim.data);
  EXPECT_EQ(sim.data.ncon, 0);
  sim.model.geom_contype[0] = 1;
  sim.model.geom_margin[0] = 0.01;
  collide(sim.model, sim.data);
  ASSERT_EQ(sim.data.ncon, 1);
  EXPECT_EQ(sim.data.contact[0].includemargin, 0.01);
  sim.model.opt.disableflags = kDisableContact;
  collide(sim.model, sim.data);
  EXPECT_EQ(sim.data.ncon, 0);
}

// Worked by hand: balls of radius 0.2 and 0.3 whose centres are 0.4 apart overlap by 0.1.
TEST(Collide, AContactSaysWhereHowDeepAndWithWhichParameters) {
  Simulation sim(R"(<mujoco><worldbody>
      <body><freejoint/>
        <geom size="0.2" friction="0.5 0.2 0.01" condim="4" solref="0.1 1" solmix="3" margin="0.1"/></body>
      <body pos="0 0 0.4"><freejoint/>
        <geom size="0.3" friction="0.7 0.1 0" solref="0.2 2" solimp="0.7 0.8 0.1 0.2 3" margin="0.02" gap="0.03"/>
      </body>
    </worldbody></mujoco>)");
  collide(sim.model, sim.data);
  ASSERT_EQ(sim.data.ncon, 1);
  const Contact& contact = sim.data.contact[0];
  EXPECT_NEAR(contact.dist, -0.1, 1e-15);
  EXPECT_NEAR_REL(load3(contact.pos), (Vec3<double>{0, 0, 0.15}), 1e-15);
  EXPECT_NEAR_REL(load9(contact.frame), (Mat3<double>{0, 0, 1, 0, 1, 0, -1, 0, 0}), 1e-15);
  EXPECT_NEAR(contact.includemargin, 0.12, 1e-15);
  EXPECT_EQ(contact.dim, 4);
  const std::vector<double> friction(contact.friction, contact.friction + 5);
  EXPECT_EQ(friction, (std::vector<double>{0.7, 0.7, 0.2, 0.01, 0.01}));
  EXPECT_NEAR(contact.solref[0], 0.75 * 0.1 + 0.25 * 0.2, 1e-15);
  EXPECT_NEAR(contact.solref[1], 0.75 * 1 + 0.25 * 2, 1e-15);
  EXPECT_NEAR(contact.solimp[0], 0.75 * 0.9 + 0.25 * 0.7, 1e-15);
  EXPECT_EQ(contact.exclude, int(ContactExclude::kNone));
}

TEST(Collide, BetweenMarginAndGapAContactMakesNoRows) {
  Simulation sim(R"(<mujoco><worldbody>
      <body><freejoint/><geom size="0.2" margin="0.1" gap="0.1"/></body>
      <body pos="0.55 0 0"><freejoint/><geom size="0.2"/></body>
    </worldbody></mujoco>)");
  collide(sim.model, sim.data);
  ASSERT_EQ(sim.data.ncon, 1);
  EXPECT_EQ(sim.data.contact[0].exclude, int(ContactExclude::kInGap));
  EXPECT_EQ(sim.data.contact[0].efc_address, -1);
}

}  // namespace
}  // namespace torsor
