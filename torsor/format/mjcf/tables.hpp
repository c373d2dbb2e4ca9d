// The attribute tables of all elements. Each is defined next to the code that reads its element.
#pragma once

#include "torsor/format/mjcf/attribute.hpp"

namespace torsor::mjcf {

Table<Spec> root_attributes();

Table<CompilerSpec> compiler_attributes();
Table<LengthRangeSpec> lengthrange_attributes();
Table<Option> option_attributes();
Table<Option> flag_attributes();
Table<SizeSpec> size_attributes();
Table<StatisticSpec> statistic_attributes();

// One element below <visual>.
struct VisualGroup {
  std::string_view name;
  std::vector<Attribute<Visual>> rows;
};
std::span<const VisualGroup> visual_groups();

// name and class, for all elements that have them
Table<ElementSpec> name_attribute();
Table<ElementSpec> class_attribute();
Table<DefaultSpec> default_attributes();

// What default classes can set, then what only the element itself has.
Table<MeshSpec> mesh_attributes();
Table<MeshSpec> mesh_own_attributes();
Table<MaterialSpec> material_attributes();
Table<JointSpec> joint_attributes();
Table<GeomSpec> geom_attributes();
Table<SiteSpec> site_attributes();
Table<CameraSpec> camera_attributes();
Table<CameraSpec> camera_own_attributes();
Table<LightSpec> light_attributes();
Table<LightSpec> light_own_attributes();

struct LayerSpec {
  int role = 0;
  std::string texture;
};
Table<LayerSpec> layer_attributes();
Table<HfieldSpec> hfield_attributes();
Table<SkinSpec> skin_attributes();
Table<SkinSpec::Bone> bone_attributes();
Table<TextureSpec> texture_attributes();
Table<TextureSpec> texture_own_attributes();

Table<BodySpec> body_attributes();
Table<FrameSpec> frame_attributes();
Table<InertialSpec> inertial_attributes();
Table<JointSpec> freejoint_attributes();

Table<PairSpec> pair_attributes();
Table<PairSpec> pair_own_attributes();
Table<ExcludeSpec> exclude_attributes();
Table<EqualitySpec> equality_attributes();

Table<TendonSpec> tendon_attributes();
Table<TendonSpec> tendon_look_attributes();
Table<WrapSpec> wrap_attributes(WrapSpec::Kind kind);

Table<NumericSpec> numeric_attributes();
Table<TextSpec> text_attributes();
Table<ElementSpec> tuple_attributes();
Table<TupleSpec::Entry> tuple_entry_attributes();
Table<KeySpec> key_attributes();

}  // namespace torsor::mjcf
