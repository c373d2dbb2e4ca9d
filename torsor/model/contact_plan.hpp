// The geoms that may take part in contacts, in the order in which the search for contacts wants them: moving ones by
// rigid group and by tree, fixed ones, planes. It follows from values of the model that may be edited, so it is kept in
// the Model with a copy of these values, and made anew for a step whose model has others. See decision 51.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

// The properties of a geom that decide whether it may touch another, wherever they are.
struct ContactTag {
  int geom, type, body;
  int contype, conaffinity;
  int weld;    // the body that this one is rigidly attached to
  int parent;  // the body that its joints attach it to; -1 if contact with it is allowed
};

// A parent and its child usually overlap at their joint, so contacts between them are filtered out. Parents that are
// fixed to the world are exempt: otherwise a floor would support nothing.
inline ContactTag make_tag(const Model& model, int geom, bool filter_parents) {
  const int body = model.geom_bodyid[geom], weld = model.body_weldid[body];
  const int parent = filter_parents ? model.body_weldid[model.body_parentid[weld]] : 0;
  return {geom, model.geom_type[geom],    body, model.geom_contype[geom], model.geom_conaffinity[geom],
          weld, parent == 0 ? -1 : parent};
}

// The contribution of a geom to the distance at which contacts are detected.
inline double detection_of(const Model& model, int geom) {
  const double margin = model.opt.enabled(kEnableOverride) ? 0.5 * model.opt.o_margin : model.geom_margin[geom];
  const double detection = margin + model.geom_gap[geom];
  return detection == detection ? detection : std::numeric_limits<double>::infinity();  // as in contact_range()
}

// Arrays with room for all geoms. A reach is the radius of a bounding sphere and detection_of().
struct ContactGeoms {
  int moving_count = 0, rigid_count = 0, tree_count = 0, fixed_count = 0, plane_count = 0;
  double* moving_reach = nullptr;
  double* fixed_reach = nullptr;
  double* rigid_reach = nullptr;
  ContactTag* moving = nullptr;
  ContactTag* fixed = nullptr;   // geoms of the world and of mocap bodies, which never collide with each other
  ContactTag* planes = nullptr;  // they have no bounding sphere, and do not move
  // Geoms of `moving` that follow each other and are fixed to each other. Bits of contact are those of all of them. The
  // sphere with rigid_reach around the geom `middle` holds the spheres of all.
  ContactTag* rigid = nullptr;
  int *rigid_begin = nullptr, *rigid_end = nullptr, *rigid_middle = nullptr;
  int *tree_begin = nullptr, *tree_end = nullptr;  // rigid groups of one tree

  static size_t bytes(int ngeom);
  // Arrays in so many bytes of memory, aligned to 8.
  static ContactGeoms in(void* memory, int ngeom);
};

// Fills empty lists. `position`, 3 numbers per geom: where geoms are relative to those that they are fixed to.
void list_contact_geoms(const Model& model, const double* position, ContactGeoms& out);

// Who may touch whom among few geoms: a bit for each, in the order of ContactGeoms.
struct TouchMasks {
  static constexpr int kMost = 64;
  std::vector<std::uint64_t> moving;  // of each moving geom: moving ones behind it
  std::vector<std::uint64_t> fixed;   // of each moving geom: fixed ones
  std::vector<std::uint64_t> planes;  // of each plane: moving ones
  size_t most_pairs = 0;              // bits in `moving`, or in `fixed`
};

class ContactPlan {
 public:
  explicit ContactPlan(const Model& model);
  // Whether the model still has the values that the lists were made from.
  bool is_of(const Model& model) const;
  const ContactGeoms& geoms() const { return geoms_; }
  // Null where there are more than TouchMasks::kMost moving or fixed geoms, or groups of many, whose spheres part these
  // sooner.
  const TouchMasks* masks() const { return masks_ ? &*masks_ : nullptr; }

  // Where geoms are matters to the lists only where several of them are fixed to each other.
  enum class Places { kNone, kInBody, kInGroup };

 private:
  std::vector<double> memory_;
  std::vector<std::byte> key_;
  ContactGeoms geoms_;
  Places places_ = Places::kNone;
  std::optional<TouchMasks> masks_;
};

}  // namespace torsor
