// Damaged models are errors or other models, never a crash. TORSOR_SEED repeats a run.
#include <cstdlib>
#include <random>

#include "mjcf_support.hpp"
#include "tests/support/property.hpp"

namespace torsor {
namespace {

const char* const kModel = R"(<?xml version="1.0"?><!-- a model with a bit of everything -->
<mujoco model="fuzz"><compiler angle="radian" eulerseq="zyx" meshdir="m"><lengthrange mode="all"/></compiler>
<option timestep=".01" gravity="0 0 -9.81" integrator="RK4"><flag energy="enable" contact="disable"/></option>
<size memory="1M" nuser_body="2"/><statistic extent="2" center="0 0 1"/>
<visual><global azimuth="10" orthographic="true"/><rgba haze="1 1 1 1"/><map znear=".1"/></visual>
<default><geom size=".1 .2 .3" rgba="1 0 0 1"/>
<default class="a"><joint stiffness="1 2 3"/><material/></default></default>
<custom><numeric name="n" size="4" data="1 2"/><text name="t" data="&lt;x&gt;"/><tuple name="u">
<element objtype="body" objname="b" prm="1"/></tuple></custom>
<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 2"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"
elevation="1 2 3 4"/><texture name="x" type="2d" builtin="flat" width="8" height="8"/>
<material name="y" texture="x"/></asset>
<include file="part.xml"/>
<worldbody><light directional="true"/><frame pos="1 0 0" euler="0 0 1"><body name="b" childclass="a" quat="1 0 0 0">
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"/><joint name="j" axis="0 1 0" range="-1 inf" damping=".1"/>
<geom type="capsule" fromto="0 0 0 0 0 1" size=".1" user="1 2 3"/>
<site zaxis="0 1 0"/><camera fovy="30" output="rgb depth"/>
<body><freejoint align="true"/></body></body></frame></worldbody>
<tendon><fixed/></tendon><keyframe><key name="k" qpos="0" ctrl="1"/></keyframe></mujoco>)";

const char* const kTokens[] = {"<body>",
                               "</body>",
                               "<default>",
                               "class=\"a\"",
                               "\"",
                               "'",
                               "<",
                               ">",
                               "/>",
                               "&#x",
                               "&lt;",
                               "<![CDATA[",
                               "]]>",
                               "<!--",
                               "-->",
                               "<?",
                               "1e999",
                               "nan",
                               "-1",
                               " 1 1 1 1 1 1 1 1 1 1",
                               "<include file=\"part.xml\"/>",
                               "2147483648",
                               "\xFF",
                               "name=\"b\"",
                               "=\"\""};

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::string apply(std::string text) {
    const int count = static_cast<int>(random_() % 6);  // sometimes none: then the rest is put to the test
    for (int i = 0; i < count; ++i) damage_once(text);
    return text;
  }

 private:
  std::size_t place(const std::string& text) { return text.empty() ? 0 : random_() % text.size(); }

  void damage_once(std::string& text) {
    const std::size_t at = place(text);
    switch (random_() % 5) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(random_() % 256);
        break;
      case 1:
        text.erase(at, random_() % 40);
        break;
      case 2:
        text.insert(at, kTokens[random_() % std::size(kTokens)]);
        break;
      case 3:
        text.insert(place(text), text.substr(at, random_() % 200));
        break;
      default:
        text.resize(random_() % 4 == 0 ? at : text.size());
    }
  }

  std::mt19937 random_;
};

TEST(MjcfFuzz, DamagedModelsAreReadOrRefusedButNeverCrash) {
  const char* many = std::getenv("TORSOR_FUZZ");
  const int count = many ? std::atoi(many) : 3000;
  const auto seed = static_cast<unsigned>(first_seed());
  SCOPED_TRACE("TORSOR_SEED=" + std::to_string(seed));
  int readable = 0;
  for (int i = 0; i < count; ++i) {
    Damage damage(seed + static_cast<unsigned>(i));
    ReadOptions options =
        with_files({{"part.xml", damage.apply("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")}});
    if (i % 2 == 0) options.ignore = {"tendon", "actuator"};
    const std::string text = damage.apply(kModel);
    try {
      read_mjcf_string(text, options);
      ++readable;
    } catch (const Error& error) {
      ASSERT_FALSE(error.diagnostics().empty()) << text;
      ASSERT_FALSE(error.diagnostics()[0].message.empty()) << text;
    }
  }
  EXPECT_GT(readable, 0) << "the damage leaves nothing to read: the test tests only the XML parser";
}

}  // namespace
}  // namespace torsor
