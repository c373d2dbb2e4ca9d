// The kernels of rows, of the instruction set that core/isa.hpp chose.
#pragma once

#include "torsor/constraint/kernels/contact_jacobian.hpp"

namespace torsor {

const ContactKernels& contact_kernels();

}  // namespace torsor
