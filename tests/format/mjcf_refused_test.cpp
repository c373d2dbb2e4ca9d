// What is not supported yet is refused by name, or left out on demand; and the schema says which.
#include <algorithm>
#include <set>

#include "mjcf_support.hpp"
#include "torsor/format/mjcf/schema.hpp"

namespace torsor {
namespace {

const std::vector<std::string> kLater = {"deformable", "extension"};

TEST(MjcfRefused, SectionsThatComeLaterAreErrorsByName) {
  const std::string error = error_in_model("<extension><whatever foo='1'/></extension>");
  expect_contains(error, "line 1:9: error: <extension> is not supported yet");
  expect_contains(error, "ignore = {\"extension\"}");
}

TEST(MjcfRefused, OfDeformablesSkinsAreRead) {
  expect_contains(error_in_model("<deformable><flex/></deformable>"), "ignore = {\"deformable\"}");
  expect_contains(error_in_model("<deformable><whatever/></deformable>"), "unknown element <whatever>");
}

TEST(MjcfRefused, IgnoredSectionsAreAWarning) {
  for (const std::string& section : kLater) {
    const Spec spec = read_model("<" + section + "><whatever/></" + section + "><" + section + "/>", {section});
    ASSERT_EQ(spec.warnings.size(), 1u);
    expect_contains(to_string(spec.warnings[0]), "section '" + section + "' is left out");
    EXPECT_EQ(spec.warnings[0].where.line, 1);
  }
}

TEST(MjcfRefused, SectionsThatAreSupportedCanBeIgnoredTheSameWay) {
  const std::pair<const char*, const char*> sections[] = {
      {"tendon", "<default><tendon foo='1'/></default><tendon><fixed/></tendon>"},
      {"contact", "<default><pair foo='1'/></default><contact><pair/><exclude/></contact>"},
      {"equality", "<default><equality foo='1'/></default><equality><weld/></equality>"},
  };
  for (const auto& [section, text] : sections) {
    EXPECT_THROW(read_model(text), Error);
    const Spec spec = read_model(text, {section});
    ASSERT_EQ(spec.warnings.size(), 1u);
    expect_contains(to_string(spec.warnings[0]), "section '" + std::string(section) + "' is left out");
    EXPECT_TRUE(spec.tendons.empty() && spec.pairs.empty() && spec.excludes.empty() && spec.equalities.empty());
  }
}

TEST(MjcfRefused, IgnoringOneSectionDoesNotIgnoreAnother) {
  EXPECT_THROW(read_model("<tendon/><extension/>", {"tendon"}), Error);
}

TEST(MjcfRefused, EqualitiesGoWithWhatTheyConstrain) {
  const std::string text = "<equality><tendon tendon1='t'/><flexvert flex='f'/><weld body1='b'/></equality>";
  expect_contains(error_in_model(text), "<flexvert> is not supported yet");
  EXPECT_EQ(read_model(text, {"deformable"}).equalities.size(), 2u);
  EXPECT_EQ(read_model(text, {"deformable", "tendon"}).equalities.size(), 1u);
  EXPECT_TRUE(read_model(text, {"equality"}).equalities.empty());
}

TEST(MjcfRefused, EntriesOfDefaultClassesGoWithAnIgnoredSection) {
  for (const char* name : {"general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle",
                           "adhesion", "dcmotor", "pid", "orientation"}) {
    const std::string text = "<default><" + std::string(name) + " foo='1'/></default>";
    expect_contains(error_in_model(text), "unknown attribute 'foo' of " + std::string(name));
    EXPECT_NO_THROW(read_model(text, {"actuator"})) << name;
  }
}

TEST(MjcfRefused, ElementsThatMakeOthersCannotBeIgnored) {
  const std::string text = "<worldbody><frame><flexcomp/></frame></worldbody>";
  expect_contains(error_in_model(text), "<flexcomp> is not supported yet");
  EXPECT_THROW(read_model(text, kLater), Error);
}

TEST(MjcfRefused, PluginsGoWithTheExtensionsAndFlexesWithTheDeformables) {
  const std::string plugins =
      "<worldbody><geom><plugin/></geom><body><plugin/></body></worldbody><asset><mesh "
      "name='m'><plugin/></mesh></asset>";
  EXPECT_EQ(errors_in_model(plugins).size(), 3u);
  EXPECT_EQ(read_model(plugins, {"extension"}).warnings.size(), 1u);
  expect_contains(error_in_model("<deformable><flex/></deformable>"), "<flex> is not supported yet");
  EXPECT_NO_THROW(read_model("<deformable><flex/></deformable>", {"deformable"}));
  EXPECT_TRUE(read_model("<asset><skin/></asset>", {"deformable"}).skins.empty());
}

TEST(MjcfRefused, SensorsOfWhatTouchesGoWithTheContacts) {
  const char* sensors[] = {"<touch site='s'/>",
                           "<rangefinder site='s'/>",
                           "<distance geom1='a' geom2='b'/>",
                           "<normal body1='a' geom2='b'/>",
                           "<fromto geom1='a' body2='b'/>",
                           "<contact/>",
                           "<tactile geom='a' mesh='m'/>",
                           "<user dim='1' objtype='pair' objname='p'/>"};
  for (const char* sensor : sensors) {
    const std::string text = "<sensor>" + std::string(sensor) + "<clock/></sensor>";
    EXPECT_EQ(read_model(text).sensors.size(), 2u) << sensor;
    EXPECT_EQ(read_model(text, {"contact"}).sensors.size(), 1u) << sensor;
    EXPECT_TRUE(read_model(text, {"sensor"}).sensors.empty()) << sensor;
  }
  expect_contains(error_in_model("<sensor><plugin/></sensor>"), "<plugin> is not supported yet");
  EXPECT_NO_THROW(read_model("<sensor><plugin/></sensor>", {"extension"}));
}

TEST(MjcfRefused, SensorsGoWithWhatTheyMeasure) {
  const std::string text = "<sensor><tendonpos tendon='t'/><actuatorpos actuator='a'/><clock/></sensor>";
  EXPECT_EQ(read_model(text).sensors.size(), 3u);
  EXPECT_EQ(read_model(text, {"tendon"}).sensors.size(), 2u);
  EXPECT_EQ(read_model(text, {"tendon", "actuator"}).sensors.size(), 1u);
}

TEST(MjcfRefused, KeyframesAndTuplesLoseWhatAnIgnoredSectionHeld) {
  const std::string text =
      "<keyframe><key qpos='1' ctrl='2' act='3'/></keyframe><custom><tuple name='t'><element objtype='actuator' "
      "objname='a'/>"
      "<element objtype='body' objname='b'/></tuple></custom>";
  const Spec kept = read_model(text), lost = read_model(text, {"actuator"});
  EXPECT_TRUE(kept.keys[0].ctrl && kept.keys[0].act);
  EXPECT_EQ(kept.tuples[0].entries.size(), 2u);
  EXPECT_FALSE(lost.keys[0].ctrl || lost.keys[0].act);
  EXPECT_TRUE(lost.keys[0].qpos);
  ASSERT_EQ(lost.tuples[0].entries.size(), 1u);
  EXPECT_EQ(lost.tuples[0].entries[0].objname, "b");
}

TEST(MjcfRefused, AllLeavesOutWhatIsNotSupportedAndNothingElse) {
  const std::string text =
      "<asset><mesh name='blob'><plugin/></mesh><mesh name='kept' file='a.obj'/></asset><worldbody><geom name='g' "
      "type='mesh' mesh='blob'/><geom type='mesh' mesh='kept'/><body name='b'><flexcomp name='f'/><plugin/></body>"
      "</worldbody><contact><exclude body1='a' body2='b'/><pair geom1='g' "
      "geom2='g'/></contact><tendon><fixed/></tendon>"
      "<sensor><plugin name='t'/><clock name='c'/></sensor><custom><tuple name='u'><element objtype='sensor' "
      "objname='t'/><element objtype='sensor' objname='c'/><element objtype='skin' objname='s'/></tuple></custom>"
      "<deformable><flex/></deformable><keyframe><key qpos='1' ctrl='1'/></keyframe>";
  EXPECT_THROW(read_model(text), Error);
  const Spec spec = read_model(text, {"all"});
  EXPECT_EQ(spec.meshes.size(), 1u);
  EXPECT_EQ(spec.bodies[0].geoms.size(), 1u);
  EXPECT_EQ(spec.excludes.size(), 1u);
  EXPECT_TRUE(spec.pairs.empty());  // with its geom
  EXPECT_EQ(spec.tendons.size(), 1u);
  EXPECT_EQ(spec.sensors.size(), 1u);
  ASSERT_EQ(spec.tuples[0].entries.size(), 1u);
  EXPECT_EQ(spec.tuples[0].entries[0].objname, "c");
  EXPECT_FALSE(spec.keys[0].qpos);  // which counted the bodies of the flexcomp
  EXPECT_TRUE(spec.keys[0].ctrl);
  std::string warnings;
  for (const Diagnostic& warning : spec.warnings) warnings += to_string(warning) + "\n";
  for (const char* part : {"<mesh> 'blob'", "<geom> 'g'", "<flexcomp> 'f'", "<plugin>", "<pair>", "<plugin> 't'", "'t'",
                           "<flex>", "the skin 's'", "<key>"})
    expect_contains(warnings, part);
}

TEST(MjcfRefused, AHintNeverRecommendsToLoseWhatIsSupported) {
  for (const SchemaElement& element : mjcf_schema()) {
    if (element.supported) continue;
    const std::string path = element.path, name = path.substr(path.rfind('/') + 1);
    if (path != "mujoco/sensor/" + name && path != "mujoco/equality/" + name && path != "mujoco/" + name) continue;
    const bool is_section = path == "mujoco/" + name;
    const std::string section = path.substr(7, path.rfind('/') - 7);
    const std::string error =
        error_in_model(is_section ? "<" + name + "/>" : "<" + section + "><" + name + "/></" + section + ">");
    for (const char* supported : {"contact", "equality", "tendon", "actuator", "sensor"})
      EXPECT_EQ(error.find("ignore = {\"" + std::string(supported)), std::string::npos) << error;
  }
}

// The type of a geom may come from its class; a class that nobody follows does no harm.
TEST(MjcfRefused, GeomsOfTypeSdfAreLeftOutWhereverTheTypeStands) {
  const std::string text =
      "<default><default class='s'><geom type='sdf'/></default></default><worldbody>"
      "<geom name='by class' class='s'/><geom name='by type' type='sdf'/><geom name='ball' class='s' type='sphere' "
      "size='1'/>"
      "</worldbody>";
  const Spec spec = read_model(text, {"all"});
  ASSERT_EQ(spec.bodies[0].geoms.size(), 1u);
  EXPECT_EQ(spec.bodies[0].geoms[0].name, "ball");
  try {
    read_model(text, {});
    FAIL() << "sdf was taken";
  } catch (const Error& error) {
    expect_contains(error.what(), "its default class makes it a geom of type 'sdf'");
    EXPECT_EQ(error.diagnostics().size(), 2u) << error.what();
  }
}

TEST(MjcfRefused, IgnoreKnowsItsSections) {
  for (const char* name : {"tendons", "worldbody", ""}) {
    try {
      read_model("", {name});
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      expect_contains(error.what(), "contact, equality, tendon, actuator, sensor, deformable, extension");
    }
  }
}

TEST(MjcfUnknown, ElementsGetAHint) {
  expect_contains(error_in_world("<Geom/>"), "unknown element <Geom> in <body> (did you mean 'geom'?)");
  expect_contains(error_in_world("<geom><body/></geom>"), "unknown element <body> in <geom>");
  expect_contains(error_in_model("<body/>"), "unknown element <body> in <mujoco>");
  expect_contains(error_in_model("<keyframe><kye/></keyframe>"), "did you mean 'key'?");
  expect_contains(error_in_world("<frame class='a'/>"), "unknown attribute 'class' of frame");
}

const SchemaElement& element_of(const std::vector<SchemaElement>& schema, const std::string& path) {
  const auto found = std::find_if(schema.begin(), schema.end(), [&](const auto& e) { return e.path == path; });
  if (found == schema.end()) throw std::runtime_error("no element " + path);
  return *found;
}

TEST(MjcfSchema, ListsEveryElementOnceWithDistinctAttributes) {
  std::set<std::string> paths;
  for (const SchemaElement& element : mjcf_schema()) {
    EXPECT_TRUE(paths.insert(element.path).second) << element.path;
    std::set<std::string> names;
    for (const SchemaAttribute& attribute : element.attributes) {
      EXPECT_TRUE(names.insert(attribute.name).second) << element.path << " " << attribute.name;
      EXPECT_FALSE(attribute.meaning.empty()) << element.path << " " << attribute.name;
    }
  }
}

TEST(MjcfSchema, ParentsComeWithTheirChildren) {
  std::set<std::string> paths;
  for (const SchemaElement& element : mjcf_schema()) paths.insert(element.path);
  for (const std::string& path : paths) {
    EXPECT_TRUE(path == "mujoco" || paths.count(path.substr(0, path.rfind('/')))) << path;
  }
}

TEST(MjcfSchema, SaysWhatIsRefusedAndWithWhichSection) {
  const auto schema = mjcf_schema();
  EXPECT_TRUE(element_of(schema, "mujoco/worldbody/body/geom").supported);
  EXPECT_TRUE(element_of(schema, "mujoco/equality/weld").supported);
  EXPECT_FALSE(element_of(schema, "mujoco/equality/flex").supported);
  EXPECT_TRUE(element_of(schema, "mujoco/default/motor").supported);
  EXPECT_TRUE(element_of(schema, "mujoco/sensor/tactile").supported);
  EXPECT_EQ(element_of(schema, "mujoco/sensor/plugin").section, "extension");
  EXPECT_TRUE(element_of(schema, "mujoco/worldbody/body/replicate").supported);
  EXPECT_FALSE(element_of(schema, "mujoco/worldbody/body/flexcomp").supported);
}

TEST(MjcfSchema, ItsAttributesAreThoseThatTheReaderTakes) {
  // An attribute that the reader does not know is the only one it calls unknown.
  const auto is_unknown = [](const std::string& text) {
    try {
      read_mjcf_string(text);
    } catch (const Error& error) {
      return std::string(error.what()).find("unknown attribute") != std::string::npos;
    }
    return false;
  };
  for (const SchemaElement& element : mjcf_schema()) {
    if (!element.supported) continue;
    std::string open, close;
    for (std::size_t begin = 0, end = 0; end < element.path.size(); begin = end + 1) {
      end = std::min(element.path.find('/', begin), element.path.size());
      open += "<" + element.path.substr(begin, end - begin) + ">";
      close = "</" + element.path.substr(begin, end - begin) + ">" + close;
    }
    open.pop_back();
    for (const SchemaAttribute& attribute : element.attributes) {
      EXPECT_FALSE(is_unknown(open + " " + attribute.name + "='1'>" + close)) << element.path << " " << attribute.name;
    }
    EXPECT_TRUE(element.path == "mujoco/worldbody" || is_unknown(open + " fooo='1'>" + close)) << element.path;
  }
}

}  // namespace
}  // namespace torsor
