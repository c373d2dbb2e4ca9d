// Worlds in lanes against one world at a time: times solve_newton() and the wide solver on the problems of a file of
// wide_problems.py, in one run and for every instruction set.
//     torsor_bench_wide_solver FILE [passes]
// Worlds go through in blocks of 128, sorted: trees alone first, then by rows. The fastest pass of each block counts.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "torsor/core/isa.hpp"
#include "torsor/math/pack.hpp"
#include "torsor/solver/solver.hpp"
#include "torsor/solver/wide.hpp"

namespace torsor::solver {
namespace {

constexpr int kBlock = 128;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct File {
  int n = 0, states = 0, most = 0;
  double scale = 0;
  std::vector<int> parent, rows, equality, friction_rows, type, dim;
  std::vector<double> M, a_smooth, warm, converged, J, D, aref, loss, mu, friction;

  explicit File(const char* path) : in(path, std::ios::binary) {
    std::vector<int> head;
    std::vector<double> number;
    get(head, 4), get(number, 1);
    if (!in || head[0] != 0x57494432) std::fprintf(stderr, "%s is no file of wide_problems.py\n", path), std::exit(1);
    n = head[1], states = head[2], most = head[3], scale = number[0];
    const std::size_t s = states, m = s * most;
    get(parent, n), get(rows, s), get(equality, s), get(friction_rows, s);
    get(M, s * n * n), get(a_smooth, s * n), get(warm, s * n), get(converged, s * n), get(J, m * n);
    for (auto* array : {&D, &aref, &loss, &mu}) get(*array, m);
    get(friction, 5 * m), get(type, m), get(dim, m);
  }
  const double* jacobian(int state, int row) const { return &J[(std::size_t(state) * most + row) * n]; }
  std::size_t at(int state, int row) const { return std::size_t(state) * most + row; }
  double b(int state, int row) const {
    double sum = -aref[at(state, row)];
    for (int i = 0; i < n; ++i) sum += jacobian(state, row)[i] * a_smooth[std::size_t(state) * n + i];
    return sum;
  }

 private:
  std::ifstream in;
  template <class T>
  void get(std::vector<T>& to, std::size_t count) {
    to.resize(count);
    in.read(reinterpret_cast<char*>(to.data()), std::streamsize(count * sizeof(T)));
  }
};

// Leaves first; a branch begins with a tile.
struct Order {
  std::vector<int> place;
  int tiles = 0;
  explicit Order(const File& f) : place(f.n) {
    int next = 0;
    for (int i = f.n - 1; i >= 0; --i) {
      if (i < f.n - 1 && f.parent[i + 1] != i) next = (next + 2) / 3 * 3;
      place[i] = next++;
    }
    tiles = (next + 2) / 3;
  }
};

// One row, or the rows of one contact, as a slot has them.
struct Entry {
  int dim, dof;  // dof: of a unit row, else -1
  double D, mu, lower, upper;
  std::vector<double> b, J;  // J: dim rows of 3 tiles numbers; the sign of a unit row
  std::uint64_t tiles;
};
struct World {
  int state;
  std::vector<Entry> units, singles, contacts;
  std::vector<std::uint64_t> coupled;
  bool is_tree = true;  // rows couple no tiles that M does not
  int dense_rows = 0;
};

std::vector<std::uint64_t> mass_tiles(const File& f, const Order& order) {
  std::vector<std::uint64_t> tiles(order.tiles);
  for (int t = 0; t < order.tiles; ++t) tiles[t] = std::uint64_t{1} << t;
  for (int i = 0; i < f.n; ++i) {
    for (int j = i; j >= 0; j = f.parent[j]) {
      const int a = order.place[i] / 3, b = order.place[j] / 3;
      tiles[std::max(a, b)] |= std::uint64_t{1} << std::min(a, b);
    }
  }
  return tiles;
}

World make_world(const File& f, const Order& order, int state) {
  World w;
  w.state = state;
  const int padded = 3 * order.tiles;
  w.coupled.assign(order.tiles, 0);
  for (int r = 0; r < f.rows[state];) {
    const std::size_t at = f.at(state, r);
    const int type = f.type[at], dim = std::max(1, f.dim[at]);
    const bool is_friction = type == 1 || type == 2;
    const double loss = f.loss[at];
    Entry e{
        dim, -1, f.D[at], f.mu[at], is_friction ? -loss : -kInfinity, is_friction ? loss : type == 0 ? kInfinity : 0,
        {},  {}, 0};
    e.b.assign(dim, 0), e.J.assign(std::size_t(dim) * padded, 0);
    const bool is_pyramid = type == 6;
    for (int a = 0; a < dim; ++a) {  // edges of pyramids are n + t, n - t; cones' tangents are scaled by friction
      const int first = is_pyramid ? r + 2 * std::max(0, a - 1) : r + a;
      const double scale = a > 0 && !is_pyramid ? f.friction[5 * at + a - 1] : 1, other = a == 0 ? 1 : -1;
      for (int i = 0; i < f.n; ++i) {
        const double x = f.jacobian(state, first)[i];
        const double value = is_pyramid ? 0.5 * (x + other * f.jacobian(state, first + 1)[i]) : scale * x;
        e.J[a * padded + order.place[i]] = std::abs(value) < 1e-14 ? 0 : value;
      }
      e.b[a] = is_pyramid ? 0.5 * (f.b(state, first) + other * f.b(state, first + 1)) : scale * f.b(state, first);
    }
    int nonzeros = 0, last = 0;
    for (int k = 0; k < dim * padded; ++k) {
      if (e.J[k] != 0) e.tiles |= std::uint64_t{1} << k % padded / 3, ++nonzeros, last = k;
    }
    r += is_pyramid ? 2 * (dim - 1) : dim;
    if (dim == 1 && nonzeros == 1 && type != 0) {
      e.dof = last, e.J = {e.J[last]};
      w.units.push_back(e);
      continue;
    }
    for (int t = 0; t < order.tiles; ++t) {
      if (e.tiles >> t & 1) w.coupled[t] |= e.tiles & ((std::uint64_t{2} << t) - 1);
    }
    w.dense_rows += dim;
    (dim == 1 ? w.singles : w.contacts).push_back(e);
  }
  const std::vector<std::uint64_t> mass = mass_tiles(f, order);
  for (int t = 0; t < order.tiles; ++t) w.is_tree &= (w.coupled[t] & ~mass[t]) == 0;
  std::stable_sort(w.contacts.begin(), w.contacts.end(), [](auto& a, auto& b) { return a.tiles > b.tiles; });
  return w;
}

struct Memory {
  std::unique_ptr<char[]> storage;
  char* start = nullptr;
  void reserve(std::size_t bytes) {
    storage.reset(new char[bytes + 64]());
    start = storage.get() + (64 - reinterpret_cast<std::uintptr_t>(storage.get()) % 64) % 64;
  }
};

// The problem of one pack of worlds.
template <class S, int N>
struct WidePack {
  using P = Pack<S, N>;
  WideSizes sizes;
  WideProblem<P> problem;
  WideSolution<P> solution;
  Memory memory;
  std::vector<const World*> worlds;

  WidePack(const File& f, const Order& order, const std::vector<const World*>& of) : worlds(of) {
    sizes = {.tiles = order.tiles, .units = 6 * f.n, .singles = f.most, .contacts = {}};
    for (int& capacity : sizes.contacts) capacity = f.most;
    WideMemory count;
    problem.take(sizes, count), solution.take(sizes, count);
    memory.reserve(count.used());
    WideMemory taken(memory.start);
    problem.take(sizes, taken), solution.take(sizes, taken);
    problem.elliptic = std::count(f.type.begin(), f.type.end(), 7) > 0;
    problem.scale[0] = P(S(f.scale));
    write_mass(f, order);
    for (int dof = 0; dof < problem.dofs(); ++dof) write_units(dof);
    for (std::size_t l = 0; l < worlds.size(); ++l) write_dense(int(l));
  }
  unsigned lanes() const { return unsigned((std::uint64_t{1} << worlds.size()) - 1); }

 private:
  void write_mass(const File& f, const Order& order) {
    const auto mass = mass_tiles(f, order);
    std::copy(mass.begin(), mass.end(), problem.mass_tiles);
    for (int i = 0; i < problem.dofs(); ++i) {
      problem.M[wide_tile(i / 3, i / 3) + 4 * (i % 3)] = P(1), problem.start[i] = P(0);
    }
    for (int l = 0; l < N; ++l) {
      const int state = worlds[std::min(std::size_t(l), worlds.size() - 1)]->state;
      for (int i = 0; i < f.n; ++i) {
        const std::size_t at = std::size_t(state) * f.n + i;
        set_lane(problem.start[order.place[i]], l, S(f.warm[at] - f.a_smooth[at]));
        for (int j = 0; j < f.n; ++j) {
          const int a = order.place[i], b = order.place[j];
          if (a < b || !(mass[a / 3] >> b / 3 & 1)) continue;
          set_lane(problem.M[wide_tile(a / 3, b / 3) + 3 * (a % 3) + b % 3], l, S(f.M[at * f.n + j]));
        }
      }
    }
  }
  template <class Slots>
  void write_row(Slots& to, int s, int l, const Entry& e) {
    set_lane(to.b[s], l, S(e.b[0])), set_lane(to.D[s], l, S(e.D)), set_lane(to.R[s], l, S(1 / e.D));
    set_lane(to.lower[s], l, S(e.lower)), set_lane(to.upper[s], l, S(e.upper));
  }
  void write_units(int dof) {
    for (int occurrence = 0, slot = 0; slot >= 0; ++occurrence) {
      slot = -1;
      for (std::size_t l = 0; l < worlds.size(); ++l) {
        int seen = 0;
        for (const Entry& e : worlds[l]->units) {
          if (e.dof != dof || seen++ != occurrence) continue;
          if (slot < 0) slot = problem.units.open(dof);
          set_lane(problem.units.J[slot], int(l), S(e.J[0]));
          write_row(problem.units, slot, int(l), e);
        }
      }
    }
  }
  void write_dense(int l) {
    int used[4] = {};
    for (const Entry& e : worlds[l]->singles) {
      const int s = problem.singles.next(used[3]);
      write_row(problem.singles, s, l, e);
      write_J(problem.singles, s, l, e);
    }
    for (const Entry& e : worlds[l]->contacts) {
      const int k = e.dim == 3 ? 0 : e.dim == 4 ? 1 : 2, s = problem.contacts[k].next(used[k]);
      for (int a = 0; a < e.dim; ++a) set_lane(problem.contacts[k].b[s * e.dim + a], l, S(e.b[a]));
      set_lane(problem.contacts[k].D[s], l, S(e.D)), set_lane(problem.contacts[k].mu[s], l, S(e.mu));
      write_J(problem.contacts[k], s, l, e);
    }
  }
  void write_J(WideSlots<P>& to, int s, int l, const Entry& e) {
    to.add_tiles(s, e.tiles);
    problem.couple(e.tiles);
    for (const int t : bits_of(e.tiles)) {
      for (int a = 0; a < e.dim; ++a) {
        for (int i = 3 * t; i < 3 * t + 3; ++i) set_lane(to.at(s, a, i), l, S(e.J[a * problem.dofs() + i]));
      }
    }
  }
};

template <class F>
double seconds(F&& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Result {
  double us = 0, iterations = 0, rounds = 0, packs = 0, error = 0;
};

// The worlds of one block in lanes.
template <class S, int N>
struct WideRunner {
  std::vector<std::unique_ptr<WidePack<S, N>>> packs;
  Memory scratch;

  void prepare(const File& f, const Order& order, const std::vector<const World*>& block) {
    packs.clear();
    for (std::size_t i = 0; i < block.size(); i += N) {
      const std::vector<const World*> of(block.begin() + i, block.begin() + std::min(block.size(), i + N));
      packs.push_back(std::make_unique<WidePack<S, N>>(f, order, of));
    }
    scratch.reserve(wide_kernels<S>().scratch_bytes(packs[0]->sizes));
  }
  void run(const Options& options) {
    for (auto& pack : packs) {
      wide_kernels<S>().newton(view_as<S>(pack->problem), options, pack->sizes, pack->lanes(), scratch.start,
                               view_as<S>(pack->solution));
    }
  }
  void check(const File& f, const Order& order, Result& result) {
    for (auto& pack : packs) {
      double most = 0;
      for (std::size_t l = 0; l < pack->worlds.size(); ++l) {
        const double iterations = lane(pack->solution.iterations[0], int(l));
        most = std::max(most, iterations), result.iterations += iterations;
        double difference = 0, size = 0;
        for (int i = 0; i < f.n; ++i) {
          const std::size_t at = std::size_t(pack->worlds[l]->state) * f.n + i;
          const double a = f.converged[at], b = f.a_smooth[at] + lane(pack->solution.d[order.place[i]], int(l));
          difference += (a - b) * (a - b), size += a * a;
        }
        result.error = std::max(result.error, std::sqrt(difference / size));
      }
      result.rounds += most, result.packs += 1;
    }
  }
};

// The same worlds one at a time.
struct OneByOne {
  struct World {
    DenseProblem problem;
    Solution solution;
    std::vector<Cone> cones;
    const double* warm;
    Memory memory;
  };
  std::vector<std::unique_ptr<World>> worlds;
  Arena arena;

  void prepare(const File& f, int first, int end) {
    worlds.clear();
    for (int w = first; w < end; ++w) add(f, w);
  }
  void add(const File& f, int w) {
    worlds.push_back(std::make_unique<World>());
    World& to = *worlds.back();
    const int n = f.n, ld = (n + 7) / 8 * 8, m = f.rows[w];
    to.memory.reserve(sizeof(double) * (std::size_t(n + m + 5) * ld + 9 * (m + 8)));
    WideMemory memory(to.memory.start);
    double *M = memory.take<double>(n * ld), *J = memory.take<double>(std::size_t(m) * ld),
           *as = memory.take<double>(ld), *fs = memory.take<double>(ld), *warm = memory.take<double>(ld),
           *a = memory.take<double>(ld), *qfrc = memory.take<double>(ld), *R = memory.take<double>(m),
           *b = memory.take<double>(m), *force = memory.take<double>(m);
    auto* blocks = memory.take<std::uint64_t>(m);
    int* state = memory.take<int>(m);
    for (int i = 0; i < n; ++i) {
      as[i] = f.a_smooth[std::size_t(w) * n + i], warm[i] = f.warm[std::size_t(w) * n + i];
      for (int j = 0; j < n; ++j) {
        M[i * ld + j] = f.M[(std::size_t(w) * n + i) * n + j];
        fs[i] += M[i * ld + j] * f.a_smooth[std::size_t(w) * n + j];
      }
    }
    for (int r = 0; r < m; ++r) {
      const std::size_t at = f.at(w, r);
      R[r] = 1 / f.D[at], b[r] = f.b(w, r);
      for (int i = 0; i < n; ++i) {
        J[r * ld + i] = f.jacobian(w, r)[i];
        if (J[r * ld + i] != 0) blocks[r] |= std::uint64_t{1} << i / 8;
      }
      if (f.type[at] != 7 || f.dim[at] == 0) continue;
      Cone cone{r, f.dim[at], f.mu[at], {}};
      for (int j = 0; j < 5; ++j) cone.friction[j] = f.friction[5 * at + j];
      to.cones.push_back(cone);
    }
    to.problem = {
        .n = n, .ld = ld, .M = M, .J = J, .a_smooth = as, .f_smooth = fs, .rows = {}, .b = b, .blocks = blocks};
    to.problem.rows = {.count = m,
                       .equality = f.equality[w],
                       .friction = f.friction_rows[w],
                       .D = &f.D[f.at(w, 0)],
                       .R = R,
                       .aref = &f.aref[f.at(w, 0)],
                       .frictionloss = &f.loss[f.at(w, 0)],
                       .cones = to.cones.data(),
                       .cone_count = int(to.cones.size())};
    to.solution = {.a = a, .force = force, .state = state, .qfrc = qfrc};
    to.warm = warm;
  }
  void run(Options options, double scale) {
    options.scale = scale;
    for (auto& world : worlds) {
      std::copy_n(world->warm, world->problem.ld, world->solution.a);
      solve_newton(world->problem, options, arena, world->solution);
    }
  }
};

template <int N>
void compare(const File& f, const Order& order, const std::vector<World>& worlds, int passes) {
  Result of_double, of_float, one;
  for (int first = 0; first < f.states; first += kBlock) {
    const int end = std::min(first + kBlock, f.states);
    std::vector<const World*> block;
    for (int i = first; i < end; ++i) block.push_back(&worlds[i]);
    std::stable_sort(block.begin(), block.end(), [](const World* a, const World* b) {
      return a->is_tree != b->is_tree ? a->is_tree : a->dense_rows < b->dense_rows;
    });
    WideRunner<double, N> wide;
    WideRunner<float, 2 * N> narrow;
    OneByOne single;
    wide.prepare(f, order, block), narrow.prepare(f, order, block), single.prepare(f, first, end);
    const Options exact{.tolerance = 1e-8}, rough{.tolerance = 1e-6};
    wide.run(exact), wide.check(f, order, of_double);
    narrow.run(rough), narrow.check(f, order, of_float);
    double best[3] = {1, 1, 1};
    const auto time = [&](double& fastest, auto&& run) {  // the second run finds its data in the cache, as in a step
      for (int twice = 0; twice < 2; ++twice) fastest = std::min(fastest, seconds(run));
    };
    for (int pass = 0; pass < passes; ++pass) {
      time(best[0], [&] { single.run(exact, f.scale); });
      time(best[1], [&] { wide.run(exact); });
      time(best[2], [&] { narrow.run(rough); });
    }
    one.us += 1e6 * best[0], of_double.us += 1e6 * best[1], of_float.us += 1e6 * best[2];
    for (const auto& world : single.worlds) one.iterations += world->solution.iterations;
  }
  const double count = f.states;
  std::printf("%-8s one world         %6.2f us                 iterations %.2f\n", isa_name(current_isa()),
              one.us / count, one.iterations / count);
  const auto print = [&](const char* name, int lanes, const Result& r) {
    std::printf(
        "         %-7s %2d lanes  %6.2f us  %4.2f times one  iterations %.2f, of a pack %.2f  worst error %.1e\n", name,
        lanes, r.us / count, one.us / r.us, r.iterations / count, r.rounds / r.packs, r.error);
  };
  print("double", N, of_double), print("float", 2 * N, of_float);
}

}  // namespace
}  // namespace torsor::solver

int main(int argc, char** argv) {
  using namespace torsor;
  using namespace torsor::solver;
  if (argc < 2) return std::fprintf(stderr, "usage: torsor_bench_wide_solver FILE [passes]\n"), 1;
  const File f(argv[1]);
  const Order order(f);
  std::vector<World> worlds;
  double units = 0, singles = 0, contacts = 0, trees = 0;
  for (int i = 0; i < f.states; ++i) {
    worlds.push_back(make_world(f, order, i));
    units += worlds[i].units.size(), singles += worlds[i].singles.size(), contacts += worlds[i].contacts.size();
    trees += worlds[i].is_tree;
  }
  const double count = f.states;
  std::printf(
      "%s: %d dofs in %d tiles, %d worlds with %.1f unit rows, %.1f single rows, %.2f contacts; %.0f %% trees\n",
      argv[1], f.n, order.tiles, f.states, units / count, singles / count, contacts / count, 100 * trees / count);
  const int passes = argc > 2 ? std::atoi(argv[2]) : 20;
  for (const Isa isa : available_isas()) {
    use_isa(isa_name(isa));
    const int lanes = wide_kernels<double>().lanes;
    (lanes == 8 ? compare<8> : lanes == 4 ? compare<4> : compare<2>)(f, order, worlds, passes);
  }
}
