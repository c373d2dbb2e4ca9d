// The kinds of elements that a model names, and which rows of which fields belong to one of them.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attributes.hpp"

namespace torsor::python {

// Rows of a field. One row of a matrix is shown as a vector, one of a vector as a vector of length one.
struct RowRange {
  int start, count;
  bool is_single;
};
using RangeFunction = RowRange (*)(const Model&, int id);

// Fields with `rows` rows whose name starts with `prefix` belong to the element; the prefix is left off.
struct RowRule {
  std::string_view rows, prefix;
  RangeFunction range;
};

namespace ranges {

inline RowRange own(const Model&, int id) { return {id, 1, true}; }
inline RowRange coordinates(const Model& m, int j) {
  constexpr int kCount[] = {7, 4, 1, 1};
  return {m.jnt_qposadr[j], kCount[m.jnt_type[j]], false};
}
inline RowRange dofs(const Model& m, int j) {
  constexpr int kCount[] = {6, 3, 1, 1};
  return {m.jnt_dofadr[j], kCount[m.jnt_type[j]], false};
}
inline RowRange vertices(const Model& m, int i) { return {m.mesh_vertadr[i], m.mesh_vertnum[i], false}; }
inline RowRange normals(const Model& m, int i) { return {m.mesh_normaladr[i], m.mesh_normalnum[i], false}; }
inline RowRange faces(const Model& m, int i) { return {m.mesh_faceadr[i], m.mesh_facenum[i], false}; }
inline RowRange texcoords(const Model& m, int i) {
  return {std::max(0, m.mesh_texcoordadr[i]), m.mesh_texcoordnum[i], false};
}
inline RowRange numbers(const Model& m, int i) { return {m.numeric_adr[i], m.numeric_size[i], false}; }
inline RowRange readings(const Model& m, int i) { return {m.sensor_adr[i], m.sensor_dim[i], false}; }
inline RowRange controls(const Model& m, int i) {
  return {m.actuator_ctrladr[i], m.actuator_ctrlnum[i], m.actuator_ctrlnum[i] == 1};
}
inline RowRange outputs(const Model& m, int i) {
  return {m.actuator_outadr[i], m.actuator_outnum[i], m.actuator_outnum[i] == 1};
}
inline RowRange activations(const Model& m, int i) {
  return {std::max(0, m.actuator_actadr[i]), std::max(0, m.actuator_actnum[i]), false};
}
inline RowRange joint_rest(const Model& m, int j) {
  const int address = m.jnt_plasticadr[j], count = m.jnt_type[j] == static_cast<int>(JointType::kBall) ? 4 : 1;
  return {std::max(0, address), address < 0 ? 0 : count, false};
}
inline RowRange tendon_rest(const Model& m, int t) {
  return {std::max(0, m.tendon_plasticadr[t]), m.tendon_plasticadr[t] < 0 ? 0 : 2, false};
}
inline RowRange objects(const Model& m, int i) { return {m.tuple_adr[i], m.tuple_size[i], false}; }

}  // namespace ranges

inline constexpr RowRule kModelBody[] = {{"nbody", "body_", ranges::own}};
inline constexpr RowRule kModelJoint[] = {
    {"njnt", "jnt_", ranges::own}, {"nv", "dof_", ranges::dofs}, {"nq", "", ranges::coordinates}};
inline constexpr RowRule kModelGeom[] = {{"ngeom", "geom_", ranges::own}};
inline constexpr RowRule kModelSite[] = {{"nsite", "site_", ranges::own}};
inline constexpr RowRule kModelCamera[] = {{"ncam", "cam_", ranges::own}};
inline constexpr RowRule kModelLight[] = {{"nlight", "light_", ranges::own}};
inline constexpr RowRule kModelMesh[] = {{"nmesh", "mesh_", ranges::own},
                                         {"nmeshvert", "mesh_", ranges::vertices},
                                         {"nmeshnormal", "mesh_", ranges::normals},
                                         {"nmeshtexcoord", "mesh_", ranges::texcoords},
                                         {"nmeshface", "mesh_", ranges::faces}};
inline constexpr RowRule kModelHfield[] = {{"nhfield", "hfield_", ranges::own}};
inline constexpr RowRule kModelSkin[] = {{"nskin", "skin_", ranges::own}};
inline constexpr RowRule kModelTexture[] = {{"ntex", "tex_", ranges::own}};
inline constexpr RowRule kModelMaterial[] = {{"nmat", "mat_", ranges::own}};
inline constexpr RowRule kModelPair[] = {{"npair", "pair_", ranges::own}};
inline constexpr RowRule kModelExclude[] = {{"nexclude", "exclude_", ranges::own}};
inline constexpr RowRule kModelEquality[] = {{"neq", "eq_", ranges::own}};
inline constexpr RowRule kModelTendon[] = {{"ntendon", "tendon_", ranges::own}};
inline constexpr RowRule kModelActuator[] = {{"nactuator", "actuator_", ranges::own},
                                             {"nu", "actuator_", ranges::controls},
                                             {"nout", "actuator_", ranges::outputs}};
inline constexpr RowRule kModelSensor[] = {{"nsensor", "sensor_", ranges::own}};
inline constexpr RowRule kModelNumeric[] = {{"nnumeric", "numeric_", ranges::own},
                                            {"nnumericdata", "numeric_", ranges::numbers}};
inline constexpr RowRule kModelText[] = {{"ntext", "text_", ranges::own}};
inline constexpr RowRule kModelTuple[] = {{"ntuple", "tuple_", ranges::own}, {"ntupledata", "tuple_", ranges::objects}};
inline constexpr RowRule kModelKey[] = {{"nkey", "key_", ranges::own}};
inline constexpr RowRule kDataBody[] = {{"nbody", "", ranges::own}};
inline constexpr RowRule kDataJoint[] = {{"njnt", "", ranges::own},
                                         {"nq", "", ranges::coordinates},
                                         {"nv", "", ranges::dofs},
                                         {"nplastic", "", ranges::joint_rest}};
inline constexpr RowRule kDataGeom[] = {{"ngeom", "geom_", ranges::own}};
inline constexpr RowRule kDataSite[] = {{"nsite", "site_", ranges::own}};
inline constexpr RowRule kDataCamera[] = {{"ncam", "cam_", ranges::own}};
inline constexpr RowRule kDataLight[] = {{"nlight", "light_", ranges::own}};
inline constexpr RowRule kDataEquality[] = {{"neq", "eq_", ranges::own}};
inline constexpr RowRule kDataTendon[] = {{"ntendon", "ten_", ranges::own}, {"nplastic", "", ranges::tendon_rest}};
inline constexpr RowRule kDataActuator[] = {
    {"nu", "", ranges::controls}, {"nout", "actuator_", ranges::outputs}, {"na", "", ranges::activations}};
inline constexpr RowRule kDataSensor[] = {{"nsensordata", "sensor", ranges::readings}};

struct ElementKind {
  ObjectType type;
  const char* class_name;
  std::array<const char*, 2> names;  // of the functions that find one; the second may be null
  std::span<const RowRule> model_rules, data_rules;
};

inline constexpr ElementKind kKinds[] = {
    {ObjectType::kBody, "Body", {"body", nullptr}, kModelBody, kDataBody},
    {ObjectType::kJoint, "Joint", {"joint", "jnt"}, kModelJoint, kDataJoint},
    {ObjectType::kGeom, "Geom", {"geom", nullptr}, kModelGeom, kDataGeom},
    {ObjectType::kSite, "Site", {"site", nullptr}, kModelSite, kDataSite},
    {ObjectType::kCamera, "Camera", {"camera", "cam"}, kModelCamera, kDataCamera},
    {ObjectType::kLight, "Light", {"light", nullptr}, kModelLight, kDataLight},
    {ObjectType::kMesh, "Mesh", {"mesh", nullptr}, kModelMesh, {}},
    {ObjectType::kHfield, "Hfield", {"hfield", nullptr}, kModelHfield, {}},
    {ObjectType::kSkin, "Skin", {"skin", nullptr}, kModelSkin, {}},
    {ObjectType::kTexture, "Texture", {"texture", "tex"}, kModelTexture, {}},
    {ObjectType::kMaterial, "Material", {"material", "mat"}, kModelMaterial, {}},
    {ObjectType::kPair, "Pair", {"pair", nullptr}, kModelPair, {}},
    {ObjectType::kExclude, "Exclude", {"exclude", nullptr}, kModelExclude, {}},
    {ObjectType::kEquality, "Equality", {"equality", "eq"}, kModelEquality, kDataEquality},
    {ObjectType::kTendon, "Tendon", {"tendon", "ten"}, kModelTendon, kDataTendon},
    {ObjectType::kActuator, "Actuator", {"actuator", nullptr}, kModelActuator, kDataActuator},
    {ObjectType::kSensor, "Sensor", {"sensor", nullptr}, kModelSensor, kDataSensor},
    {ObjectType::kNumeric, "Numeric", {"numeric", nullptr}, kModelNumeric, {}},
    {ObjectType::kText, "Text", {"text", nullptr}, kModelText, {}},
    {ObjectType::kTuple, "Tuple", {"tuple", nullptr}, kModelTuple, {}},
    {ObjectType::kKey, "Key", {"key", "keyframe"}, kModelKey, {}},
};

struct ElementAttribute {
  std::string name;
  size_t field;  // index in the field list
  RangeFunction range;
};

// The attributes of an element, made from the rules and the field list. If two fields would have the same short name,
// the second keeps its full name.
std::vector<ElementAttribute> element_attributes(std::span<const RowRule> rules, std::span<const FieldRow> rows);

// The part of a field's view that belongs to an element.
inline nb::object part_of(const nb::object& view, const RowRange& range, bool is_matrix) {
  if (range.is_single && is_matrix) return view[range.start];
  return view[nb::slice(range.start, range.start + range.count)];
}

// Moments of all force outputs of an actuator, dense: a copy, since the field has compressed rows.
Array dense_moment(const Model& model, const Data& data, int actuator);

}  // namespace torsor::python
