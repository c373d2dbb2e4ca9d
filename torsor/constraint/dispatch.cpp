// One table of kernels per instruction set.
#include "torsor/constraint/dispatch.hpp"

#include "torsor/core/isa.hpp"

namespace torsor {

#define TORSOR_DECLARE_CONTACT_KERNELS(isa)    \
  namespace isa {                              \
  extern const ContactKernels kContactKernels; \
  }
TORSOR_DECLARE_CONTACT_KERNELS(baseline)
#if TORSOR_HAS_WIDE_ISAS
TORSOR_DECLARE_CONTACT_KERNELS(avx2)
TORSOR_DECLARE_CONTACT_KERNELS(avx512)
#endif

const ContactKernels& contact_kernels() {
  static constexpr const ContactKernels* kTables[] = {  // in the order of Isa
    &baseline::kContactKernels,
#if TORSOR_HAS_WIDE_ISAS
    &avx2::kContactKernels,
    &avx512::kContactKernels,
#endif
  };
  return *kTables[static_cast<int>(current_isa())];
}

}  // namespace torsor
