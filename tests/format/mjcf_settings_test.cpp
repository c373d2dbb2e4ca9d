// compiler, option, size, statistic, visual, custom and keyframe.
#include <cmath>

#include "mjcf_support.hpp"

namespace torsor {
namespace {

TEST(MjcfCompiler, AttributesAreRead) {
  const CompilerSpec compiler =
      read_model(
          "<compiler autolimits='false' boundmass='1' boundinertia='2' settotalmass='3' balanceinertia='true' "
          "strippath='true'"
          " coordinate='local' angle='radian' fitaabb='true' eulerseq='ZyX' meshdir='m' texturedir='t' "
          "discardvisual='true'"
          " usethread='false' fusestatic='true' inertiafromgeom='true' inertiagrouprange='1 3' saveinertial='true'"
          " alignfree='true' conflict='merge'><lengthrange mode='all' useexisting='false' uselimit='true' accel='1' "
          "maxforce='2'"
          " timeconst='3' timestep='4' inttotal='5' interval='6' tolrange='7'/></compiler>")
          .compiler;
  EXPECT_FALSE(compiler.autolimits);
  EXPECT_EQ(compiler.boundmass, 1);
  EXPECT_EQ(compiler.boundinertia, 2);
  EXPECT_EQ(compiler.settotalmass, 3);
  EXPECT_TRUE(compiler.balanceinertia && compiler.strippath && compiler.fitaabb && compiler.discardvisual);
  EXPECT_FALSE(compiler.degree);
  EXPECT_EQ(compiler.eulerseq, "ZyX");
  EXPECT_EQ(compiler.meshdir, "m");
  EXPECT_EQ(compiler.texturedir, "t");
  EXPECT_FALSE(compiler.usethread);
  EXPECT_TRUE(compiler.fusestatic && compiler.saveinertial && compiler.alignfree);
  EXPECT_EQ(compiler.inertiafromgeom, Tristate::kTrue);
  EXPECT_EQ(compiler.inertiagrouprange, (std::array<int, 2>{1, 3}));
  EXPECT_EQ(compiler.conflict, "merge");
  EXPECT_EQ(compiler.lengthrange.mode, 3);
  EXPECT_FALSE(compiler.lengthrange.useexisting);
  EXPECT_EQ(compiler.lengthrange.tolrange, 7);
}

TEST(MjcfCompiler, HoldsForTheWholeModelWhereverItIsWritten) {
  const Spec spec = read_model("<compiler angle='radian'/><worldbody/><compiler eulerseq='zyx'/>");
  EXPECT_FALSE(spec.compiler.degree);
  EXPECT_EQ(spec.compiler.eulerseq, "zyx");
}

TEST(MjcfCompiler, FoldersOfMeshesAndTexturesWinOverAssetdirInOneElement) {
  const auto folders = [](const std::string& text) {
    const CompilerSpec compiler = read_model(text).compiler;
    return compiler.meshdir + "|" + compiler.texturedir;
  };
  EXPECT_EQ(folders("<compiler assetdir='a'/>"), "a|a");
  EXPECT_EQ(folders("<compiler meshdir='m' assetdir='a'/>"), "m|a");
  EXPECT_EQ(folders("<compiler assetdir='a' texturedir='t'/>"), "a|t");
  EXPECT_EQ(folders("<compiler meshdir='m'/><compiler assetdir='a'/>"), "a|a");
}

TEST(MjcfCompiler, MistakesAreErrors) {
  expect_contains(error_in_model("<compiler coordinate='global'/>"), "'global' is not supported");
  for (const char* sequence : {"xy", "xyzx", "abc", ""}) {
    expect_contains(error_in_model("<compiler eulerseq='" + std::string(sequence) + "'/>"), "three of the letters");
  }
  expect_contains(error_in_model("<compiler convexhull='true'/>"), "unknown attribute 'convexhull'");
  expect_contains(error_in_model("<compiler><lengthrange/><lengthrange/></compiler>"), "only one <lengthrange>");
  expect_contains(error_in_model("<compiler><flag/></compiler>"), "unknown element <flag> in <compiler>");
}

TEST(MjcfOption, NumbersAndKeywordsAreRead) {
  const Option option =
      read_model(
          "<option timestep='.01' gravity='1 2 3' wind='4 5 6' magnetic='7 8 9' integrator='implicitfast' "
          "cone='elliptic'"
          " jacobian='sparse' solver='CG' iterations='7' o_margin='.1' o_solref='.5' o_solimp='.1 .2' o_friction='2 3'"
          " density='1' viscosity='2' impratio='3' sdf_initpoints='4' sleep_tolerance='.5'/>")
          .option;
  EXPECT_EQ(option.timestep, .01);
  EXPECT_EQ(option.gravity[2], 3);
  EXPECT_EQ(option.wind[0], 4);
  EXPECT_EQ(option.magnetic[1], 8);
  EXPECT_EQ(option.integrator, static_cast<int>(Integrator::kImplicitFast));
  EXPECT_EQ(option.cone, 1);
  EXPECT_EQ(option.jacobian, 1);
  EXPECT_EQ(option.solver, 1);
  EXPECT_EQ(option.iterations, 7);
  EXPECT_EQ(option.o_solref[0], .5);
  EXPECT_EQ(option.o_solref[1], 1);
  EXPECT_EQ(option.o_solimp[1], .2);
  EXPECT_EQ(option.o_solimp[2], .001);
  EXPECT_EQ(option.o_friction[1], 3);
  EXPECT_EQ(option.o_friction[2], .005);
  EXPECT_EQ(option.sleep_tolerance, .5);
}

TEST(MjcfOption, FieldsThatAreNotAttributesAreUnknown) {
  for (const char* name : {"disableflags", "enableflags", "disableactuator", "apirate"}) {
    expect_contains(error_in_model("<option " + std::string(name) + "='1'/>"), "unknown attribute");
  }
}

TEST(MjcfOption, RepeatedSectionsAddUp) {
  const Option option =
      read_model(
          "<option timestep='1' actuatorgroupdisable='1'><flag contact='disable' energy='enable'/></option>"
          "<option timestep='2' actuatorgroupdisable='0 30'><flag contact='enable' gravity='disable'/></option>")
          .option;
  EXPECT_EQ(option.timestep, 2);
  EXPECT_EQ(option.disableactuator, 1 << 0 | 1 << 1 | 1 << 30);
  EXPECT_EQ(option.disableflags, kDisableGravity);
  EXPECT_EQ(option.enableflags, kEnableEnergy);
}

TEST(MjcfOption, EachFlagIsItsBit) {
  const std::pair<const char*, int> disabling[] = {{"constraint", kDisableConstraint},
                                                   {"equality", kDisableEquality},
                                                   {"frictionloss", kDisableFrictionLoss},
                                                   {"limit", kDisableLimit},
                                                   {"contact", kDisableContact},
                                                   {"spring", kDisableSpring},
                                                   {"damper", kDisableDamper},
                                                   {"gravity", kDisableGravity},
                                                   {"clampctrl", kDisableClampCtrl},
                                                   {"warmstart", kDisableWarmStart},
                                                   {"filterparent", kDisableFilterParent},
                                                   {"actuation", kDisableActuation},
                                                   {"refsafe", kDisableRefSafe},
                                                   {"sensor", kDisableSensor},
                                                   {"midphase", kDisableMidPhase},
                                                   {"eulerdamp", kDisableEulerDamp},
                                                   {"autoreset", kDisableAutoReset},
                                                   {"nativeccd", kDisableNativeCcd},
                                                   {"island", kDisableIsland},
                                                   {"multiccd", kDisableMultiCcd}};
  for (const auto& [name, bit] : disabling) {
    EXPECT_EQ(read_model("<option><flag " + std::string(name) + "='disable'/></option>").option.disableflags, bit)
        << name;
    EXPECT_EQ(read_model("<option><flag " + std::string(name) + "='enable'/></option>").option.disableflags, 0) << name;
  }
  const std::pair<const char*, int> enabling[] = {{"override", kEnableOverride}, {"energy", kEnableEnergy},
                                                  {"fwdinv", kEnableFwdInv},     {"invdiscrete", kEnableInvDiscrete},
                                                  {"sleep", kEnableSleep},       {"diagexact", kEnableDiagExact}};
  for (const auto& [name, bit] : enabling) {
    EXPECT_EQ(read_model("<option><flag " + std::string(name) + "='enable'/></option>").option.enableflags, bit)
        << name;
    EXPECT_EQ(read_model("<option><flag " + std::string(name) + "='disable'/></option>").option.enableflags, 0) << name;
  }
}

TEST(MjcfOption, MistakesAreErrors) {
  expect_contains(error_in_model("<option><flag contact='false'/></option>"), "is one of disable, enable");
  expect_contains(error_in_model("<option integrator='euler'/>"), "did you mean 'Euler'?");
  expect_contains(error_in_model("<option actuatorgroupdisable='31'/>"), "from 0 to 30");
  expect_contains(error_in_model("<option actuatorgroupdisable='-1'/>"), "from 0 to 30");
  expect_contains(error_in_model("<option gravity='0 0'/>"), "takes 3 numbers");
  expect_contains(error_in_model("<option><flag/><flag/></option>"), "only one <flag>");
}

TEST(MjcfSize, CountsAndMemoryAreRead) {
  const auto memory = [](const std::string& text) { return read_model("<size memory='" + text + "'/>").size.memory; };
  EXPECT_EQ(memory("1000"), 1000);
  EXPECT_EQ(memory("1K"), 1024);
  EXPECT_EQ(memory(" 2m "), 2 << 20);
  EXPECT_EQ(memory("3G"), int64_t{3} << 30);
  EXPECT_EQ(memory("7E"), int64_t{7} << 60);
  EXPECT_EQ(memory("-1"), -1);
  const SizeSpec size =
      read_model("<size njmax='1' nconmax='2' nstack='3' nkey='4' nuserdata='5' nuser_body='6' nuser_sensor='7'/>")
          .size;
  EXPECT_EQ(size.njmax, 1);
  EXPECT_EQ(size.nconmax, 2);
  EXPECT_EQ(size.nstack, 3);
  EXPECT_EQ(size.nkey, 4);
  EXPECT_EQ(size.nuserdata, 5);
  EXPECT_EQ(size.nuser_body, 6);
  EXPECT_EQ(size.nuser_sensor, 7);
}

TEST(MjcfSize, AbsurdSizesAreErrors) {
  for (const char* text : {"16E", "1.5M", "M", "1MB", "0", "-2", "", "99999999999999999999"}) {
    expect_contains(error_in_model("<size memory='" + std::string(text) + "'/>"), "is a number of bytes");
  }
  for (const char* attribute : {"nuser_body='1000000000'", "nkey='1000000000'", "nuserdata='1000000000'",
                                "nuserdata='-1'", "nuser_geom='-2'"}) {
    expect_contains(error_in_model("<size " + std::string(attribute) + "/>"), "of size is from ");
  }
  expect_contains(error_in_model("<size memory='1M' njmax='1'/>"), "'memory' and 'njmax' are mutually exclusive");
  expect_contains(error_in_model("<size memory='1M' nstack='1'/>"), "'memory' and 'nstack' are mutually exclusive");
}

TEST(MjcfStatistic, WhatIsNotGivenStaysOpen) {
  const StatisticSpec statistic = read_model("<statistic extent='2' center='1 2 3'/>").statistic;
  EXPECT_EQ(statistic.extent, 2);
  EXPECT_EQ(statistic.center, (Number3{1, 2, 3}));
  EXPECT_TRUE(std::isnan(statistic.meanmass));
  expect_contains(error_in_model("<statistic extent='0'/>"), "'extent' of statistic must be greater than 0");
}

TEST(MjcfVisual, GroupsAreReadByTheListOfTheirFields) {
  const Visual visual = read_model(
                            "<visual><global azimuth='12' orthographic='true' bvactive='true' cameraid='3' "
                            "realtime='.5'/><quality shadowsize='8'/>"
                            "<headlight active='0' ambient='.1 .2 .3'/><map znear='.5' force='2'/><scale "
                            "com='3'/><rgba bvactive='1 2 3 4'/></visual>")
                            .visual;
  EXPECT_EQ(visual.global.azimuth, 12);
  EXPECT_EQ(visual.global.orthographic, 1);
  EXPECT_EQ(visual.global.bvactive, 1);
  EXPECT_EQ(visual.global.cameraid, 3);
  EXPECT_EQ(visual.quality.shadowsize, 8);
  EXPECT_EQ(visual.headlight.active, 0);
  EXPECT_EQ(visual.headlight.ambient[1], .2f);
  EXPECT_EQ(visual.map.znear, .5f);
  EXPECT_EQ(visual.scale.com, 3);
  EXPECT_EQ(visual.rgba.bvactive[3], 4);
  EXPECT_EQ(visual.map.zfar, 50);
}

TEST(MjcfVisual, MistakesAreErrors) {
  expect_contains(error_in_model("<visual><global orthographic='1'/></visual>"), "is one of false, true");
  expect_contains(error_in_model("<visual><map znear='0'/></visual>"), "must be greater than 0");
  expect_contains(error_in_model("<visual><global realtime='-1'/></visual>"), "must be greater than 0");
  expect_contains(error_in_model("<visual><rgba fog='1 1 1'/></visual>"), "takes 4 numbers");
  expect_contains(error_in_model("<visual><map/><map/></visual>"), "only one <map>");
  expect_contains(error_in_model("<visual><rbga/></visual>"),
                  "unknown element <rbga> in <visual> (did you mean 'rgba'?)");
  expect_contains(error_in_model("<visual foo='1'/>"), "unknown attribute 'foo' of visual");
}

TEST(MjcfCustom, NumbersTextsAndTuplesAreRead) {
  const Spec spec = read_model(
      "<custom><numeric name='a' data='1 inf'/><numeric name='b' size='5' data='1'/><text name='t' data='hello'/>"
      "<tuple name='u'><element objtype='body' objname='world' prm='2'/><element objtype='geom' "
      "objname='g'/></tuple></custom>");
  EXPECT_EQ(spec.numerics[0].data.size(), 2u);
  EXPECT_EQ(spec.numerics[0].size, -1);
  EXPECT_EQ(spec.numerics[1].size, 5);
  EXPECT_EQ(spec.texts[0].data, "hello");
  EXPECT_EQ(read_model("<custom><text name='t'><![CDATA[a < b\n& c]]></text></custom>").texts[0].data, "a < b\n& c");
  ASSERT_EQ(spec.tuples[0].entries.size(), 2u);
  EXPECT_EQ(spec.tuples[0].entries[0].objname, "world");
  EXPECT_EQ(spec.tuples[0].entries[0].prm, 2);
  EXPECT_EQ(spec.tuples[0].entries[1].objtype, "geom");
}

TEST(MjcfCustom, MistakesAreErrors) {
  const auto error = [](const std::string& inside) { return error_in_model("<custom>" + inside + "</custom>"); };
  expect_contains(error("<numeric data='1'/>"), "numeric needs the attribute 'name'");
  for (const char* attributes : {"", "data=''", "size='0'", "size='-1' data='1'", "size='501'"}) {
    expect_contains(error("<numeric name='a' " + std::string(attributes) + "/>"), "a numeric has 1 to 500 numbers");
  }
  expect_contains(error("<numeric name='a' size='2' data='1 2 3'/>"), "more than the size 2");
  expect_contains(error("<text name='a'/>"), "text needs the attribute 'data'");
  expect_contains(error("<text name='a' data=''/>"), "text needs the attribute 'data'");
  expect_contains(error("<tuple/>"), "tuple needs the attribute 'name'");
  expect_contains(error("<tuple name='a'><element objtype='gem' objname='x'/></tuple>"), "did you mean 'geom'?");
  expect_contains(error("<tuple name='a'><element objtype='geom'/></tuple>"), "element needs the attribute 'objname'");
}

TEST(MjcfKeyframe, WhatIsNotGivenStaysOpen) {
  const KeySpec key =
      read_model("<keyframe><key name='k' time='1' qpos='1 2' qvel='' mpos='1 2 3'/></keyframe>").keys[0];
  EXPECT_EQ(key.name, "k");
  EXPECT_EQ(key.time, 1);
  EXPECT_EQ(key.qpos, (std::vector<double>{1, 2}));
  EXPECT_FALSE(key.qvel.has_value());
  EXPECT_EQ(key.mpos->size(), 3u);
  EXPECT_FALSE(key.ctrl.has_value());
}

TEST(MjcfRoot, TheModelHasAName) {
  EXPECT_EQ(read_mjcf_string("<mujoco model='m'/>").modelname, "m");
  EXPECT_EQ(read_mjcf_string("<mujoco/>").modelname, "MuJoCo Model");
  expect_contains(to_string(errors_of("<mujoco modle='x'/>").at(0)), "did you mean 'model'?");
}

}  // namespace
}  // namespace torsor
