// The collision kernels of the instruction set that core/isa.hpp chose.
#pragma once

#include "torsor/contact/kernels/boxes.hpp"
#include "torsor/contact/kernels/hull.hpp"
#include "torsor/contact/kernels/near.hpp"
#include "torsor/contact/kernels/nearest.hpp"

namespace torsor {

const NearKernels& near_kernels();
const HullKernels& hull_kernels();
const BoxKernels& box_kernels();
const NearestKernels& nearest_kernels();

}  // namespace torsor
