// Logs (CSV, JSON, NPY) from bytes to the answer of detect(). The first byte says which format.
#include <string>

#include "fuzz.hpp"
#include "torsor/bridge/detect.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace torsor;
  if (size == 0) return 0;
  const std::string_view contents = fuzz::text_of(bytes + 1, size - 1);
  try {
    const Table table = bytes[0] == 'c'   ? parse_csv(contents)
                        : bytes[0] == 'j' ? parse_json_table(contents)
                                          : parse_npy(contents);
    format_csv(table);
    format_npy(table);
    if (table.rows <= 50) to_text(detect(recognise_columns(table)));
  } catch (const Error&) {
  }
  return 0;
}
