// The kinds of <composite> and what to write instead.
#include "torsor/format/mjcf/composite.hpp"

#include <fmt/format.h>

namespace torsor::mjcf {
namespace {

struct OldKind {
  std::string_view type, instead;
};
constexpr OldKind kOldKinds[] = {
    {"particle", "<replicate> around one body"},
    {"grid", "<flexcomp>"},
    {"rope", "the type cable"},
    {"loop", "<flexcomp>"},
    {"cloth", "<flexcomp> with a shell"},
};

}  // namespace

void refuse_composite(const Element& element, Reader& reader) {
  const std::string_view type = element.text("type");
  if (!element.has("type")) return reader.report.error(element, "<composite> needs the attribute 'type'");
  for (const OldKind& kind : kOldKinds) {
    if (kind.type != type) continue;
    return reader.report.attribute_error(element, "type",
                                         fmt::format("<composite> of type {} is no longer part of MJCF", type),
                                         fmt::format("use {} instead", kind.instead));
  }
  if (type != "cable") {
    return reader.report.attribute_error(element, "type", fmt::format("unknown type '{}' of <composite>", type),
                                         "the only type is cable");
  }
  reader.report.error(element, "<composite> of type cable is not supported yet",
                      "write its bodies, joints and geoms out, as MuJoCo does when it saves the model");
}

}  // namespace torsor::mjcf
