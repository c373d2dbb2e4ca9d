// The plan of the geoms that may touch: it loses no contact, and does not outlive the values that it was made from.
#include "torsor/model/contact_plan.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/support/property.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"

namespace torsor {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

std::string spheres(Random& random, int count, double room) {
  std::string text;
  for (int g = 0; g < count; ++g) {
    const Vec3<double> p = random.vec3(room);
    text += fmt::format("<geom size='{}' pos='{} {} {}' margin='{}'/>", random.uniform(0.02, 0.1), p.x, p.y, p.z,
                        random.uniform(0, 0.02));
  }
  return text;
}

// Bodies of few and many spheres, half of them with a welded child, some fixed; and arms, whose links may touch each
// other but not their parents.
std::string crowd(Random& random, int bodies) {
  std::string text = "<mujoco><worldbody>";
  for (int b = 0; b < bodies; ++b) {
    const Vec3<double> p = random.vec3(0.9);
    const Quat<double> q = random.quat();
    const std::string child =
        fmt::format("<body pos='0.1 0 0.1' quat='{} {} {} {}'>{}</body>", q.w, q.x, q.y, q.z, spheres(random, 4, 0.2));
    const std::string link = fmt::format(
        "<body pos='0.2 0 0'><joint axis='0 1 0'/>{}<body pos='0.2 0 0'><joint axis='0 0 1'/>{}</body>"
        "</body>",
        spheres(random, 7, 0.2), spheres(random, 6, 0.2));
    text += fmt::format("<body pos='{} {} {}'>{}{}{}{}</body>", p.x, p.y, p.z, b % 5 ? "<freejoint/>" : "",
                        spheres(random, 1 + b % 9, 0.3), b % 2 ? child : "", b % 3 ? "" : link);
  }
  return text + "</worldbody></mujoco>";
}

Pairs find_contacts(const Model& model, Data& data) {
  compute_kinematics(model, data);
  collide(model, data);
  Pairs pairs;
  for (const Contact& contact : data.contact) pairs.emplace_back(contact.geom[0], contact.geom[1]);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// All pairs of spheres, one by one.
Pairs find_touching(const Model& model, const Data& data) {
  const auto weld = [&](int geom) { return model.body_weldid[model.geom_bodyid[geom]]; };
  const auto parent = [&](int body) { return model.body_weldid[model.body_parentid[body]]; };
  const auto are_kin = [&](int a, int b) { return parent(a) == b && b != 0; };
  Pairs pairs;
  for (int a = 0; a < model.ngeom; ++a) {
    for (int b = a + 1; b < model.ngeom; ++b) {
      if (weld(a) == weld(b) || are_kin(weld(a), weld(b)) || are_kin(weld(b), weld(a))) continue;
      if (!((model.geom_contype[a] & model.geom_conaffinity[b]) | (model.geom_contype[b] & model.geom_conaffinity[a])))
        continue;
      const double between = norm(load3(data.geom_xpos.row(a, 3)) - load3(data.geom_xpos.row(b, 3)));
      const double margin = model.geom_margin[a] + model.geom_margin[b] + model.geom_gap[a] + model.geom_gap[b];
      if (between - model.geom_size[3 * a] - model.geom_size[3 * b] <= margin) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

void scatter(Random& random, const Model& model, Data& data) {
  std::copy(model.qpos0.begin(), model.qpos0.end(), data.qpos.begin());
  for (int j = 0; j < model.njnt; ++j) {
    const int address = model.jnt_qposadr[j];
    if (model.jnt_type[j] == static_cast<int>(JointType::kHinge)) {
      data.qpos[address] = random.uniform(-3, 3);
      continue;
    }
    store3(&data.qpos[address], random.vec3(0.9));
    const Quat<double> q = random.quat();
    const double numbers[] = {q.w, q.x, q.y, q.z};
    std::copy(numbers, numbers + 4, &data.qpos[address + 3]);
  }
}

TEST(ContactPlan, LosesNoPairOfSpheresThatTouch) {
  for_all(40, [](Random& random) {
    const Model model = load_string(crowd(random, random.integer(2, 24)));
    Data data(model);
    ASSERT_NE(model.contacts(), nullptr);
    EXPECT_TRUE(model.contacts()->is_of(model));
    for (int state = 0; state < 4; ++state) {
      scatter(random, model, data);
      const Pairs found = find_contacts(model, data);
      EXPECT_EQ(found, find_touching(model, data));
    }
  });
}

// Single spheres and bodies of three, some fixed; what is excluded is told by the caller.
std::string few(Random& random, int bodies, const std::string& contact) {
  std::string text = "<mujoco><worldbody>";
  for (int b = 0; b < bodies; ++b) {
    const Vec3<double> p = random.vec3(0.2);
    text += fmt::format("<body name='b{}' pos='{} {} {}'>{}{}</body>", b, p.x, p.y, p.z, b % 4 ? "<freejoint/>" : "",
                        spheres(random, b % 2 ? 1 : 3, 0.1));
  }
  return text + "</worldbody><contact>" + contact + "</contact></mujoco>";
}

TEST(ContactPlan, FewGeomsAreComparedWithThoseThatTheyMayTouch) {
  for_all(40, [](Random& random) {
    const Model model =
        load_string(few(random, 20, "<exclude body1='b1' body2='b2'/><exclude body1='b4' body2='b3'/>"));
    Data data(model);
    ASSERT_NE(model.contacts()->masks(), nullptr);
    scatter(random, model, data);
    for (int i = 0; i < model.nq; ++i)
      if (i % 7 < 3) data.qpos[i] *= 0.2;
    const Pairs found = find_contacts(model, data);
    Pairs expected = find_touching(model, data);
    const size_t all = expected.size();
    std::erase_if(expected, [&](const std::pair<int, int>& pair) {
      const auto [low, high] = std::minmax(model.geom_bodyid[pair.first], model.geom_bodyid[pair.second]);
      return (low == 2 && high == 3) || (low == 4 && high == 5);
    });
    EXPECT_EQ(found, expected);
    EXPECT_GT(all, 10u);
    // the same by groups and trees: a sphere that is larger than the geom makes the plan void
    Model other = model;
    other.geom_rbound[0] *= 1.5;
    ASSERT_FALSE(other.contacts()->is_of(other));
    EXPECT_EQ(find_contacts(other, data), expected);
  });
}

TEST(ContactPlan, AListOfManyContactsIsInTheOrderOfBodiesAndGeoms) {
  Random random(2);
  const Model model = load_string(crowd(random, 70));
  Data data(model);
  scatter(random, model, data);
  const Pairs found = find_contacts(model, data);
  EXPECT_EQ(found, find_touching(model, data));
  ASSERT_GT(data.ncon, 600);
  std::vector<std::tuple<int, int, int, int>> keys;
  for (const Contact& contact : data.contact) {
    const auto [low, high] = std::minmax(model.geom_bodyid[contact.geom[0]], model.geom_bodyid[contact.geom[1]]);
    keys.emplace_back(low, high, contact.geom[0], contact.geom[1]);
  }
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
}

TEST(ContactPlan, HasGroupsOfGeomsThatAreFixedToEachOther) {
  Random random(1);
  const Model model = load_string(crowd(random, 12));
  const ContactGeoms& geoms = model.contacts()->geoms();
  EXPECT_LT(geoms.rigid_count, geoms.moving_count);
  EXPECT_GT(geoms.tree_count, 1);
  EXPECT_GT(geoms.fixed_count, 0);
}

// Several edits of what the plan follows from, none of them announced.
const std::pair<const char*, std::function<void(Model&)>> kEdits[] = {
    {"contype", [](Model& m) { m.geom_contype[m.ngeom - 1] = m.geom_conaffinity[m.ngeom - 1] = 0; }},
    {"conaffinity",
     [](Model& m) {
       for (int g = 0; g < m.ngeom; g += 2) m.geom_contype[g] = m.geom_conaffinity[g] = 2;
     }},
    {"margin",
     [](Model& m) {
       for (double& margin : m.geom_margin) margin += 0.05;
     }},
    {"gap",
     [](Model& m) {
       for (double& gap : m.geom_gap) gap += 0.05;
     }},
    {"size",
     [](Model& m) {
       for (double& size : m.geom_size) size *= 1.5;
       for (double& bound : m.geom_rbound) bound *= 1.5;
     }},
    {"geom_pos",
     [](Model& m) {
       for (double& pos : m.geom_pos) pos *= 3;
       for (Byte& same : m.geom_sameframe) same = 0;
     }},
    {"body_pos",
     [](Model& m) {
       for (double& pos : m.body_pos) pos *= 4;
     }},
};

TEST(ContactPlan, DoesNotOutliveTheValuesThatItWasMadeFrom) {
  for (const auto& [name, edit] : kEdits) {
    int changed = 0;
    for_all(12, [&, &edited = edit, &title = name](Random& random) {
      Model model = load_string(crowd(random, 16));
      Data data(model);
      scatter(random, model, data);
      const Pairs before = find_contacts(model, data);
      edited(model);
      EXPECT_FALSE(model.contacts()->is_of(model)) << title;
      const Pairs after = find_contacts(model, data);
      EXPECT_EQ(after, find_touching(model, data)) << title;
      changed += after != before;
      model.index_contacts();
      EXPECT_TRUE(model.contacts()->is_of(model)) << title;
      EXPECT_EQ(find_contacts(model, data), after) << title;
    });
    EXPECT_GT(changed, 0) << name;
  }
}

}  // namespace
}  // namespace torsor
