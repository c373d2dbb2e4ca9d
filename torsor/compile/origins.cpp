// Traces elements of the Model back to the Spec. Drafts point at the elements they were made from.
#include "torsor/compile/origins.hpp"

#include "torsor/compile/tree.hpp"

namespace torsor::compiler {
namespace {

// The position of an element in the lists of the Spec, which may be those of a fused body.
template <class T>
Origins::Part find_part(const Spec& spec, std::vector<T> BodySpec::*list, const T* element) {
  for (size_t b = 0; b < spec.bodies.size(); ++b) {
    const std::vector<T>& parts = spec.bodies[b].*list;
    if (!parts.empty() && element >= parts.data() && element < parts.data() + parts.size())
      return {static_cast<int>(b), static_cast<int>(element - parts.data())};
  }
  return {-1, -1};
}

// Elements are nearly always still in the body that they are written in.
template <class T, class PartDraft>
void append_parts(const Spec& spec, std::vector<T> BodySpec::*list, int body, const std::vector<PartDraft>& drafts,
                  std::vector<Origins::Part>& out) {
  const std::vector<T>& own = spec.bodies[at(body)].*list;
  for (const PartDraft& draft : drafts) {
    const bool is_own = !own.empty() && draft.spec >= own.data() && draft.spec < own.data() + own.size();
    out.push_back(is_own ? Origins::Part{body, static_cast<int>(draft.spec - own.data())}
                         : find_part(spec, list, draft.spec));
  }
}

int find_survivor(const Draft& draft, int body) {
  while (draft.bodies[at(body)].is_fused) body = draft.bodies[at(body)].parent;
  return body;
}

}  // namespace

Origins find_origins(const Draft& draft, const Tree& tree) {
  Origins origins;
  const Spec& spec = draft.spec;
  origins.body = tree.order;
  for (size_t b = 0; b < draft.bodies.size(); ++b)
    origins.body_id.push_back(tree.body_id[at(find_survivor(draft, static_cast<int>(b)))]);
  for (const int b : tree.order) {
    const BodyDraft& body = draft.bodies[at(b)];
    origins.is_aligned.push_back(body.is_aligned);
    append_parts(spec, &BodySpec::joints, b, body.joints, origins.joint);
    append_parts(spec, &BodySpec::geoms, b, body.geoms, origins.geom);
    append_parts(spec, &BodySpec::sites, b, body.sites, origins.site);
    append_parts(spec, &BodySpec::cameras, b, body.cameras, origins.camera);
    append_parts(spec, &BodySpec::lights, b, body.lights, origins.light);
  }
  return origins;
}

}  // namespace torsor::compiler
