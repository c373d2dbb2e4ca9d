// Pointers into arrays of numbers. Kernels are templates over them: the numbers of one world stand side by side, those
// of a lane of a block of worlds at a distance (world_lane.hpp).
#pragma once

#include <type_traits>

#include "torsor/math/config.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class T>
struct PointerTraits {
  using Pointer = T*;
  using ConstPointer = const T*;
  // Numbers that are those of T's.
  template <class S>
  static TORSOR_INLINE Pointer from(S* numbers) {
    return reinterpret_cast<Pointer>(numbers);
  }
  template <class S>
  static TORSOR_INLINE ConstPointer from(const S* numbers) {
    return reinterpret_cast<ConstPointer>(numbers);
  }
};
template <class T>
using PointerTo = typename PointerTraits<T>::Pointer;
template <class T>
using ConstPointerTo = typename PointerTraits<T>::ConstPointer;

// What a pointer leads to.
template <class Pointer>
struct Pointed;
template <class T>
struct Pointed<T*> {
  using Type = std::remove_const_t<T>;
};
template <class Pointer>
using ElementOf = typename Pointed<Pointer>::Type;

}  // namespace TORSOR_ISA
}  // namespace torsor
