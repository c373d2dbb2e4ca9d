// Candidates, their points, their contacts.
#include "torsor/contact/collide.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/contact/box_filter.hpp"
#include "torsor/contact/candidates.hpp"
#include "torsor/contact/dispatch.hpp"
#include "torsor/contact/hooks.hpp"
#include "torsor/contact/hull_queue.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/parameters.hpp"
#include "torsor/contact/surface_velocity.hpp"
#include "torsor/model/hull_tables.hpp"

namespace torsor {
namespace {

// In place: this is done for both shapes of every pair.
void fill_hull_view(const Model& model, int mesh, HullView& hull) {
  const int first = model.mesh_hullvertadr[mesh];
  if (first < 0) {
    hull = {};
    return;
  }
  hull.count = model.mesh_hullvertnum[mesh];
  hull.corner = model.mesh_hullpos.row(first, 3);
  hull.edge_address = model.mesh_hulledgeadr.row(first, 1);
  hull.edge_count = model.mesh_hulledgenum.row(first, 1);
  hull.edge = model.mesh_hulledge.data();
  hull.extrema = model.mesh_hullextrema.row(mesh, 27);
  hull.corner_face = model.mesh_hulledgeface.data();
  hull.kernels = &hull_kernels();
  hull.face_count = model.mesh_hullfacenum[mesh];
  hull.face = model.mesh_hullface.row(model.mesh_hullfaceadr[mesh], 3);
  const HullTables* tables = model.hulls();
  hull.position = tables ? tables->position.data() + tables->first_position[static_cast<size_t>(mesh)] : nullptr;
  hull.side = tables ? tables->side.data() + model.mesh_hullfaceadr[mesh] : nullptr;
  hull.side_corner = tables ? tables->corner.data() : nullptr;
  const int cell = tables ? tables->first_cell[static_cast<size_t>(mesh)] : -1;
  hull.block = tables ? tables->block.data() : nullptr;
  hull.cell_block = cell >= 0 ? tables->cell_block.data() + cell : nullptr;
  hull.cells = tables ? tables->cells[static_cast<size_t>(mesh)] : 0;
}

TriangleView make_triangle_view(const Model& model, int mesh) {
  if (model.mesh_trinum[mesh] == 0) return {};
  const int triangle = model.mesh_triadr[mesh], node = model.mesh_treeadr[mesh];
  return {model.mesh_trinum[mesh],          model.mesh_vert.row(model.mesh_vertadr[mesh], 3),
          model.mesh_tri.row(triangle, 3),  model.mesh_trineighbor.row(triangle, 3),
          model.mesh_treelink.row(node, 2), model.mesh_treebox.row(node, 6),
          model.mesh_solid[mesh] != 0};
}

HeightFieldView make_field_view(const Model& model, int field) {
  return {model.hfield_nrow[field], model.hfield_ncol[field], model.hfield_size.row(field, 4),
          model.hfield_data.row(model.hfield_adr[field], 1)};
}

ContactPair describe(const Model& model, const Candidate& candidate) {
  ContactPair pair{-1, -1, -1};
  if (candidate.is_predefined()) {
    pair.predefined = candidate.predefined();
    pair.geom1 = model.pair_geom1[pair.predefined], pair.geom2 = model.pair_geom2[pair.predefined];
  } else {
    pair.geom1 = candidate.geom1(), pair.geom2 = candidate.geom2();
  }
  if (model.geom_type[pair.geom1] > model.geom_type[pair.geom2]) std::swap(pair.geom1, pair.geom2);
  return pair;
}

// A shape as far as its box needs it: most pairs go no further.
Shape place_shape(const Model& model, int geom, const double p_WoGo_W[3], const double* R_WG) {
  const auto type = static_cast<GeomType>(model.geom_type[geom]);
  Shape shape{type, model.geom_size.row(geom, 3), load3(p_WoGo_W), R_WG};
  if (type == GeomType::kMesh) shape.bounds = model.geom_aabb.row(geom, 6);
  return shape;
}

bool collides_as_triangles(const Model& model, int geom) {
  return model.geom_type[geom] == static_cast<int>(GeomType::kMesh) &&
         model.geom_meshcollision[geom] == static_cast<int>(MeshCollision::kTriangles);
}

void attach_parts(const Model& model, int geom, ShapeParts& parts, Shape& shape) {
  if (shape.type == GeomType::kMesh) {
    fill_hull_view(model, model.geom_dataid[geom], parts.hull);
    shape.hull = &parts.hull;
    if (collides_as_triangles(model, geom)) {
      parts.triangles = make_triangle_view(model, model.geom_dataid[geom]);
      shape.triangles = &parts.triangles;
    }
  } else if (shape.type == GeomType::kHfield) {
    parts.field = make_field_view(model, model.geom_dataid[geom]);
    shape.field = &parts.field;
  }
}

double extent_of(const Model& model, const ContactPair& pair, const Shape& a, const Shape& b) {
  const Vec3<double> p_AoBo_W = b.p_WoGo_W - a.p_WoGo_W;
  return std::abs(p_AoBo_W.x) + std::abs(p_AoBo_W.y) + std::abs(p_AoBo_W.z) + model.geom_rbound[pair.geom1] +
         model.geom_rbound[pair.geom2];
}

// Looks at candidates one by one.
class NarrowPhase {
 public:
  NarrowPhase(const Model& model, Data& data)
      : model_(model), data_(data), has_hooks_(data.contact_filter || !data.collision.empty()) {}

  // The contacts of pairs that wait; false when memory is used up, as below.
  bool add_waiting() {
    queue_.search();
    const bool is_single = model_.opt.disabled(kDisableMultiCcd);  // the deepest point comes first
    for (int i = 0; i < queue_.count(); ++i) {
      const WaitingPair& waiting = queue_.at(i);
      const int count = waiting.touch.count;
      if (!add_points(waiting.pair, waiting.range, waiting.touch.points, is_single ? std::min(count, 1) : count))
        return false;
    }
    queue_.clear();
    return true;
  }

  bool check(const Candidate& candidate) {
    const ContactPair pair = describe(model_, candidate);
    const PairFunction function = find_pair_function(type(pair.geom1), type(pair.geom2));
    if (!function) return true;
    const ContactRange range = contact_range(model_, pair);
    if (has_hooks_) return check_with_hooks(pair, range, function);
    return meet(pair, range, function);
  }

 private:
  GeomType type(int geom) const { return static_cast<GeomType>(model_.geom_type[geom]); }
  Shape place(int geom) const {
    return place_shape(model_, geom, data_.geom_xpos.row(geom, 3), data_.geom_xmat.row(geom, 9));
  }

  bool check_with_hooks(const ContactPair& pair, const ContactRange& range, PairFunction function) {
    if (data_.contact_filter && data_.contact_filter(model_, data_, pair.geom1, pair.geom2)) return true;
    const CollisionFunction* users = find_collision_function(data_, type(pair.geom1), type(pair.geom2));
    if (!users) return meet(pair, range, function);
    ContactPoint points[kMaxFieldPoints];
    return add(pair, range, points, (*users)(model_, data_, pair.geom1, pair.geom2, range.detection, points));
  }

  // Boxes part most pairs of shapes that are not simple.
  bool meet(const ContactPair& pair, const ContactRange& range, PairFunction function) {
    const bool has_boxes = function == convex_convex ||
                           (!is_ground(type(pair.geom1)) &&
                            (collides_as_triangles(model_, pair.geom1) || collides_as_triangles(model_, pair.geom2)));
    BoxGap gap = BoxGap::kNear;
    if (has_boxes || function == box_box) {
      gap = boxes_.compare(pair.geom1, pair.geom2, range.detection, [this](int geom) { return place(geom); });
      if (gap == BoxGap::kApart) return true;
    }
    Shape a = place(pair.geom1), b = place(pair.geom2);
    if (gap == BoxGap::kInDoubt && has_boxes && are_boxes_apart(a, b, range.detection)) return true;
    if (function == convex_convex || a.type == GeomType::kHfield || b.type == GeomType::kMesh)
      return touch(pair, range, a, b);
    ContactPoint points[kMaxPoints];
    return add(pair, range, points, function(a, b, range.detection, points));
  }

  // Meshes and height fields have parts beyond their size. What takes a search waits for others.
  bool touch(const ContactPair& pair, const ContactRange& range, Shape& a, Shape& b) {
    WaitingPair& waiting = queue_.next();
    attach_parts(model_, pair.geom1, waiting.parts[0], a);
    attach_parts(model_, pair.geom2, waiting.parts[1], b);
    const PairFunction function = find_pair_function(a, b);
    if (function != convex_convex) {
      ContactPoint points[kMaxFieldPoints];
      return add(pair, range, points, function(a, b, range.detection, points));
    }
    waiting.pair = pair, waiting.range = range;
    waiting.extent = extent_of(model_, pair, a, b);
    waiting.kept = data_.separations.find(pair.geom1, pair.geom2);
    waiting.touch.first = a, waiting.touch.second = b;
    waiting.touch.margin = range.detection, waiting.touch.wants_direction = waiting.kept != nullptr;
    queue_.push();
    return !queue_.is_full() || add_waiting();
  }

  // Contacts come in the order of candidates: those of pairs that wait, before others.
  bool add(const ContactPair& pair, const ContactRange& range, const ContactPoint* points, int count) {
    if (count == 0) return true;
    if (queue_.count() > 0 && !add_waiting()) return false;
    return add_points(pair, range, points, count);
  }

  bool add_points(const ContactPair& pair, const ContactRange& range, const ContactPoint* points, int count) {
    if (count == 0) return true;
    Contact* contact = add_contact(data_);
    if (!contact) return false;
    ContactMaker maker(model_, pair, range, *contact);
    maker.place(points[0], *contact);
    for (int i = 1; i < count; ++i) {
      contact = repeat_contact(data_);
      if (!contact) return false;
      maker.place(points[i], *contact);
    }
    return true;
  }

  const Model& model_;
  Data& data_;
  const bool has_hooks_;
  PlacedBoxes boxes_;
  HullQueue queue_;
};

}  // namespace

Shape make_shape(const Model& model, const Data& data, int geom, ShapeParts& parts) {
  return make_shape(model, geom, data.geom_xpos.row(geom, 3), data.geom_xmat.row(geom, 9), parts);
}

Shape make_shape(const Model& model, int geom, const double p_WoGo_W[3], const double* R_WG, ShapeParts& parts) {
  Shape shape = place_shape(model, geom, p_WoGo_W, R_WG);
  attach_parts(model, geom, parts, shape);
  return shape;
}

HullView make_hull_view(const Model& model, int mesh) {
  HullView hull;
  fill_hull_view(model, mesh, hull);
  return hull;
}

void collide(const Model& model, Data& data) {
  clear_contacts(data);
  if (model.opt.disabled(kDisableConstraint | kDisableContact) || model.ngeom == 0) return;
  if (data.contact_source) return data.contact_source(model, data);
  if (!data.awake.all && data.awake.run_count == 0) return;  // neither trees nor mocap bodies are awake
  const ArenaScope scope(data.arena());
  const CandidateList candidates = find_candidates(model, data);  // what did not fit, data.memory_needed() tells
  NarrowPhase narrow(model, data);
  for (int i = 0; i < candidates.count; ++i)
    if (!narrow.check(candidates.items[i])) return;
  if (!narrow.add_waiting()) return;
  set_surface_velocities(model, data);
}

}  // namespace torsor
