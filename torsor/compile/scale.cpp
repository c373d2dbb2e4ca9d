// Frames with a scale: the order of the work, and instances of meshes and height fields in several sizes.
#include "torsor/compile/scale.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "torsor/compile/scale_units.hpp"

namespace torsor::compiler {
namespace {

bool is_scaled(const FrameSpec& frame) { return frame.scale != Number3{1, 1, 1} || frame.massscale != 0; }

bool is_same(const Map& a, const Map& b) { return std::equal(std::begin(a.m), std::end(a.m), std::begin(b.m)); }

bool is_diagonal(const Map& a) {
  return a(0, 1) == 0 && a(0, 2) == 0 && a(1, 0) == 0 && a(1, 2) == 0 && a(2, 0) == 0 && a(2, 1) == 0;
}

void resize(MeshSpec& mesh, const Map& stretch) {
  if (!is_diagonal(stretch)) {
    std::copy(std::begin(stretch.m), std::end(stretch.m), mesh.stretch.emplace().begin());
    return;
  }
  for (int k = 0; k < 3; ++k) mesh.scale[static_cast<size_t>(k)] *= stretch(k, k);
}

// Height fields are aligned with the stretch but for rounding; elevations are along z.
void resize(HfieldSpec& hfield, const Map& stretch) {
  const double factors[4] = {norm(stretch.col(0)), norm(stretch.col(1)), norm(stretch.col(2)), norm(stretch.col(2))};
  for (size_t k = 0; k < 4; ++k) hfield.size[k] *= factors[k];
}

// The first size of an asset keeps its name.
template <class Asset>
class Instances {
 public:
  explicit Instances(std::vector<Asset>& assets) : assets_(assets) {
    for (size_t i = 0; i < assets.size(); ++i) sizes_.emplace(assets[i].name, Sizes{assets[i], {}});
  }

  void add(const AssetUse& use) {
    const auto found = sizes_.find(*use.name);
    if (found == sizes_.end()) return;  // reported when names are resolved
    auto& [original, known] = found->second;
    const auto same = std::find_if(known.begin(), known.end(), [&](const Map& m) { return is_same(m, use.stretch); });
    const auto number = same - known.begin();
    const std::string name = number == 0 ? original.name : fmt::format("{}@{}", original.name, number);
    if (same == known.end()) {
      known.push_back(use.stretch);
      Asset made = original;
      made.name = name;
      resize(made, use.stretch);
      place(std::move(made), number == 0);
    }
    *use.name = name;
  }

 private:
  struct Sizes {
    Asset original;
    std::vector<Map> known;
  };

  void place(Asset made, bool is_first) {
    if (!is_first) return assets_.push_back(std::move(made));
    std::find_if(assets_.begin(), assets_.end(), [&](const Asset& a) { return a.name == made.name; })
        ->
        operator=(std::move(made));
  }

  std::vector<Asset>& assets_;
  std::unordered_map<std::string, Sizes> sizes_;
};

}  // namespace

double Scale::volume() const { return dot(stretch.col(0), cross(stretch.col(1), stretch.col(2))); }

bool Scale::is_uniform() const {
  return is_diagonal(stretch) && stretch(0, 0) == stretch(1, 1) && stretch(1, 1) == stretch(2, 2);
}

// Frames come after those that hold them.
int ScaleTree::common_node(int a, int b) const {
  while (a != b) (a > b ? a : b) = nodes[at(std::max(a, b))].parent;
  return a;
}

void make_instances(Spec& spec, const std::vector<AssetUse>& uses) {
  Instances meshes(spec.meshes);
  Instances hfields(spec.hfields);
  for (const AssetUse& use : uses) use.is_hfield ? hfields.add(use) : meshes.add(use);
}

bool has_scaled_frames(const Spec& spec) {
  return std::any_of(spec.bodies.begin(), spec.bodies.end(), [](const BodySpec& body) {
    return std::any_of(body.frames.begin(), body.frames.end(), is_scaled);
  });
}

Spec apply_frame_scales(const Spec& spec, Diagnostics& diagnostics) {
  Spec scaled = spec;
  std::vector<AssetUse> uses;
  const ScaleTree tree = scale_bodies(scaled, diagnostics, uses);
  make_instances(scaled, uses);
  scale_references(scaled, tree, diagnostics);
  return scaled;
}

}  // namespace torsor::compiler

namespace torsor {

Spec bake_frame_scales(const Spec& spec) {
  if (!compiler::has_scaled_frames(spec)) return spec;
  Diagnostics diagnostics;
  Spec baked = compiler::apply_frame_scales(spec, diagnostics);
  diagnostics.throw_if_errors();
  return baked;
}

}  // namespace torsor
