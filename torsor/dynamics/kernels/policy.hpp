// How the kernels fill vector registers, in one place.
#pragma once

#include <type_traits>

#include "torsor/math/config.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// One world on a processor takes four neighbouring bodies or joints at a time. In packs, and on a device, a lane or a
// thread is a world already, and bodies are taken one by one.
#if defined(__CUDA_ARCH__)
template <class T>
inline constexpr bool kTakesFourBodies = false;
#else
template <class T>
inline constexpr bool kTakesFourBodies = std::is_same_v<T, double>;
#endif

}  // namespace TORSOR_ISA
}  // namespace torsor
