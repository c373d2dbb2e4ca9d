// One table of kernels per instruction set.
#include "torsor/constraint/dispatch.hpp"

#include "torsor/core/isa.hpp"

namespace torsor {

#define TORSOR_DECLARE_CONTACT_KERNELS(isa)    \
  namespace isa {                              \
  extern const ContactKernels kContactKernels; \
  }
TORSOR_EACH_ISA(TORSOR_DECLARE_CONTACT_KERNELS)

const ContactKernels& contact_kernels() {
#define TORSOR_CONTACT_TABLE(isa) &isa::kContactKernels,
  static constexpr const ContactKernels* kTables[] = {TORSOR_EACH_ISA(TORSOR_CONTACT_TABLE)};
  return *kTables[static_cast<int>(current_isa())];
}

}  // namespace torsor
