// Lists of pairs in a model.
#include "torsor/model/contact_filter.hpp"

#include <algorithm>

namespace torsor {
namespace {

bool is_excluded(const Model& model, int body1, int body2) {
  const int signature = (std::min(body1, body2) << 16) + std::max(body1, body2);
  return std::binary_search(model.exclude_signature.begin(), model.exclude_signature.end(), signature);
}

bool is_predefined(const Model& model, int geom1, int geom2) {
  for (int p = 0; p < model.npair; ++p) {
    const int a = model.pair_geom1[p], b = model.pair_geom2[p];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return true;
  }
  return false;
}

}  // namespace

bool is_listed(const Model& model, const ContactTag& a, const ContactTag& b) {
  return (model.nexclude > 0 && is_excluded(model, a.body, b.body)) ||
         (model.npair > 0 && is_predefined(model, a.geom, b.geom));
}

}  // namespace torsor
