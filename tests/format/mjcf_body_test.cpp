// The tree of bodies and what is attached to them.
#include "mjcf_support.hpp"

namespace torsor {
namespace {

TEST(MjcfBody, BodiesAreDepthFirstWithParentsBeforeChildren) {
  const Spec spec = read_model(
      "<worldbody><body name='a'><body name='b'/></body><body name='c'/></worldbody><worldbody><body "
      "name='d'/></worldbody>");
  std::string names;
  for (const BodySpec& body : spec.bodies) names += body.name + " ";
  EXPECT_EQ(names, "world a b c d ");
  EXPECT_EQ(spec.bodies[2].parent, 1);
  EXPECT_EQ(spec.bodies[3].parent, 0);
}

TEST(MjcfBody, AttributesAreRead) {
  const Spec spec = read_world(
      "<body name='a' pos='1 2 3' quat='0 1 0 0' mocap='true' gravcomp='.5' user='1 2'/>"
      "<body simple='false' sleep='init'/>");
  EXPECT_EQ(spec.bodies[1].pos, (Number3{1, 2, 3}));
  EXPECT_EQ(spec.bodies[1].orientation.quat, (Number4{0, 1, 0, 0}));
  EXPECT_TRUE(spec.bodies[1].mocap);
  EXPECT_TRUE(spec.bodies[1].simple_auto);
  EXPECT_EQ(spec.bodies[1].gravcomp, .5);
  EXPECT_EQ(spec.bodies[1].user, (std::vector<double>{1, 2}));
  EXPECT_FALSE(spec.bodies[2].simple_auto);
  EXPECT_EQ(spec.bodies[2].sleep, 5);
}

TEST(MjcfBody, FramesNestAndTheirContentsKnowThem) {
  const Spec spec = read_world(
      "<body><geom size='1'/><frame name='f' pos='1 0 0'><geom size='2'/><frame euler='0 0 90'><joint/><body/></frame>"
      "<site/></frame><camera/></body>");
  const BodySpec& body = spec.bodies[1];
  ASSERT_EQ(body.frames.size(), 2u);
  EXPECT_EQ(body.frames[0].pos, (Number3{1, 0, 0}));
  EXPECT_EQ(body.frames[0].parent_frame, -1);
  EXPECT_EQ(body.frames[1].parent_frame, 0);
  EXPECT_EQ(body.geoms[0].frame, -1);
  EXPECT_EQ(body.geoms[1].frame, 0);
  EXPECT_EQ(body.joints[0].frame, 1);
  EXPECT_EQ(body.sites[0].frame, 0);
  EXPECT_EQ(body.cameras[0].frame, -1);
  EXPECT_EQ(spec.bodies[2].frame, 1);
  EXPECT_EQ(spec.bodies[2].parent, 1);
}

TEST(MjcfBody, TheWorldHasNoAttributesNoJointsAndNoInertia) {
  expect_contains(error_in_model("<worldbody pos='1 2 3'/>"), "the world body cannot have attributes");
  expect_contains(error_in_world("<joint/>"), "the world cannot have <joint>");
  expect_contains(error_in_world("<frame><freejoint/></frame>"), "the world cannot have <freejoint>");
  expect_contains(error_in_world("<inertial pos='0 0 0' mass='1'/>"), "the world cannot have <inertial>");
}

TEST(MjcfBody, InertialIsRead) {
  const Spec spec = read_world(
      "<body><inertial pos='1 2 3' mass='4' diaginertia='5 6 7' euler='1 2 3'/></body>"
      "<body><inertial pos='0 0 0' mass='4' fullinertia='1 2 3 4 5 6'/></body><body/>");
  const InertialSpec& inertial = spec.bodies[1].inertial;
  EXPECT_TRUE(inertial.given);
  EXPECT_EQ(inertial.pos, (Number3{1, 2, 3}));
  EXPECT_EQ(inertial.mass, 4);
  EXPECT_EQ(inertial.diaginertia, (Number3{5, 6, 7}));
  EXPECT_EQ(inertial.orientation.form, OrientationSpec::Form::kEuler);
  EXPECT_FALSE(inertial.fullinertia);
  EXPECT_EQ(spec.bodies[2].inertial.fullinertia, (Number6{1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(spec.bodies[3].inertial.given);
}

TEST(MjcfBody, MistakesInInertialAreErrors) {
  expect_contains(error_in_world("<body><inertial mass='1'/></body>"), "inertial needs the attribute 'pos'");
  expect_contains(error_in_world("<body><inertial pos='' mass='1'/></body>"), "inertial needs the attribute 'pos'");
  expect_contains(error_in_world("<body><inertial pos='0 0 0'/></body>"), "inertial needs the attribute 'mass'");
  const std::string inertial = "<inertial pos='0 0 0' mass='1'/>";
  expect_contains(error_in_world("<body>" + inertial + inertial + "</body>"), "only one <inertial>");
  expect_contains(
      error_in_world("<body><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' quat='1 0 0 0'/></body>"),
      "'fullinertia' and 'quat' are mutually exclusive");
}

TEST(MjcfBody, AnInertialKnowsItsFrame) {
  const Spec spec = read_world("<body><frame pos='1 0 0'><inertial pos='0 0 0' mass='1'/></frame></body>");
  EXPECT_EQ(spec.bodies[1].inertial.frame, 0);
}

TEST(MjcfBody, InertialsInFramesAddUpAndTheLastOneWins) {
  const Spec spec = read_world(
      "<body><inertial pos='1 2 3' mass='4' diaginertia='5 6 7'/>"
      "<frame><inertial pos='0 0 0' mass='1'/><inertial pos='0 0 1' mass='2'/></frame></body>");
  const InertialSpec& inertial = spec.bodies[1].inertial;
  EXPECT_EQ(inertial.pos, (Number3{0, 0, 1}));
  EXPECT_EQ(inertial.mass, 2);
  EXPECT_EQ(inertial.diaginertia, (Number3{5, 6, 7}));
}

TEST(MjcfOrientation, EachFormIsRead) {
  const Spec spec = read_world(
      "<body axisangle='1 2 3 4'/><body xyaxes='1 2 3 4 5 6'/><body zaxis='1 2 3'/><body euler='4 5 6'/><body quat='1 "
      "2 3 4'/>");
  using Form = OrientationSpec::Form;
  EXPECT_EQ(spec.bodies[1].orientation.form, Form::kAxisAngle);
  EXPECT_EQ(spec.bodies[1].orientation.axisangle, (Number4{1, 2, 3, 4}));
  EXPECT_EQ(spec.bodies[2].orientation.form, Form::kXyAxes);
  EXPECT_EQ(spec.bodies[2].orientation.xyaxes, (Number6{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(spec.bodies[3].orientation.form, Form::kZAxis);
  EXPECT_EQ(spec.bodies[3].orientation.zaxis, (Number3{1, 2, 3}));
  EXPECT_EQ(spec.bodies[4].orientation.form, Form::kEuler);
  EXPECT_EQ(spec.bodies[4].orientation.euler, (Number3{4, 5, 6}));
  EXPECT_EQ(spec.bodies[5].orientation.form, Form::kQuat);
  EXPECT_EQ(spec.bodies[5].orientation.quat, (Number4{1, 2, 3, 4}));
}

TEST(MjcfOrientation, AnElementsOwnFormWinsOverThatOfItsDefaultClass) {
  const Spec spec = read_model(
      "<default><geom euler='90 0 0'/></default><worldbody><geom quat='0 1 0 0'/><geom zaxis='0 1 0' "
      "quat=''/></worldbody>");
  EXPECT_EQ(spec.bodies[0].geoms[0].orientation.form, OrientationSpec::Form::kQuat);
  EXPECT_EQ(spec.bodies[0].geoms[1].orientation.form, OrientationSpec::Form::kZAxis);
}

TEST(MjcfOrientation, TwoAtOnceAndZeroQuaternionsAreErrors) {
  expect_contains(error_in_world("<geom quat='0 1 0 0' euler='1 0 0'/>"), "'quat' and 'euler' are two orientations");
  expect_contains(error_in_world("<body axisangle='0 1 0 0' zaxis='1 0 0'/>"), "two orientations of one body");
  expect_contains(error_in_world("<site quat='0 0 0 0'/>"), "must not be zero");
  expect_contains(error_in_model("<default><camera quat='0 0 0 0'/></default>"), "must not be zero");
}

TEST(MjcfJoint, AttributesAreRead) {
  const Spec spec = read_world(
      "<body><joint name='j' type='slide' group='2' pos='1 2 3' axis='0 1 0' springdamper='1 2' limited='true' "
      "range='-1 1'"
      " actuatorfrclimited='false' actuatorfrcrange='-2 2' actuatorgravcomp='true' margin='.1' ref='.2' springref='.3'"
      " armature='.4' frictionloss='.5' stiffness='1 2 3' damping='4 5 6' solreflimit='.1 .2' solimplimit='.1 .2 .3 .4 "
      ".5'"
      " solreffriction='.3 .4' solimpfriction='.5 .4 .3 .2 .1' user='7'/></body>");
  const JointSpec& joint = spec.bodies[1].joints[0];
  EXPECT_EQ(joint.name, "j");
  EXPECT_EQ(joint.type, JointType::kSlide);
  EXPECT_EQ(joint.group, 2);
  EXPECT_EQ(joint.pos, (Number3{1, 2, 3}));
  EXPECT_EQ(joint.axis, (Number3{0, 1, 0}));
  EXPECT_EQ(joint.springdamper, (Number2{1, 2}));
  EXPECT_EQ(joint.limited, Tristate::kTrue);
  EXPECT_EQ(joint.range, (Number2{-1, 1}));
  EXPECT_EQ(joint.actfrclimited, Tristate::kFalse);
  EXPECT_EQ(joint.actfrcrange, (Number2{-2, 2}));
  EXPECT_TRUE(joint.actgravcomp);
  EXPECT_EQ(joint.margin, .1);
  EXPECT_EQ(joint.ref, .2);
  EXPECT_EQ(joint.springref, .3);
  EXPECT_EQ(joint.armature, .4);
  EXPECT_EQ(joint.frictionloss, .5);
  EXPECT_EQ(joint.stiffness, (Number3{1, 2, 3}));
  EXPECT_EQ(joint.damping, (Number3{4, 5, 6}));
  EXPECT_EQ(joint.solref_limit, (Number2{.1, .2}));
  EXPECT_EQ(joint.solimp_limit, (Number5{.1, .2, .3, .4, .5}));
  EXPECT_EQ(joint.solref_friction, (Number2{.3, .4}));
  EXPECT_EQ(joint.solimp_friction, (Number5{.5, .4, .3, .2, .1}));
  EXPECT_EQ(joint.user, (std::vector<double>{7}));
}

TEST(MjcfJoint, FreejointHasItsOwnAttributes) {
  const Spec spec = read_world("<body><freejoint name='f' group='3' align='false'/></body><body><freejoint/></body>");
  EXPECT_EQ(spec.bodies[1].joints[0].name, "f");
  EXPECT_EQ(spec.bodies[1].joints[0].group, 3);
  EXPECT_TRUE(spec.bodies[1].joints[0].align_given);
  EXPECT_EQ(spec.bodies[1].joints[0].align, Tristate::kFalse);
  EXPECT_FALSE(spec.bodies[2].joints[0].align_given);
  expect_contains(error_in_world("<body><freejoint damping='1'/></body>"), "unknown attribute 'damping' of freejoint");
  expect_contains(error_in_world("<body><joint align='true'/></body>"), "unknown attribute 'align' of joint");
}

TEST(MjcfGeom, AttributesAreRead) {
  const Spec spec = read_world(
      "<geom name='g' type='cone' pos='1 2 3' fromto='1 2 3 4 5 6' size='1 2 3' contype='2' conaffinity='3' condim='4'"
      " priority='5' group='1' friction='1 2 3' solmix='2' solref='.1 .2' solimp='.1 .2 .3 .4 .5' margin='.1' gap='.2'"
      " adhesion='.3' surfacevel='1 2 3 4 5 6' mass='2' density='3' shellinertia='true' fluidshape='ellipsoid'"
      " fluidcoef='1 2 3 4 5' mesh='m' hfield='h' fitscale='2' material='mat' rgba='1 0 0 1' user='1 2'/>");
  const GeomSpec& geom = spec.bodies[0].geoms[0];
  EXPECT_EQ(geom.type, GeomType::kCone);
  EXPECT_EQ(geom.fromto, (Number6{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(geom.size, (Number3{1, 2, 3}));
  EXPECT_EQ(geom.contype, 2);
  EXPECT_EQ(geom.conaffinity, 3);
  EXPECT_EQ(geom.condim, 4);
  EXPECT_EQ(geom.priority, 5);
  EXPECT_EQ(geom.group, 1);
  EXPECT_EQ(geom.friction, (Number3{1, 2, 3}));
  EXPECT_EQ(geom.solmix, 2);
  EXPECT_EQ(geom.solref, (Number2{.1, .2}));
  EXPECT_EQ(geom.solimp, (Number5{.1, .2, .3, .4, .5}));
  EXPECT_EQ(geom.margin, .1);
  EXPECT_EQ(geom.gap, .2);
  EXPECT_EQ(geom.adhesion, .3);
  EXPECT_EQ(geom.surfacevel, (Number6{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(geom.mass, 2);
  EXPECT_EQ(geom.density, 3);
  EXPECT_TRUE(geom.shellinertia);
  EXPECT_TRUE(geom.fluid_ellipsoid);
  EXPECT_EQ(geom.fluidcoef, (Number5{1, 2, 3, 4, 5}));
  EXPECT_EQ(geom.mesh, "m");
  EXPECT_EQ(geom.hfield, "h");
  EXPECT_EQ(geom.fitscale, 2);
  EXPECT_EQ(geom.material, "mat");
  EXPECT_EQ(geom.rgba, (Float4{1, 0, 0, 1}));
  EXPECT_FALSE(read_world("<geom/>").bodies[0].geoms[0].mass.has_value());
}

TEST(MjcfGeom, EveryTypeHasItsKeyword) {
  const std::pair<const char*, GeomType> types[] = {
      {"plane", GeomType::kPlane},     {"hfield", GeomType::kHfield},       {"sphere", GeomType::kSphere},
      {"capsule", GeomType::kCapsule}, {"ellipsoid", GeomType::kEllipsoid}, {"cylinder", GeomType::kCylinder},
      {"box", GeomType::kBox},         {"mesh", GeomType::kMesh},           {"cone", GeomType::kCone}};
  for (const auto& [name, type] : types) {
    EXPECT_EQ(read_world("<geom type='" + std::string(name) + "'/>").bodies[0].geoms[0].type, type);
  }
  expect_contains(error_in_world("<geom type='sdf'/>"), "'sdf' is not supported yet");
}

TEST(MjcfSite, AttributesAreRead) {
  const Spec spec =
      read_world("<site name='s' type='box' pos='1 2 3' size='4 5 6' group='2' material='m' rgba='1 1 0 1' user='9'/>");
  const SiteSpec& site = spec.bodies[0].sites[0];
  EXPECT_EQ(site.type, GeomType::kBox);
  EXPECT_EQ(site.size, (Number3{4, 5, 6}));
  EXPECT_EQ(site.group, 2);
  EXPECT_EQ(site.material, "m");
  EXPECT_EQ(site.rgba, (Float4{1, 1, 0, 1}));
  EXPECT_EQ(site.user, (std::vector<double>{9}));
}

TEST(MjcfCamera, AttributesAreRead) {
  const Spec spec = read_world(
      "<camera mode='targetbodycom' target='b' pos='1 2 3' projection='orthographic' ipd='.1' resolution='640 480'"
      " output='depth segmentation' sensorsize='1 2' focal='3 4' focalpixel='5 6' principal='7 8' principalpixel='9 "
      "10'/>"
      "<camera fovy='30'/>");
  const CameraSpec& camera = spec.bodies[0].cameras[0];
  EXPECT_EQ(camera.mode, TrackingMode::kTargetBodyCom);
  EXPECT_EQ(camera.target, "b");
  EXPECT_TRUE(camera.orthographic);
  EXPECT_EQ(camera.resolution, (std::array<int, 2>{640, 480}));
  EXPECT_EQ(camera.output, 2 | 16);
  EXPECT_EQ(camera.sensorsize, (Float2{1, 2}));
  EXPECT_EQ(camera.focal_length, (Float2{3, 4}));
  EXPECT_EQ(camera.focal_pixel, (Float2{5, 6}));
  EXPECT_EQ(camera.principal_length, (Float2{7, 8}));
  EXPECT_EQ(camera.principal_pixel, (Float2{9, 10}));
  EXPECT_EQ(spec.bodies[0].cameras[1].fovy, 30);
  EXPECT_EQ(spec.bodies[0].cameras[1].output, 0);
}

TEST(MjcfCamera, ContradictionsAreErrors) {
  expect_contains(error_in_world("<camera fovy='30' sensorsize='1 1'/>"),
                  "'fovy' and 'sensorsize' are mutually exclusive");
  expect_contains(error_in_world("<camera output='rgb rgb'/>"), "has 'rgb' twice");
  expect_contains(error_in_world("<camera output='rgb colour'/>"), "got 'colour'");
}

TEST(MjcfLight, AttributesAreRead) {
  const Spec spec = read_world(
      "<light mode='track' type='point' active='false' castshadow='false' dir='1 0 0' bulbradius='.1' intensity='2' "
      "range='3'"
      " attenuation='1 2 3' cutoff='4' exponent='5' softness='.5' ambient='1 0 0' diffuse='0 1 0' specular='0 0 1' "
      "texture='t'/>"
      "<light directional='true'/><light directional='false'/><light/>");
  const LightSpec& light = spec.bodies[0].lights[0];
  EXPECT_EQ(light.mode, TrackingMode::kTrack);
  EXPECT_EQ(light.type, 2);
  EXPECT_FALSE(light.active);
  EXPECT_FALSE(light.castshadow);
  EXPECT_EQ(light.attenuation, (Float3{1, 2, 3}));
  EXPECT_EQ(light.specular, (Float3{0, 0, 1}));
  EXPECT_EQ(light.texture, "t");
  EXPECT_EQ(spec.bodies[0].lights[1].type, 1);
  EXPECT_EQ(spec.bodies[0].lights[2].type, 0);
  expect_contains(error_in_world("<light directional='true' type='spot'/>"), "are mutually exclusive");
}

TEST(MjcfNames, AreUniqueAmongElementsOfTheirKind) {
  for (const char* kind : {"body", "geom", "site", "camera", "light", "frame"}) {
    const std::string element = "<" + std::string(kind) + " name='x'/>";
    expect_contains(
        error_in_world(element + "\n" + element),
        "line 2:1: error: the name 'x' is used by two <" + std::string(kind) + "> elements (the first is in line 1)");
  }
  expect_contains(error_in_world("<body><joint name='x'/></body><body><freejoint name='x'/></body>"),
                  "two <joint> elements");
  expect_contains(error_in_world("<body name='world'/>"), "the first is the world");
  for (const char* kind : {"mesh", "texture", "material"}) {
    const std::string element = "<" + std::string(kind) + " name='x'/>";
    expect_contains(error_in_model("<asset>" + element + element + "</asset>"), "the name 'x' is used by two");
  }
  expect_contains(error_in_model("<keyframe><key name='x'/><key name='x'/></keyframe>"), "two <key> elements");
  EXPECT_NO_THROW(
      read_world("<geom name='x'/><site name='x'/><body name='x'/><frame name='x'/><geom/><geom name=''/>"));
}

}  // namespace
}  // namespace torsor
