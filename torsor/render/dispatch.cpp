// One table of kernels per instruction set.
#include "torsor/core/isa.hpp"
#include "torsor/render/kernels/raster.hpp"

namespace torsor {

#define TORSOR_DECLARE_RASTER(isa)                   \
  namespace isa {                                    \
  extern const render::RasterKernels kRasterKernels; \
  }
TORSOR_DECLARE_RASTER(baseline)
#if TORSOR_HAS_WIDE_ISAS
TORSOR_DECLARE_RASTER(avx2)
TORSOR_DECLARE_RASTER(avx512)
#endif
#undef TORSOR_DECLARE_RASTER

namespace render {

const RasterKernels& raster_kernels() {
  constexpr const RasterKernels* kTables[] = {  // in the order of Isa
    &baseline::kRasterKernels,
#if TORSOR_HAS_WIDE_ISAS
    &avx2::kRasterKernels,
    &avx512::kRasterKernels,
#endif
  };
  return *kTables[static_cast<int>(current_isa())];
}

}  // namespace render
}  // namespace torsor
