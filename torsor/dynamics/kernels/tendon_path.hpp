// The path of a spatial tendon in one world: through sites and around geoms; pulleys divide the length of the branches
// after them. Where the points are and what becomes of the path is up to a class of the caller:
//     Vec3<double> site(int site);                      its position in W
//     Vec3<double> geom(int geom); Mat3<double> geom_axes(int geom);
//     void add_point(const Vec3<double>& p_WoP_W, int object);
//     void add_pull(int body, const Vec3<double>& p_WoP_W, const Vec3<double>& f_W);   on a point of a body, by a
//                                                       unit of tension
#pragma once

#include "torsor/dynamics/kernels/wrap.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

inline constexpr int kOnSite = -1, kOnPulley = -2;  // in wrap_obj

template <class World>
class TendonPath {
  using Vec = Vec3<double>;

 public:
  TORSOR_HD TendonPath(const ModelView& model, World& world) : model_(model), world_(world) {}

  // Returns its length.
  TORSOR_HD double follow(int tendon) {
    const int begin = model_.tendon_adr[tendon], end = begin + model_.tendon_num[tendon];
    double divisor = 1;
    for (int element = begin; element < end;) {
      if (is_pulley(element)) {
        divisor = model_.wrap_prm[element++];
        world_.add_point(Vec::zero(), kOnPulley);
      } else {
        element = follow_branch(element, end, 1 / divisor);
      }
    }
    return length_;
  }

 private:
  struct Place {
    Vec p_WoP_W;
    int body;
  };

  TORSOR_HD WrapType type_of(int element) const { return static_cast<WrapType>(model_.wrap_type[element]); }
  TORSOR_HD bool is_pulley(int element) const { return type_of(element) == WrapType::kPulley; }
  TORSOR_HD Place place_of_site(int element) const {
    const int site = model_.wrap_objid[element];
    return {world_.site(site), model_.site_bodyid[site]};
  }

  // From a site to the end of the branch; returns the element after it.
  TORSOR_HD int follow_branch(int element, int end, double scale) {
    Place here = place_of_site(element);
    world_.add_point(here.p_WoP_W, kOnSite);
    while (++element < end && !is_pulley(element)) {
      if (type_of(element) != WrapType::kSite) {
        const Place next = place_of_site(element + 1);
        here = go_around(element++, here, next, scale);
      }
      const Place next = place_of_site(element);
      go_straight(here, next, scale);
      world_.add_point(next.p_WoP_W, kOnSite);
      here = next;
    }
    return element;
  }

  // Around a geom, up to where the path leaves it; stays where it is if the straight path is free.
  TORSOR_HD Place go_around(int element, const Place& here, const Place& next, double scale) {
    const int geom = model_.wrap_objid[element];
    const WrapObject object{world_.geom(geom), world_.geom_axes(geom), model_.geom_size[3 * geom],
                            type_of(element) == WrapType::kCylinder};
    const double side = model_.wrap_prm[element];
    const bool has_side = side >= 0 && side < model_.nsite;  // the user may have edited it
    const Vec side_W = has_side ? world_.site(static_cast<int>(side)) : Vec::zero();
    const WrapPath path = wraps::around(object, here.p_WoP_W, next.p_WoP_W, has_side ? &side_W : nullptr);
    if (!path.touches) return here;
    const int body = model_.geom_bodyid[geom];
    go_straight(here, {path.first, body}, scale);
    world_.add_point(path.first, geom);
    world_.add_point(path.second, geom);
    length_ += scale * path.arc;
    return {path.second, body};
  }

  TORSOR_HD void go_straight(const Place& from, const Place& to, double scale) {
    const Vec along = to.p_WoP_W - from.p_WoP_W;
    const double distance = norm(along);
    length_ += scale * distance;
    if (from.body == to.body) return;
    const Vec pull = distance < kMinValue ? Vec{scale, 0, 0} : along * (scale / distance);
    world_.add_pull(from.body, from.p_WoP_W, -pull);
    world_.add_pull(to.body, to.p_WoP_W, pull);
  }

  const ModelView& model_;
  World& world_;
  double length_ = 0;
};

}  // namespace torsor
