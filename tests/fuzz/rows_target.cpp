// Conventions that users add: JSON, and the text in brackets of an id.
#include <string>

#include "fuzz.hpp"
#include "torsor/convention/convention.hpp"
#include "torsor/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace torsor;
  const std::string_view text = fuzz::text_of(bytes, size);
  try {
    find_convention(text);
  } catch (const Error&) {
  }
  try {
    if (list_conventions().size() < 200) add_conventions_from_json(text, "rows.json");
  } catch (const Error&) {
  }
  return 0;
}
