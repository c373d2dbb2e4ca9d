// Pairs that wait for a search together give the contacts that each gives alone, in the order of pairs.
#include "torsor/contact/hull_queue.hpp"

#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "tests/support/property.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"

namespace torsor {
namespace {

constexpr int kBodies = 24, kRoom = 16;  // of the queue

// Free bodies of one geom each, a third of them hulls, some spheres and capsules whose pairs do not wait.
std::string heap(Random& random) {
  const char* const shapes[] = {"type='mesh' mesh='ball'",        "type='box' size='.1 .06 .04'",
                                "type='sphere' size='.08'",       "type='mesh' mesh='ball'",
                                "type='cylinder' size='.07 .05'", "type='capsule' size='.04 .07'"};
  std::string text =
      "<mujoco><asset><mesh name='ball' builtin='sphere' params='2' scale='.1 .08 .06'/></asset><worldbody>"
      "<geom type='plane' size='1 1 1'/>";
  for (int b = 0; b < kBodies; ++b) {
    text += fmt::format("<body><freejoint/><geom {} margin='{}'/></body>", shapes[random.integer(0, 5)],
                        random.chance(0.5) ? 0 : 0.02);
  }
  return text + "</worldbody></mujoco>";
}

struct Found {
  int geom1, geom2;
  ContactPoint point;
};

// Every pair by its own function, the smaller geom first.
std::vector<Found> look_at_all(const Model& model, const Data& data, int& searched) {
  std::vector<Found> found;
  searched = 0;
  for (int i = 0; i < model.ngeom; ++i) {
    for (int j = i + 1; j < model.ngeom; ++j) {
      const bool is_swapped = model.geom_type[i] > model.geom_type[j];
      const int geom1 = is_swapped ? j : i, geom2 = is_swapped ? i : j;
      ShapeParts parts1, parts2;
      const Shape a = make_shape(model, data, geom1, parts1), b = make_shape(model, data, geom2, parts2);
      const PairFunction function = find_pair_function(a, b);
      if (!function) continue;
      ContactPoint points[kMaxFieldPoints];
      const int count = function(a, b, contact_range(model, {geom1, geom2, -1}).detection, points);
      searched += count > 0 && function == convex_convex;
      for (int k = 0; k < count; ++k) found.push_back({geom1, geom2, points[k]});
    }
  }
  return found;
}

TEST(HullQueue, ContactsAreThoseOfEachPairAloneInTheOrderOfPairs) {
  int full = 0, kept = 0;
  for_all(number_of_cases(3, 10, 100), [&](Random& random) {
    const Model model = load_string(heap(random));
    Data data(model);
    std::vector<Vec3<double>> p;
    for (int b = 0; b < kBodies; ++b) p.push_back(random.vec3(0.25) + Vec3<double>{0, 0, 0.2});
    for (int step = 0; step < 10; ++step) {  // of slow motion: what is kept is good
      for (int b = 0; b < kBodies; ++b) {
        p[size_t(b)] += random.vec3(0.002);
        store3(&data.qpos[7 * b], p[size_t(b)]);
        const Quat<double> q = normalized(Quat<double>{1, 0.01 * step * b, 0.3 * (b % 5), 0.02 * b});
        data.qpos[7 * b + 3] = q.w, data.qpos[7 * b + 4] = q.x, data.qpos[7 * b + 5] = q.y, data.qpos[7 * b + 6] = q.z;
      }
      compute_kinematics(model, data);
      collide(model, data);
      int searched = 0;
      const std::vector<Found> alone = look_at_all(model, data, searched);
      full += searched > kRoom;
      for (const Separation *s = data.separations.begin(), *end = s + data.separations.bytes() / sizeof *s; s < end;
           ++s)
        kept += s->geom2 != 0;
      ASSERT_EQ(data.ncon, int(alone.size()));
      for (int c = 0; c < data.ncon; ++c) {
        const Contact& contact = data.contact[c];
        const Found& expected = alone[size_t(c)];
        EXPECT_EQ(std::tuple(contact.geom[0], contact.geom[1]), std::tuple(expected.geom1, expected.geom2));
        EXPECT_EQ(contact.dist, expected.point.dist);
        EXPECT_EQ(std::memcmp(contact.pos, &expected.point.pos_W, sizeof contact.pos), 0);
        EXPECT_EQ(std::memcmp(contact.frame, &expected.point.normal_W, 3 * sizeof(double)), 0);
      }
    }
  });
  EXPECT_GT(full, 5);  // steps that fill the queue more than once
  EXPECT_GT(kept, 50);
}

}  // namespace
}  // namespace torsor
