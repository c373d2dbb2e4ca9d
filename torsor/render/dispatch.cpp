// One table of kernels per instruction set.
#include "torsor/core/isa.hpp"
#include "torsor/render/kernels/raster.hpp"

namespace torsor {

#define TORSOR_DECLARE_RASTER(isa)                   \
  namespace isa {                                    \
  extern const render::RasterKernels kRasterKernels; \
  }
TORSOR_EACH_ISA(TORSOR_DECLARE_RASTER)
#undef TORSOR_DECLARE_RASTER

namespace render {

const RasterKernels& raster_kernels() {
#define TORSOR_RASTER_TABLE(isa) &isa::kRasterKernels,
  constexpr const RasterKernels* kTables[] = {TORSOR_EACH_ISA(TORSOR_RASTER_TABLE)};
  return *kTables[static_cast<int>(current_isa())];
}

}  // namespace render
}  // namespace torsor
