// Counts, then contacts, rows and solver statistics, array by array: exact to the bit, independent of addresses.
#include "row_bytes.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace torsor::python {
namespace {

// Scalars. Flags are bytes, since untrusted bytes may be neither true nor false.
struct Numbers {
  int ncon, nefc, ne, nf, nl, nJ, nisland, solver_capacity, solver_size;
  int solver_niter[ConstraintStage::kIslandsWithStatistics];
  int solver_unconverged;
  uint8_t solver_converged[ConstraintStage::kIslandsWithStatistics];
  double solver_fwdinv[2];
};

Numbers numbers_of(const Data& data) {
  Numbers all{};
  all.ncon = data.ncon, all.nefc = data.nefc, all.ne = data.ne, all.nf = data.nf, all.nl = data.nl, all.nJ = data.nJ;
  all.nisland = data.nisland, all.solver_capacity = data.solver_capacity, all.solver_size = data.solver.size();
  std::memcpy(all.solver_niter, data.solver_niter, sizeof(all.solver_niter));
  std::memcpy(all.solver_converged, data.solver_converged, sizeof(all.solver_converged));
  all.solver_unconverged = data.solver_unconverged;
  std::memcpy(all.solver_fwdinv, data.solver_fwdinv, sizeof(all.solver_fwdinv));
  return all;
}

void set_numbers(Data& data, const Numbers& all) {
  data.nefc = all.nefc, data.ne = all.ne, data.nf = all.nf, data.nl = all.nl, data.nJ = all.nJ;
  data.nisland = all.nisland, data.solver_capacity = all.solver_capacity;
  std::memcpy(data.solver_niter, all.solver_niter, sizeof(all.solver_niter));
  for (int i = 0; i < ConstraintStage::kIslandsWithStatistics; ++i)
    data.solver_converged[i] = all.solver_converged[i] != 0;
  data.solver_unconverged = all.solver_unconverged;
  std::memcpy(data.solver_fwdinv, all.solver_fwdinv, sizeof(all.solver_fwdinv));
}

// Bytes of all arrays for these counts; -1 for impossible counts.
int64_t array_bytes(Data& data, const Numbers& all) {
  if (all.ncon < 0 || all.nefc < 0 || all.nJ < 0 || all.solver_size < 0 || (all.nefc == 0 && all.nJ > 0)) return -1;
  int64_t total =
      int64_t{all.ncon} * int64_t{sizeof(Contact)} + int64_t{all.solver_size} * int64_t{sizeof(SolverStatistic)};
  const int nefc = data.nefc, nJ = data.nJ;
  data.nefc = all.nefc, data.nJ = all.nJ;  // the shapes in the list depend on these
  data.for_each_row_field([&](const FieldInfo& info, const auto& field) {
    total += int64_t{info.rows} * info.columns * static_cast<int64_t>(sizeof(field.data()[0]));
  });
  data.nefc = nefc, data.nJ = nJ;
  return total;
}

// Allocates all arrays, in the order of a step. False if the Data is out of memory.
bool allocate(Data& data, const Numbers& all) {
  for (int c = 0; c < all.ncon; ++c)
    if (!add_contact(data)) return false;
  set_numbers(data, all);
  if (data.nefc > 0 && !allocate_rows(data)) return false;
  data.rows_end = data.results().mark();
  data.solver.pointer = data.results().push_array<SolverStatistic>(static_cast<size_t>(all.solver_size));
  data.solver.length = data.solver.pointer ? all.solver_size : 0;
  return data.solver.length == all.solver_size;
}

template <class F>
void for_each_row_array(Data& data, F&& f) {
  f(data.contact);
  data.for_each_row_field([&f](const FieldInfo&, auto& field) { f(field); });
  f(data.solver);
}

bool read(Data& data, std::string_view bytes) {
  Numbers all{};
  if (bytes.size() < sizeof(all)) return false;
  std::memcpy(&all, bytes.data(), sizeof(all));
  bytes.remove_prefix(sizeof(all));
  if (array_bytes(data, all) != static_cast<int64_t>(bytes.size()) || !allocate(data, all)) return false;
  for_each_row_array(data, [&](auto& field) {
    const size_t count = static_cast<size_t>(field.size()) * sizeof(field.data()[0]);
    if (count > 0) std::memcpy(static_cast<void*>(field.data()), bytes.data(), count);
    bytes.remove_prefix(count);
  });
  return true;
}

}  // namespace

std::string rows_to_bytes(const Data& data) {
  const Numbers all = numbers_of(data);
  std::string bytes(reinterpret_cast<const char*>(&all), sizeof(all));
  for_each_row_array(const_cast<Data&>(data), [&](auto& field) {
    if (field.size() > 0)
      bytes.append(reinterpret_cast<const char*>(field.data()),
                   static_cast<size_t>(field.size()) * sizeof(field.data()[0]));
  });
  return bytes;
}

bool rows_from_bytes(Data& data, std::string_view bytes) {
  clear_contacts(data);
  if (read(data, bytes)) return true;
  clear_contacts(data);
  return false;
}

}  // namespace torsor::python
