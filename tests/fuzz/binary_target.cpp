// Binary models. The target writes length and checksum itself, so that an input gets as far as its contents allow;
// the mutator changes whole numbers rather than single bytes.
#include <cstring>
#include <limits>
#include <string>

#include "exercise.hpp"
#include "fuzz.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/format/binary/layout.hpp"

namespace torsor::fuzz {
namespace {

constexpr size_t kLengthPlace = 16, kListsPlace = 24;

template <class T>
void put(std::string& bytes, size_t place, T value) {
  std::memcpy(bytes.data() + place, &value, sizeof(value));
}

// Inputs are what lies between the header and the checksum.
std::string with_envelope(std::string_view contents) {
  std::string bytes(binary::kHeaderBytes, '\0');
  std::memcpy(bytes.data(), binary::kMagic.data(), binary::kMagic.size());
  put(bytes, 8, binary::kVersion);
  put(bytes, 12, binary::kByteOrder);
  put(bytes, kLengthPlace, uint64_t{binary::kHeaderBytes + contents.size() + binary::kChecksumBytes});
  put(bytes, kListsPlace, binary::fingerprint());
  bytes += contents;
  const uint64_t sum = checksum(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof(sum));
  return bytes;
}

// Ids and counts are small, addresses a little larger, and what breaks things is at the ends of the range.
int32_t hostile_number(Choice& choice) {
  constexpr int32_t kExtremes[] = {
      std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min(), -1, -2, 0, 1 << 16, 1 << 28, 1, 100};
  if (choice.below(2) == 0) return choice.of(kExtremes);
  return static_cast<int32_t>(choice.below(64));
}

}  // namespace
}  // namespace torsor::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* bytes, size_t size, size_t capacity, unsigned seed) {
  using namespace torsor::fuzz;
  Choice choice(seed);
  if (size < 8 || choice.below(16) == 0) return LLVMFuzzerMutate(bytes, size, capacity);
  for (size_t i = 1 + choice.below(3); i > 0; --i) {
    const size_t place = choice.below(size / 4) * 4;
    int32_t number = hostile_number(choice);
    if (choice.below(4) == 0) {  // next to what is there
      std::memcpy(&number, bytes + place, sizeof(number));
      number = static_cast<int32_t>(static_cast<uint32_t>(number) + static_cast<uint32_t>(choice.below(5)) - 2U);
    }
    if (choice.below(8) == 0)  // a byte or flag
      bytes[choice.below(size)] = static_cast<uint8_t>(number);
    else
      std::memcpy(bytes + place, &number, sizeof(number));
  }
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace torsor;
  try {
    Model model = from_bytes(fuzz::with_envelope(fuzz::text_of(bytes, size)));
    fuzz::exercise(model);
  } catch (const Error&) {
  }
  return 0;
}
