// Spec: the editable description of a model, as its author thinks of it. Readers of files and builders make one,
// compile(spec) turns it into a Model. Angles are in the unit of compiler.degree until compile() converts them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "torsor/core/error.hpp"
#include "torsor/geometry/mesh.hpp"
#include "torsor/model/model_axes.hpp"
#include "torsor/model/option.hpp"
#include "torsor/model/types.hpp"
#include "torsor/model/visual.hpp"

namespace torsor {

// A number that the author left open.
constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

using Number2 = std::array<double, 2>;
using Number3 = std::array<double, 3>;
using Number4 = std::array<double, 4>;
using Number5 = std::array<double, 5>;
using Number6 = std::array<double, 6>;
using Number7 = std::array<double, 7>;
using Number10 = std::array<double, 10>;
using Float2 = std::array<float, 2>;
using Float3 = std::array<float, 3>;
using Float4 = std::array<float, 4>;

enum class Tristate : int { kFalse = 0, kTrue = 1, kAuto = 2 };

// An orientation in any of the ways of writing one. kQuat is the resting form; the others win when they are given.
struct OrientationSpec {
  enum class Form { kQuat, kAxisAngle, kXyAxes, kZAxis, kEuler };
  Form form = Form::kQuat;
  Number4 quat{1, 0, 0, 0};
  Number4 axisangle{0, 0, 1, 0};
  Number6 xyaxes{1, 0, 0, 0, 1, 0};
  Number3 zaxis{0, 0, 1};
  Number3 euler{0, 0, 0};
};

// What all elements have. `location` is where the element was read; childclass and class names are for writing back.
struct ElementSpec {
  std::string name;
  std::string class_name;  // default class that the values came from; "" is the main class
  Location location;
};

// How the length ranges of actuators will be measured.
struct LengthRangeSpec {
  int mode = 1;  // none, muscle, muscleuser, all
  bool useexisting = true, uselimit = false;
  double accel = 20, maxforce = 0, timeconst = 1, timestep = 0.01, inttotal = 10, interval = 2, tolrange = 0.05;
};

struct CompilerSpec {
  bool autolimits = true;
  double boundmass = 0;
  double boundinertia = 0;
  double settotalmass = -1;
  bool balanceinertia = false;
  bool strippath = false;
  bool fitaabb = false;
  bool degree = true;
  std::string eulerseq = "xyz";
  bool discardvisual = false;
  bool usethread = true;
  bool fusestatic = false;
  Tristate inertiafromgeom = Tristate::kAuto;
  std::array<int, 2> inertiagrouprange{0, 5};
  bool saveinertial = false, savecompiled = true, savecanonical = true;
  bool passthrough = false;  // textures by reference
  bool alignfree = false;
  std::string meshdir, texturedir;  // `assetdir` sets both
  std::string conflict = "warning";
  ModelAxes axes;  // of this model: nothing is converted
  LengthRangeSpec lengthrange;
};

struct SizeSpec {
  int64_t memory = -1;
  int nstack = -1;
  int njmax = -1, nconmax = -1, nkey = 0, nuserdata = 0;
  int nuser_body = -1, nuser_jnt = -1, nuser_geom = -1, nuser_site = -1,
      nuser_cam = -1;  // -1: as many as the elements give
  int nuser_tendon = -1, nuser_actuator = -1, nuser_sensor = -1;
};

// Unset numbers are computed by compile().
struct StatisticSpec {
  double meaninertia = kUnset, meanmass = kUnset, meansize = kUnset, extent = kUnset;
  Number3 center{kUnset, kUnset, kUnset};
};

// A group of children with a common pose and scale, dissolved by compile(). Frames nest.
struct FrameSpec : ElementSpec {
  int parent_frame = -1;  // index in BodySpec::frames; -1 is the body itself
  Number3 pos{0, 0, 0};
  OrientationSpec orientation;
  std::string childclass;
  Number3 scale{1, 1, 1};  // of the contents, along the frame's axes
  ScalingPolicy scaling = ScalingPolicy::kSimilar;
  double massscale = 0;  // 0: as the volume
};

struct InertialSpec {
  bool given = false;
  int frame = -1;  // index in BodySpec::frames
  Location location;
  Number3 pos{0, 0, 0};
  OrientationSpec orientation;
  double mass = 0;
  Number3 diaginertia{0, 0, 0};
  std::optional<Number6> fullinertia;  // xx yy zz xy xz yz
};

struct JointSpec : ElementSpec {
  JointType type = JointType::kHinge;
  bool align_given = false;  // freejoint only
  Tristate align = Tristate::kAuto;
  int frame = -1;  // index in BodySpec::frames
  int group = 0;
  Number3 pos{0, 0, 0};
  Number3 axis{0, 0, 1};
  Number2 springdamper{0, 0};
  Tristate limited = Tristate::kAuto;
  Number2 range{0, 0};
  Tristate actfrclimited = Tristate::kAuto;
  Number2 actfrcrange{0, 0};
  bool actgravcomp = false;
  double margin = 0;
  double ref = 0;
  double springref = 0;
  double springyield = 0;  // 0: the spring is elastic
  double armature = 0;
  double frictionloss = 0;
  Number3 stiffness{0, 0, 0};  // linear, quadratic and cubic coefficient
  Number3 damping{0, 0, 0};
  Number2 solref_limit{0.02, 1};
  Number5 solimp_limit{0.9, 0.95, 0.001, 0.5, 2};
  Number2 solref_friction{0.02, 1};
  Number5 solimp_friction{0.9, 0.95, 0.001, 0.5, 2};
  std::optional<double> sapstiffness, sapdissipation;  // of the limit; without: near-rigid, one step
  std::vector<double> user;
};

struct GeomSpec : ElementSpec {
  GeomType type = GeomType::kSphere;
  int frame = -1;
  Number3 pos{0, 0, 0};
  OrientationSpec orientation;
  std::optional<Number6> fromto;
  Number3 size{0, 0, 0};
  int contype = 1, conaffinity = 1, condim = 3, priority = 0, group = 0;
  Number3 friction{1, 0.005, 0.0001};
  double solmix = 1;
  Number2 solref{0.02, 1};
  Number5 solimp{0.9, 0.95, 0.001, 0.5, 2};
  double margin = 0, gap = 0, adhesion = 0;
  Number6 surfacevel{0, 0, 0, 0, 0, 0};
  std::optional<double> sapstiffness, sapdissipation;  // without: those of the option
  std::optional<double> mass;
  double density = 1000;
  bool shellinertia = false;
  bool fluid_ellipsoid = false;
  Number5 fluidcoef{0.5, 0.25, 1.5, 1, 1};
  std::string mesh, hfield, material;
  MeshCollision mesh_collision = MeshCollision::kHull;
  double fitscale = 1;
  bool castshadow = true;
  Float4 rgba{0.5f, 0.5f, 0.5f, 1};
  std::vector<double> user;
};

struct SiteSpec : ElementSpec {
  GeomType type = GeomType::kSphere;
  int frame = -1;
  Number3 pos{0, 0, 0};
  OrientationSpec orientation;
  std::optional<Number6> fromto;
  Number3 size{0.005, 0.005, 0.005};
  int group = 0;
  std::string mesh, material;
  Float4 rgba{0.5f, 0.5f, 0.5f, 1};
  std::vector<double> user;
};

struct CameraSpec : ElementSpec {
  TrackingMode mode = TrackingMode::kFixed;
  int frame = -1;
  std::string target;
  Number3 pos{0, 0, 0};
  OrientationSpec orientation;
  bool orthographic = false;
  double fovy = 45;
  double ipd = 0.068;
  std::array<int, 2> resolution{1, 1};
  int output = 0;  // bits, 0 for the default
  Float2 sensorsize{0, 0}, focal_length{0, 0}, focal_pixel{0, 0}, principal_length{0, 0}, principal_pixel{0, 0};
  std::vector<double> user;
};

struct LightSpec : ElementSpec {
  TrackingMode mode = TrackingMode::kFixed;
  int frame = -1;
  std::string target, texture;
  int type = 0;  // spot, directional, point, image
  bool active = true, castshadow = true;
  Number3 pos{0, 0, 0};
  Number3 dir{0, 0, -1};
  float bulbradius = 0.02f, intensity = 0, range = 10, cutoff = 45, exponent = 10, softness = 0.2f;
  Float3 attenuation{1, 0, 0}, ambient{0, 0, 0}, diffuse{0.7f, 0.7f, 0.7f}, specular{0.3f, 0.3f, 0.3f};
};

struct BodySpec : ElementSpec {
  int parent = -1;  // index in Spec::bodies; -1 for the world
  int frame = -1;   // index in the PARENT's frames
  std::string childclass;
  Number3 pos{0, 0, 0};
  OrientationSpec orientation;
  bool mocap = false;
  double gravcomp = 0;
  bool fuse = true;         // false: stays a body although it is static, also with fusestatic
  bool simple_auto = true;  // false: never take the short cuts of bodies whose rows of M are diagonal
  int sleep = 0;  // sleep policy of the tree: 0 auto, 3 never, 4 allowed, 5 init (as in Model::tree_sleep_policy)
  InertialSpec inertial;
  std::vector<double> user;
  std::vector<FrameSpec> frames;
  std::vector<JointSpec> joints;
  std::vector<GeomSpec> geoms;
  std::vector<SiteSpec> sites;
  std::vector<CameraSpec> cameras;
  std::vector<LightSpec> lights;
};

struct MeshSpec : ElementSpec {
  std::string file, content_type;
  Number3 scale{1, 1, 1}, refpos{0, 0, 0};
  Number4 refquat{1, 0, 0, 0};
  std::optional<std::array<double, 9>> stretch;  // by scaled frames, after scale: rows of a linear map
  MeshInertia inertia = MeshInertia::kLegacy;
  bool smoothnormal = false;
  int maxhullvert = -1;
  std::string builtin, material;
  std::vector<double> params;
  // Written in the model, or decoded from `file` by load_assets(). Without face_normal or face_texcoord, triangles use
  // the indices of `face`.
  std::vector<float> vertex, normal, texcoord;
  std::vector<int> face, face_normal, face_texcoord;
  // Which of them load_assets() found in the file.
  struct {
    bool vertex = false, normal = false, texcoord = false, face = false;
  } from_file;
};

struct HfieldSpec : ElementSpec {
  std::string file, content_type;
  int nrow = 0, ncol = 0;
  Number4 size{0, 0, 0, 0};
  std::vector<float> elevation;  // as written, not normalised; row 0 is at the lowest y
};

// A deformable surface that bodies carry; for drawing only.
struct SkinSpec : ElementSpec {
  struct Bone {
    std::string body;
    Float3 bindpos{0, 0, 0};
    Float4 bindquat{1, 0, 0, 0};
    std::vector<int> vertid;
    std::vector<float> vertweight;
  };
  std::string file, material;
  Float4 rgba{0.5f, 0.5f, 0.5f, 1};
  float inflate = 0;
  int group = 0;
  std::vector<float> vertex, texcoord;  // in W, in the pose in which the skin was made
  std::vector<int> face;
  std::vector<Bone> bones;
  bool from_file = false;  // load_assets() decoded the numbers from `file`
};

// Textures are for drawing only: attributes are kept as text and written back.
struct TextureSpec : ElementSpec {
  std::vector<std::pair<std::string, std::string>> attributes;
};

struct MaterialSpec : ElementSpec {
  std::array<std::string, 10> textures;  // by role
  bool texuniform = false;
  Float2 texrepeat{1, 1};
  float emission = 0, specular = 0.5f, shininess = 0.5f, reflectance = 0, metallic = -1, roughness = -1;
  Float4 rgba{1, 1, 1, 1};
};

// Two geoms that collide whatever their own filters say, with parameters of their own.
struct PairSpec : ElementSpec {
  std::string geom1, geom2;
  int condim = 3;
  Number5 friction{1, 1, 0.005, 0.0001, 0.0001};
  Number2 solref{0.02, 1}, solreffriction{0, 0};
  Number5 solimp{0.9, 0.95, 0.001, 0.5, 2};
  double margin = 0, gap = 0, adhesion = 0;
  std::optional<double> sapstiffness, sapdissipation;  // without: mixed from the geoms
};

// Two bodies whose geoms do not collide.
struct ExcludeSpec : ElementSpec {
  std::string body1, body2;
};

struct EqualitySpec : ElementSpec {
  EqualityType type = EqualityType::kConnect;
  ObjectType objtype = ObjectType::kBody;  // body or site for connect and weld, else joint or tendon
  std::string object1, object2;            // the second may be empty: the world, or a constant
  bool active = true;
  Number2 solref{0.02, 1};
  Number5 solimp{0.9, 0.95, 0.001, 0.5, 2};
  std::optional<double> sapstiffness, sapdissipation;  // without: near-rigid, one step
  Number3 anchor{0, 0, 0};                             // connect: in body 1; weld: in body 2
  Number7 relpose{0, 0, 0, 0, 0, 0, 0};                // of body 2 in body 1; quaternion 0: as in the reference pose
  double torquescale = 1;                              // weight of rotation against translation
  Number5 polycoef{0, 1, 0, 0, 0};
};

// An actuator of any kind: the shortcuts of files (motor, position, ...) are settings of these values.
struct ActuatorSpec : ElementSpec {
  ActuatorShortcut shortcut = ActuatorShortcut::kGeneral;  // in a default class: who may inherit the parameters
  ActuatorGain gaintype = ActuatorGain::kFixed;
  ActuatorBias biastype = ActuatorBias::kNone;
  ActuatorDynamics dyntype = ActuatorDynamics::kNone;
  Number10 gainprm{1}, biasprm{}, dynprm{1};  // biasprm[2] > 0 of a servo is a damping ratio, until compile()
  int actdim = -1;                            // -1: as the dynamics need
  int ctrlspec = 0;                           // ActuatorInput bits or ActuatorChart; 0: as the gain type has it
  bool actearly = false;
  std::string joint, jointinparent, tendon, site, cranksite, body;  // one of them
  std::string refsite, slidersite;
  Number6 gear{1, 0, 0, 0, 0, 0};
  double cranklength = 0;
  Number2 lengthrange{0, 0};
  double inheritrange = 0;
  Number3 damping{0, 0, 0};
  double armature = 0;
  Tristate ctrllimited = Tristate::kAuto, forcelimited = Tristate::kAuto, actlimited = Tristate::kAuto;
  Number2 ctrlrange{0, 0}, velrange{0, 0}, ffrange{0, 0}, forcerange{0, 0}, actrange{0, 0};
  int group = 0;
  int nsample = 0, interp = 0;  // history of controls; order of interpolation
  double delay = 0;
  std::vector<double> user;
};

// One element of a tendon's path.
struct WrapSpec {
  enum class Kind { kJoint, kSite, kGeom, kPulley };
  Kind kind = Kind::kSite;
  Location location;
  std::string target;    // the joint, site or geom
  std::string sidesite;  // of a geom; may be empty
  double number = 0;     // coefficient of a joint, divisor of a pulley
};

struct TendonSpec : ElementSpec {
  bool spatial = false;  // through sites and around geoms; otherwise a weighted sum of joint coordinates
  int group = 0;
  Tristate limited = Tristate::kAuto;
  Number2 range{0, 0};
  Tristate actfrclimited = Tristate::kAuto;
  Number2 actfrcrange{0, 0};
  double margin = 0;
  Number2 springlength{-1, -1};  // both -1: the length at the springs' reference
  double springyield = 0;        // 0: the spring is elastic
  Number3 stiffness{0, 0, 0};    // linear, quadratic and cubic coefficient
  Number3 damping{0, 0, 0};
  double armature = 0;
  double frictionloss = 0;
  Number2 solref_limit{0.02, 1};
  Number5 solimp_limit{0.9, 0.95, 0.001, 0.5, 2};
  Number2 solref_friction{0.02, 1};
  Number5 solimp_friction{0.9, 0.95, 0.001, 0.5, 2};
  std::optional<double> sapstiffness, sapdissipation;  // of the limit; without: near-rigid, one step
  double width = 0.003;
  std::string material;
  Float4 rgba{0.5f, 0.5f, 0.5f, 1};
  std::vector<double> user;
  std::vector<WrapSpec> path;
};

struct SensorSpec : ElementSpec {
  SensorType type = SensorType::kClock;
  ObjectType objtype = ObjectType::kUnknown, reftype = ObjectType::kUnknown;
  std::string objname, refname;  // what is measured, and in whose frame
  double cutoff = 0, noise = 0;
  int nsample = 0, interp = 0;  // history of readings; order of interpolation
  double delay = 0;
  Number2 interval{0, 0};  // period and phase
  int dim = 0;             // of the type user, as the next two
  SensorData datatype = SensorData::kReal;
  SensorStage needstage = SensorStage::kAcceleration;
  int data = 0;  // RayData or ContactData bits; 0: the first of them
  ContactReduce reduce = ContactReduce::kNone;
  int num = 1;            // contacts that a contact sensor has room for
  bool enclosed = false;  // of the type insidesite: how far the object juts out of the site
  std::vector<double> user;
};

struct NumericSpec : ElementSpec {
  int size = -1;  // -1: as many as data
  std::vector<double> data;
};

struct TextSpec : ElementSpec {
  std::string data;
};

struct TupleSpec : ElementSpec {
  struct Entry {
    std::string objtype, objname;
    double prm = 0;
  };
  std::vector<Entry> entries;
};

struct KeySpec : ElementSpec {
  double time = 0;
  std::optional<std::vector<double>> qpos, qvel, act, mpos, mquat, ctrl, plastic;
};

// A default class: one full prototype per kind of element; a class starts as a copy of its parent's prototypes.
struct DefaultSpec {
  std::string name;
  int parent = -1;  // index in Spec::defaults; the main class is first
  JointSpec joint;
  GeomSpec geom;
  SiteSpec site;
  CameraSpec camera;
  LightSpec light;
  MeshSpec mesh;
  TextureSpec texture;
  MaterialSpec material;
  TendonSpec tendon;
  ActuatorSpec actuator;
  PairSpec pair;
  EqualitySpec equality;
};

// Files by name, looked up before the disk. Names are compared as written in the model, after meshdir and the like.
using FileSystem = std::map<std::string, std::string>;

// Folders that may be read from; without a list any.
using FolderList = std::optional<std::vector<std::string>>;

// Bytes that a model may take unless more are asked for.
constexpr std::int64_t kDefaultMemoryLimit = std::int64_t{8} << 30;

struct Spec {
  std::string modelname = "MuJoCo Model";
  std::string base_dir;                             // folder of the model file, for assets with relative paths
  std::shared_ptr<const FileSystem> files;          // may be null
  FolderList restrict;                              // where files of assets may be, beside those in memory
  std::int64_t memory_limit = kDefaultMemoryLimit;  // for the arrays of Model and Data
  CompilerSpec compiler;
  Option option;
  SizeSpec size;
  StatisticSpec statistic;
  Visual visual;
  std::vector<DefaultSpec> defaults{DefaultSpec{}};
  std::vector<BodySpec> bodies;  // depth first, parents before children; bodies[0] is the world
  std::vector<MeshSpec> meshes;
  std::vector<HfieldSpec> hfields;
  std::vector<SkinSpec> skins;
  std::vector<TextureSpec> textures;
  std::vector<MaterialSpec> materials;
  std::vector<PairSpec> pairs;
  std::vector<ExcludeSpec> excludes;
  std::vector<EqualitySpec> equalities;
  std::vector<ActuatorSpec> actuators;
  std::vector<TendonSpec> tendons;
  std::vector<SensorSpec> sensors;
  std::vector<NumericSpec> numerics;
  std::vector<TextSpec> texts;
  std::vector<TupleSpec> tuples;
  std::vector<KeySpec> keys;
  std::vector<Diagnostic> warnings;

  Spec();
};

}  // namespace torsor
