// The table of the user's collision functions, and the contacts that they add.
#include "torsor/contact/hooks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "torsor/contact/parameters.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

std::pair<int, int> key_of(GeomType a, GeomType b) { return std::minmax({static_cast<int>(a), static_cast<int>(b)}); }

void check(const Model& model, const Data& data, int geom1, int geom2, const ContactPoint& point) {
  if (data.nefc > 0) throw Error("contacts can be added only before the constraint rows are made");
  for (const int geom : {geom1, geom2}) {
    if (geom < 0 || geom >= model.ngeom)
      throw Error(fmt::format("geom {} does not exist: the model has {}", geom, model.ngeom));
  }
  const double sum = point.dist + dot(point.pos_W, {1, 1, 1}) + dot(point.normal_W, {1, 1, 1});
  if (!std::isfinite(sum)) throw Error("a contact needs finite numbers");
  if (std::fabs(norm(point.normal_W) - 1) > 1e-6) throw Error("the normal of a contact must have unit length");
}

}  // namespace

void set_collision_function(Data& data, GeomType a, GeomType b, CollisionFunction function) {
  if (function)
    data.collision[key_of(a, b)] = std::move(function);
  else
    data.collision.erase(key_of(a, b));
}

const CollisionFunction* find_collision_function(const Data& data, GeomType a, GeomType b) {
  if (data.collision.empty()) return nullptr;
  const auto found = data.collision.find(key_of(a, b));
  return found == data.collision.end() ? nullptr : &found->second;
}

Contact* add_contact_point(const Model& model, Data& data, int geom1, int geom2, const ContactPoint& point,
                           int predefined) {
  check(model, data, geom1, geom2, point);
  if (predefined < -1 || predefined >= model.npair)
    throw Error(fmt::format("pair {} does not exist: the model has {}", predefined, model.npair));
  Contact* contact = add_contact(data);
  if (!contact) return nullptr;
  const ContactPair pair{geom1, geom2, predefined};
  fill_contact(model, pair, contact_range(model, pair), point, *contact);
  return contact;
}

}  // namespace torsor
