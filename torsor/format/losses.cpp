// Losses as text.
#include "torsor/format/losses.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace torsor {
namespace {

std::string plural(const std::string& kind) {
  if (kind.ends_with('y')) return kind.substr(0, kind.size() - 1) + "ies";
  return kind + (kind.ends_with('h') ? "es" : "s");
}

}  // namespace

std::string to_string(const Loss& loss) {
  constexpr size_t kMostNames = 5;
  if (loss.names.empty()) return fmt::format("{}: {}", loss.kind, loss.what);
  if (loss.names.size() == 1) return fmt::format("{} '{}': {}", loss.kind, loss.names[0], loss.what);
  const size_t shown = std::min(kMostNames, loss.names.size());
  const std::vector<std::string> first(loss.names.begin(), loss.names.begin() + static_cast<std::ptrdiff_t>(shown));
  return fmt::format("{} {} ({}{}): {}", loss.names.size(), plural(loss.kind), fmt::join(first, ", "),
                     shown < loss.names.size() ? ", ..." : "", loss.what);
}

}  // namespace torsor
