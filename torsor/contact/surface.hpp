// Triangle surfaces for collision: a mesh that collides as triangles, or the top of a height field. Each triangle knows
// its neighbours, so that a contact at an edge between two coplanar triangles is not mistaken for a contact with an
// edge of the solid.
#pragma once

#include "torsor/contact/shape.hpp"

namespace torsor {

// F is the common frame of the two shapes.
struct Facet {
  int id;
  int vertex[3];
  Vec3<double> p[3];    // corners in F, counter-clockwise from the front
  Vec3<double> normal;  // unit, to the front
};

// A place on a facet, by the corners that span it: three for the inside, two for an edge, one for a corner.
struct Place {
  bool at[3] = {false, false, false};

  int count() const { return int(at[0]) + int(at[1]) + int(at[2]); }
  int edge() const { return !at[2] ? 0 : !at[0] ? 1 : 2; }  // from corner i to the next
  int corner() const { return at[0] ? 0 : at[1] ? 1 : 2; }
};

class Surface {
 public:
  Surface(const Mat3<double>& R_FG, const Vec3<double>& p_FoGo_F) : R_FG_(R_FG), p_FoGo_F_(p_FoGo_F) {}
  virtual ~Surface() = default;

  Facet facet(int id) const;
  virtual int neighbor(int id, int edge) const = 0;  // -1: none
  virtual bool is_solid() const = 0;                 // pushes to the front only; a shell pushes to either side

  const Mat3<double>& R_FG() const { return R_FG_; }
  const Vec3<double>& p_FoGo_F() const { return p_FoGo_F_; }

 protected:
  virtual void corners_in_G(int id, int* vertices, Vec3<double>* p) const = 0;

 private:
  Mat3<double> R_FG_;
  Vec3<double> p_FoGo_F_;
};

class MeshSurface : public Surface {
 public:
  MeshSurface(const TriangleView& view, const Mat3<double>& R_FG, const Vec3<double>& p_FoGo_F)
      : Surface(R_FG, p_FoGo_F), view_(view) {}

  const TriangleView& view() const { return view_; }
  int neighbor(int id, int edge) const override { return view_.neighbor[3 * id + edge]; }
  bool is_solid() const override { return view_.is_solid; }

 private:
  void corners_in_G(int id, int* vertices, Vec3<double>* p) const override;
  const TriangleView& view_;
};

// Facets 2 i and 2 i + 1 are below and above the diagonal of cell i, as in the prisms of field_convex.
class FieldSurface : public Surface {
 public:
  FieldSurface(const HeightFieldView& view, const Mat3<double>& R_FG, const Vec3<double>& p_FoGo_F)
      : Surface(R_FG, p_FoGo_F), view_(view) {}

  int neighbor(int id, int edge) const override;
  bool is_solid() const override { return true; }

 private:
  void corners_in_G(int id, int* vertices, Vec3<double>* p) const override;
  const HeightFieldView& view_;
};

// The surroundings of a place on a surface: whether none of its facets reaches further along d, so that it can push
// along d; whether they are coplanar; the outward direction there, of any length; the first of these facets.
struct Support {
  bool is_highest, is_flat;
  Vec3<double> outward;
  int owner;
};
Support support_at(const Surface& surface, const Facet& facet, const Place& place, const Vec3<double>& d_F);

// Where a facet is furthest along the unit vector d_F.
Place highest_place(const Facet& facet, const Vec3<double>& d_F);

// The point of a facet that is nearest to c_F.
struct NearestOnFacet {
  Vec3<double> p;
  Place place;
};
NearestOnFacet nearest_on_facet(const Facet& facet, const Vec3<double>& c_F);

// The distance of the projection of q_F on the plane of a facet from the facet's edges; negative outside the facet.
double room_on_facet(const Facet& facet, const Vec3<double>& q_F);

// The nearest point of a whole mesh, not further than `reach`.
struct NearestOnMesh {
  bool found = false;
  Vec3<double> p;        // in F
  Vec3<double> outward;  // unit; at edges in the direction of c_F
  double dist;           // negative: c_F is inside a solid
};
NearestOnMesh find_nearest_on_mesh(const MeshSurface& mesh, const Vec3<double>& c_F, double reach);

}  // namespace torsor
