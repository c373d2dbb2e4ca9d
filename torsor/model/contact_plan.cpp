#include "torsor/model/contact_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "torsor/math/quat.hpp"
#include "torsor/model/contact_filter.hpp"

namespace torsor {
namespace {

// Fewer geoms are compared with others as quickly as the sphere around them.
constexpr int kLeastGroup = 5;

constexpr size_t kReaches = 3, kTags = 4, kIndices = 5;  // arrays of ContactGeoms

// The smallest sphere around one of the geoms from begin to end that holds the spheres of all. Distances are those of
// other numbers than the positions of a step, hence the allowance.
void enclose(const double* position, int begin, int end, int group, ContactGeoms& out) {
  constexpr double kAllowance = 1 + 1e-6;
  out.rigid_middle[group] = begin;
  out.rigid_reach[group] = out.moving_reach[begin];
  if (end - begin == 1) return;
  double least = std::numeric_limits<double>::infinity();
  for (int i = begin; i < end; ++i) {
    const Vec3<double> center = load3(position + 3 * out.moving[i].geom);
    double reach = 0;
    for (int k = begin; k < end; ++k) {
      const double needed = norm(load3(position + 3 * out.moving[k].geom) - center) + out.moving_reach[k];
      reach = needed <= reach ? reach : needed;  // NaN stays
    }
    if (!(reach < least)) continue;
    least = reach;
    out.rigid_middle[group] = i;
  }
  out.rigid_reach[group] = least * kAllowance;
}

void list_rigid_groups(const Model& model, const double* position, ContactGeoms& out) {
  for (int begin = 0, end; begin < out.moving_count; begin = end) {
    ContactTag all = out.moving[begin];
    for (end = begin + 1; end < out.moving_count && out.moving[end].weld == all.weld;) ++end;
    if (end - begin < kLeastGroup) end = begin + 1;
    for (int i = begin; i < end; ++i) {
      all.contype |= out.moving[i].contype;
      all.conaffinity |= out.moving[i].conaffinity;
    }
    const int group = out.rigid_count++;
    out.rigid[group] = all;
    out.rigid_begin[group] = begin;
    out.rigid_end[group] = end;
    enclose(position, begin, end, group, out);
  }
  const auto root_of = [&](int group) { return model.body_rootid[out.rigid[group].body]; };
  for (int begin = 0, end; begin < out.rigid_count; begin = end) {
    for (end = begin + 1; end < out.rigid_count && root_of(end) == root_of(begin);) ++end;
    out.tree_begin[out.tree_count] = begin;
    out.tree_end[out.tree_count++] = end;
  }
}

// In the axes of the body that the geom's body is fixed to, from its origin.
Vec3<double> position_in_group(const Model& model, int geom) {
  int body = model.geom_bodyid[geom];
  const SameFrame same = static_cast<SameFrame>(model.geom_sameframe[geom]);
  Vec3<double> p = same == SameFrame::kInertia ? load3(model.body_ipos.row(body, 3))
                   : same == SameFrame::kBody  ? Vec3<double>::zero()
                                               : load3(model.geom_pos.row(geom, 3));
  for (; body != model.body_weldid[body]; body = model.body_parentid[body])
    p = load3(model.body_pos.row(body, 3)) + rotate(load4(model.body_quat.row(body, 4)), p);
  return p;
}

// Which places of geoms the lists follow from.
ContactPlan::Places places_of(const Model& model, const ContactGeoms& geoms) {
  auto places = ContactPlan::Places::kNone;
  for (int group = 0; group < geoms.rigid_count; ++group) {
    if (geoms.rigid_end[group] - geoms.rigid_begin[group] == 1) continue;
    places = std::max(places, ContactPlan::Places::kInBody);
    for (int i = geoms.rigid_begin[group]; i < geoms.rigid_end[group]; ++i) {
      const ContactTag& tag = geoms.moving[i];
      const bool is_inertial = model.geom_sameframe[tag.geom] == static_cast<Byte>(SameFrame::kInertia);
      if (tag.body != tag.weld || is_inertial) return ContactPlan::Places::kInGroup;
    }
  }
  return places;
}

// Calls f(numbers, bytes) for everything that the lists follow from and that may be edited.
template <class F>
void for_each_part_of_key(const Model& model, ContactPlan::Places places, F&& f) {
  const auto add = [&f](const auto& field) {
    f(field.data(), sizeof(field.data()[0]) * static_cast<size_t>(field.size()));
  };
  const double options[] = {model.opt.disabled(kDisableFilterParent) ? 1.0 : 0.0,
                            model.opt.enabled(kEnableOverride) ? 1.0 : 0.0, model.opt.o_margin};
  f(options, sizeof(options));
  add(model.geom_contype), add(model.geom_conaffinity);
  add(model.geom_margin), add(model.geom_gap), add(model.geom_rbound);
  add(model.exclude_signature), add(model.pair_geom1), add(model.pair_geom2);
  if (places == ContactPlan::Places::kNone) return;
  add(model.geom_pos), add(model.geom_sameframe);
  if (places == ContactPlan::Places::kInBody) return;
  add(model.body_pos), add(model.body_quat), add(model.body_ipos);
}

std::uint64_t mask_of(const Model& model, const ContactTag& tag, const ContactTag* others, int first, int count) {
  std::uint64_t mask = 0;
  for (int k = first; k < count; ++k)
    if (may_touch(tag, others[k]) && !is_listed(model, tag, others[k])) mask |= std::uint64_t{1} << k;
  return mask;
}

TouchMasks make_masks(const Model& model, const ContactGeoms& geoms) {
  TouchMasks masks;
  for (int i = 0; i < geoms.moving_count; ++i) {
    masks.moving.push_back(mask_of(model, geoms.moving[i], geoms.moving, i + 1, geoms.moving_count));
    masks.fixed.push_back(mask_of(model, geoms.moving[i], geoms.fixed, 0, geoms.fixed_count));
  }
  for (int k = 0; k < geoms.plane_count; ++k)
    masks.planes.push_back(mask_of(model, geoms.planes[k], geoms.moving, 0, geoms.moving_count));
  const auto count = [](const std::vector<std::uint64_t>& bits) {
    return std::accumulate(bits.begin(), bits.end(), size_t{0}, [](size_t sum, std::uint64_t mask) {
      return sum + static_cast<size_t>(std::popcount(mask));
    });
  };
  masks.most_pairs = std::max(count(masks.moving), count(masks.fixed));
  return masks;
}

}  // namespace

size_t ContactGeoms::bytes(int ngeom) {
  const size_t of_one = kReaches * sizeof(double) + kTags * sizeof(ContactTag) + kIndices * sizeof(int);
  return static_cast<size_t>(ngeom) * of_one;
}

ContactGeoms ContactGeoms::in(void* memory, int ngeom) {
  ContactGeoms geoms;
  auto* next = static_cast<std::byte*>(memory);
  const auto take = [&]<class T>(T*& array) {
    array = reinterpret_cast<T*>(next);
    next += sizeof(T) * static_cast<size_t>(ngeom);
  };
  take(geoms.moving_reach), take(geoms.fixed_reach), take(geoms.rigid_reach);
  take(geoms.moving), take(geoms.fixed), take(geoms.planes), take(geoms.rigid);
  take(geoms.rigid_begin), take(geoms.rigid_end), take(geoms.rigid_middle);
  take(geoms.tree_begin), take(geoms.tree_end);
  return geoms;
}

void list_contact_geoms(const Model& model, const double* position, ContactGeoms& out) {
  const bool filter_parents = !model.opt.disabled(kDisableFilterParent);
  for (int g = 0; g < model.ngeom; ++g) {
    if (!(model.geom_contype[g] | model.geom_conaffinity[g])) continue;
    const ContactTag tag = make_tag(model, g, filter_parents);
    const double reach = model.geom_rbound[g] + detection_of(model, g);
    if (tag.type == static_cast<int>(GeomType::kPlane)) {
      out.planes[out.plane_count++] = tag;
    } else if (model.body_dofnum[tag.weld] > 0) {
      out.moving_reach[out.moving_count] = reach;
      out.moving[out.moving_count++] = tag;
    } else {
      out.fixed_reach[out.fixed_count] = reach;
      out.fixed[out.fixed_count++] = tag;
    }
  }
  list_rigid_groups(model, position, out);
}

ContactPlan::ContactPlan(const Model& model) : memory_(ContactGeoms::bytes(model.ngeom) / sizeof(double) + 1) {
  std::vector<double> position(3 * static_cast<size_t>(model.ngeom));
  for (int g = 0; g < model.ngeom; ++g) store3(position.data() + 3 * g, position_in_group(model, g));
  geoms_ = ContactGeoms::in(memory_.data(), model.ngeom);
  list_contact_geoms(model, position.data(), geoms_);
  places_ = places_of(model, geoms_);
  const bool has_large_groups = 2 * geoms_.rigid_count < geoms_.moving_count;
  if (!has_large_groups && std::max(geoms_.moving_count, geoms_.fixed_count) <= TouchMasks::kMost)
    masks_ = make_masks(model, geoms_);
  for_each_part_of_key(model, places_, [&](const void* numbers, size_t bytes) {
    const auto* begin = static_cast<const std::byte*>(numbers);
    key_.insert(key_.end(), begin, begin + bytes);
  });
}

bool ContactPlan::is_of(const Model& model) const {
  const std::byte* next = key_.data();
  bool same = true;
  for_each_part_of_key(model, places_, [&](const void* numbers, size_t bytes) {
    same = same && (bytes == 0 || std::memcmp(next, numbers, bytes) == 0);
    next += bytes;
  });
  return same;
}

void Model::index_contacts() { contacts_ = std::make_shared<const ContactPlan>(*this); }

}  // namespace torsor
