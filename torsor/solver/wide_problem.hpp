// The problem of problem.hpp for many worlds at once: one world, more exactly one island of one world, in each lane of
// P (a Pack of double or float, or a plain number for one lane). In terms of d = a - a_smooth each lane minimises
//     1/2 d' M d + sum of the costs of its rows at x = J d + b,    b = J a_smooth - aref
//
// Dofs are cut into tiles of 3, leaves first, each branch of the tree at the start of a tile. Dofs that only fill a
// tile have a positive diagonal number in M and zeros everywhere else. Lanes share sizes, loops and sparsity: a tile is
// stored when it may be nonzero in some lane.
//
// Rows are in slots, compacted lane by lane: slot k of a kind is the k-th row or contact of that kind in each lane,
// whatever it is. A lane that does not use a slot has D = R = 0 and bounds, b and J of zero there. Kinds of slots:
//     unit      a row with one number: joint limits and joint friction (J = +-1), friction of a tendon over one joint.
//               The dof is shared by the lanes, J is not
//     single    one dense row: equality, friction of a tendon, limit of a tendon or ball joint, frictionless contact
//     contact   3, 4 or 6 dense rows: the normal, then the tangents, each TIMES ITS FRICTION COEFFICIENT. Pyramidal:
//               the edges are x_0 +- x_j, all with the same D. Elliptic: see Cone; with scaled tangents T = |x_1, ...|
//               and D_j = D_0 / mu^2, so that D_0 and mu say everything
// Unit and single rows have bounds of D x = minus the force: (-inf, inf) for an equality, (-f, f) for friction,
// (-inf, 0) for a one-sided row.
//
// A lane's result depends on its own rows and on their order in the slots, not on other lanes or on unused slots in
// between. Whoever writes rows has to keep the order, for unit rows for instance by opening slots in the order of dofs.
// Row by row, for one lane after the other:
//     const int s = contacts.next(used);      // used: how many slots of this kind the lane has so far
//     contacts.add_tiles(s, tiles);           // J is zero there in all lanes that did not write it
//     problem.couple(tiles);
//     set_lane(contacts.at(s, row, dof), lane, ...), and so on for b, D, mu
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "torsor/math/config.hpp"
#include "torsor/solver/problem.hpp"

namespace torsor::solver {

inline constexpr int kWideTile = 3, kWideTileSize = kWideTile * kWideTile, kMaxWideTiles = 64;
inline constexpr int kContactKinds = 3;
TORSOR_INLINE constexpr int contact_dim(int kind) { return kind == 0 ? 3 : kind == 1 ? 4 : 6; }

// Capacities, from the model. At most kMaxWideTiles tiles: a set of tiles is one 64-bit word.
struct WideSizes {
  int tiles = 0, units = 0, singles = 0;
  int contacts[kContactKinds] = {};  // of 3, 4 and 6 rows
  bool relative = false;             // whether Options::relative will be used

  TORSOR_INLINE int dofs() const { return kWideTile * tiles; }
  TORSOR_INLINE std::size_t mass_tiles() const { return std::size_t(tiles) * (tiles + 1) / 2; }
};

// Hands out parts of one block of memory of the caller, each aligned to 64 bytes; without memory it only counts.
class WideMemory {
 public:
  TORSOR_INLINE explicit WideMemory(void* memory = nullptr) : memory_(static_cast<char*>(memory)) {}
  template <class T>
  TORSOR_INLINE T* take(std::size_t count) {
    T* const result = memory_ ? reinterpret_cast<T*>(memory_ + used_) : nullptr;
    used_ += (count * sizeof(T) + 63) / 64 * 64;
    return result;
  }
  TORSOR_INLINE std::size_t used() const { return used_; }

 private:
  char* memory_;
  std::size_t used_ = 0;
};

// place in an array of tiles of tile (i, j), j <= i
TORSOR_INLINE std::ptrdiff_t wide_tile(int i, int j) { return (std::ptrdiff_t(i) * (i + 1) / 2 + j) * kWideTileSize; }

// The bits of a set, ascending: for (const int t : bits_of(set))
struct BitRange {
  struct Iterator {
    std::uint64_t left;
    TORSOR_INLINE int operator*() const { return __builtin_ctzll(left); }
    TORSOR_INLINE void operator++() { left &= left - 1; }
    TORSOR_INLINE bool operator!=(Iterator) const { return left != 0; }
  };
  std::uint64_t set;
  TORSOR_INLINE Iterator begin() const { return {set}; }
  TORSOR_INLINE Iterator end() const { return {0}; }
};
TORSOR_INLINE BitRange bits_of(std::uint64_t set) { return {set}; }

template <class P>
struct WideUnits {
  int count = 0, capacity = 0;
  int* dof = nullptr;
  P *J = nullptr, *b = nullptr, *D = nullptr, *R = nullptr, *lower = nullptr, *upper = nullptr;

  // The next slot, used by no lane yet; -1 if there is none left.
  TORSOR_INLINE int open(int of_dof) {
    if (count == capacity) return -1;
    dof[count] = of_dof;
    for (P* const array : {J, b, D, R, lower, upper}) array[count] = P(0);
    return count++;
  }
};

// Slots of `dim` dense rows each.
template <class P>
struct WideSlots {
  int dim = 1, tiles = 0, count = 0, capacity = 0;
  std::uint64_t* slot_tiles = nullptr;  // bit t: J may be nonzero in tile t
  P* J = nullptr;                       // [slot][tile][row][3]; only tiles of slot_tiles are read
  P* b = nullptr;                       // [slot][row]
  P* D = nullptr;                       // [slot]; of the normal for an elliptic contact

  TORSOR_INLINE P* tile(int slot, int t) const { return J + (std::ptrdiff_t(slot) * tiles + t) * (kWideTile * dim); }
  TORSOR_INLINE P& at(int slot, int row, int dof) const {
    return tile(slot, dof / kWideTile)[row * kWideTile + dof % kWideTile];
  }
  // Lets a slot use more tiles; J is zero in those that are new.
  TORSOR_INLINE void add_tiles(int slot, std::uint64_t set) {
    for (const int t : bits_of(set & ~slot_tiles[slot])) {
      for (int k = 0; k < kWideTile * dim; ++k) tile(slot, t)[k] = P(0);
    }
    slot_tiles[slot] |= set;
  }

 protected:
  TORSOR_INLINE void clear(int slot) {
    slot_tiles[slot] = 0;
    D[slot] = P(0);
    for (int a = 0; a < dim; ++a) b[slot * dim + a] = P(0);
  }
};

template <class P>
struct WideSingles : WideSlots<P> {
  P *R = nullptr, *lower = nullptr, *upper = nullptr;  // [slot]
  TORSOR_INLINE int open() {
    if (this->count == this->capacity) return -1;
    for (P* const array : {R, lower, upper}) array[this->count] = P(0);
    this->clear(this->count);
    return this->count++;
  }
  // The slot of a lane's next row, -1 if there is none left; `used` counts the rows of the lane.
  TORSOR_INLINE int next(int& used) { return used < this->count || open() >= 0 ? used++ : -1; }
};

template <class P>
struct WideContacts : WideSlots<P> {
  P* mu = nullptr;  // [slot], Cone::mu; read for elliptic cones only
  TORSOR_INLINE int open() {
    if (this->count == this->capacity) return -1;
    mu[this->count] = P(0);
    this->clear(this->count);
    return this->count++;
  }
  TORSOR_INLINE int next(int& used) { return used < this->count || open() >= 0 ? used++ : -1; }
};

// Gauss-Seidel: a row or contact of a lane. Each lane lists its own in the order of one world.
struct WideTurn {
  static constexpr int kUnit = 0, kSingle = 1;  // kinds; contacts of 3, 4 and 6 rows follow
  int kind, slot;
  const double* friction;  // of contacts, one per tangent
};
struct WideTurns {
  const WideTurn* items = nullptr;
  int count = 0;
};

template <class P>
struct WideProblem {
  int tiles = 0;
  bool cold = false;                       // Gauss-Seidel: starts without forces
  const WideTurns* turns = nullptr;        // the same, one per lane
  bool elliptic = false;                   // cones of all contacts; else pyramids
  std::uint64_t* mass_tiles = nullptr;     // [i], bit j <= i: tile (i, j) of M may be nonzero; bit i is set
  std::uint64_t* coupled_tiles = nullptr;  // [i], the same for J' J of each lane, united
  P* M = nullptr;         // tile (i, j) at wide_tile(i, j), row by row; of diagonal tiles the lower half
  P* start = nullptr;     // [dof], d of the warm start
  P* scale = nullptr;     // [1], what Options::scale is for one world
  P* momentum = nullptr;  // [dof], M (a_smooth + v / h); read with Options::relative only
  P* weight = nullptr;    // [dof], 1 / diag(M), 0 in dofs that fill a tile; the same
  WideUnits<P> units;
  WideSingles<P> singles;
  WideContacts<P> contacts[kContactKinds];

  TORSOR_INLINE int dofs() const { return kWideTile * tiles; }

  // Arrays for these sizes; counts are zero then.
  TORSOR_INLINE void take(const WideSizes& sizes, WideMemory& memory) {
    tiles = sizes.tiles;
    units.capacity = sizes.units;
    set_capacity(singles, 1, sizes.singles);
    for (int k = 0; k < kContactKinds; ++k) set_capacity(contacts[k], contact_dim(k), sizes.contacts[k]);
    for_each_array(sizes.relative, [&](auto*& array, std::size_t count) {
      array = memory.take<std::remove_pointer_t<std::remove_reference_t<decltype(array)>>>(count);
    });
    if (coupled_tiles) clear_rows();
  }
  TORSOR_INLINE void clear_rows() {
    units.count = singles.count = 0;
    for (auto& kind : contacts) kind.count = 0;
    for (int t = 0; t < tiles; ++t) coupled_tiles[t] = 0;
  }
  // To be called for the dense rows of every lane with the tiles of that lane: tiles that rows of different lanes have
  // in the same slot do not couple.
  TORSOR_INLINE void couple(std::uint64_t set) {
    for (const int t : bits_of(set)) coupled_tiles[t] |= set & ((std::uint64_t{2} << t) - 1);
  }

  // Calls f(array, length) for all arrays, in the order of their memory.
  template <class F>
  TORSOR_INLINE void for_each_array(bool relative, F f) {
    const std::size_t n = dofs(), t = tiles;
    f(mass_tiles, t), f(coupled_tiles, t), f(M, wide_tile(tiles, 0)), f(start, n), f(scale, std::size_t{1});
    f(momentum, relative ? n : 0), f(weight, relative ? n : 0);
    f(units.dof, std::size_t(units.capacity));
    for (P** array : {&units.J, &units.b, &units.D, &units.R, &units.lower, &units.upper}) {
      f(*array, std::size_t(units.capacity));
    }
    for_slots(singles, f);
    for (P** array : {&singles.R, &singles.lower, &singles.upper}) f(*array, std::size_t(singles.capacity));
    for (auto& kind : contacts) {
      for_slots(kind, f);
      f(kind.mu, std::size_t(kind.capacity));
    }
  }

 private:
  TORSOR_INLINE void set_capacity(WideSlots<P>& slots, int dim, int capacity) {
    slots.dim = dim;
    slots.tiles = tiles;
    slots.capacity = capacity;
  }
  template <class F>
  TORSOR_INLINE void for_slots(WideSlots<P>& slots, F& f) {
    const std::size_t count = slots.capacity;
    f(slots.slot_tiles, count), f(slots.J, count * slots.dim * dofs()), f(slots.b, count * slots.dim);
    f(slots.D, count);
  }
};

// x and force of the slots of one kind, [slot][row] as b. Forces on scaled tangents: times the friction coefficient
// they are those along the tangents. The edges of a pyramid have the forces D max(0, -(x_0 +- x_j)).
template <class P>
struct WideRows {
  P *x = nullptr, *force = nullptr;
};

template <class P>
struct WideSolution {
  P* d = nullptr;           // [dof]
  P* qfrc = nullptr;        // [dof], J' force
  P* iterations = nullptr;  // [1]
  P* converged = nullptr;   // [1], 1 or 0; as Solution::converged
  WideRows<P> units, singles, contacts[kContactKinds];

  TORSOR_INLINE void take(const WideSizes& sizes, WideMemory& memory) {
    for_each_array(sizes, [&](P*& array, std::size_t count) { array = memory.take<P>(count); });
  }
  template <class F>
  TORSOR_INLINE void for_each_array(const WideSizes& sizes, F f) {
    f(d, std::size_t(sizes.dofs())), f(qfrc, std::size_t(sizes.dofs())), f(iterations, 1), f(converged, 1);
    f(units.x, std::size_t(sizes.units)), f(units.force, std::size_t(sizes.units));
    f(singles.x, std::size_t(sizes.singles)), f(singles.force, std::size_t(sizes.singles));
    for (int k = 0; k < kContactKinds; ++k) {
      const std::size_t count = std::size_t(sizes.contacts[k]) * contact_dim(k);
      f(contacts[k].x, count), f(contacts[k].force, count);
    }
  }
};

}  // namespace torsor::solver
