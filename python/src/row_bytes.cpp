// Fields as offsets into the arena that they lie in, then the arena itself: what comes back has the same bits.
#include "row_bytes.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace torsor::python {
namespace {

struct Place {
  int64_t offset = 0, length = 0;
};

template <class F>
void for_each_row_array(Data& data, F&& f) {
  f(data.contact);
  f(data.solver);
  data.for_each_row_field([&f](const FieldInfo&, auto& field) { f(field); });
}

// What is not an array.
struct Numbers {
  int ncon, nefc, ne, nf, nl, nJ, nisland, solver_capacity;
  int solver_niter[ConstraintStage::kIslandsWithStatistics];
  bool solver_converged[ConstraintStage::kIslandsWithStatistics];
  int solver_unconverged;
  double solver_fwdinv[2];
  uint64_t rows_end, used;
};

Numbers numbers_of(const Data& data) {
  Numbers all{};
  all.ncon = data.ncon, all.nefc = data.nefc, all.ne = data.ne, all.nf = data.nf, all.nl = data.nl, all.nJ = data.nJ;
  all.nisland = data.nisland, all.solver_capacity = data.solver_capacity;
  std::memcpy(all.solver_niter, data.solver_niter, sizeof(all.solver_niter));
  std::memcpy(all.solver_converged, data.solver_converged, sizeof(all.solver_converged));
  all.solver_unconverged = data.solver_unconverged;
  std::memcpy(all.solver_fwdinv, data.solver_fwdinv, sizeof(all.solver_fwdinv));
  all.rows_end = data.rows_end, all.used = data.results().used();
  return all;
}

void set_numbers(Data& data, const Numbers& all) {
  data.ncon = all.ncon, data.nefc = all.nefc, data.ne = all.ne, data.nf = all.nf, data.nl = all.nl, data.nJ = all.nJ;
  data.nisland = all.nisland, data.solver_capacity = all.solver_capacity;
  std::memcpy(data.solver_niter, all.solver_niter, sizeof(all.solver_niter));
  std::memcpy(data.solver_converged, all.solver_converged, sizeof(all.solver_converged));
  data.solver_unconverged = all.solver_unconverged;
  std::memcpy(data.solver_fwdinv, all.solver_fwdinv, sizeof(all.solver_fwdinv));
  data.rows_end = all.rows_end;
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <class T>
bool take(std::string_view& bytes, T& value) {
  if (bytes.size() < sizeof(value)) return false;
  std::memcpy(&value, bytes.data(), sizeof(value));
  bytes.remove_prefix(sizeof(value));
  return true;
}

bool read(Data& data, std::string_view bytes) {
  Numbers all{};
  if (!take(bytes, all)) return false;
  bool sound = all.used <= data.results().capacity() && all.rows_end <= all.used;
  auto* base = sound && all.used > 0 ? static_cast<std::byte*>(data.results().push(all.used)) : nullptr;
  sound = sound && (base || all.used == 0);
  for_each_row_array(data, [&](auto& field) {
    using T = std::remove_reference_t<decltype(field[0])>;
    Place place;
    sound = sound && take(bytes, place) && place.offset >= 0 && place.length >= 0 &&
            place.offset % static_cast<int64_t>(alignof(T)) == 0 && static_cast<uint64_t>(place.offset) <= all.used &&
            static_cast<uint64_t>(place.length) <= (all.used - static_cast<uint64_t>(place.offset)) / sizeof(T);
    if (!sound) return;
    field.pointer = place.length > 0 ? reinterpret_cast<T*>(base + place.offset) : nullptr;
    field.length = static_cast<int>(place.length);
  });
  if (!sound || bytes.size() != all.used) return false;
  if (base) std::memcpy(base, bytes.data(), all.used);
  set_numbers(data, all);
  return data.contact.size() == data.ncon;
}

}  // namespace

std::string rows_to_bytes(const Data& data) {
  std::string bytes;
  append(bytes, numbers_of(data));
  const std::byte* base = data.results().base();
  for_each_row_array(const_cast<Data&>(data), [&](auto& field) {
    const auto* start = reinterpret_cast<const std::byte*>(field.data());
    append(bytes, field.size() > 0 ? Place{start - base, field.size()} : Place{});
  });
  if (data.results().used() > 0) bytes.append(reinterpret_cast<const char*>(base), data.results().used());
  return bytes;
}

bool rows_from_bytes(Data& data, std::string_view bytes) {
  clear_contacts(data);
  if (read(data, bytes)) return true;
  clear_contacts(data);
  return false;
}

}  // namespace torsor::python
