// Many pairs of convex shapes at a time: what the kernels have to load for one is on its way while they work on others.
#include <algorithm>

#include "torsor/contact/dispatch.hpp"
#include "torsor/contact/kernels/convex.hpp"
#include "torsor/contact/pairs.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr int kAtOnce = 16;

class Touches {
 public:
  void add(ConvexTouch& touch) {
    const ConvexMeeting meeting(touch.first, touch.second);
    touch.count = meeting.touch_without_search(touch.margin, touch.points, touch.apart_W);
    if (touch.count >= 0) return;
    touch_[count_] = &touch;
    job_[count_++] = {&meeting.a, &meeting.b, touch.margin, touch.wants_direction, false, {}, {}};
  }
  void search() {
    nearest_kernels().find(job_, count_);
    for (int i = 0; i < count_; ++i) {
      ConvexTouch& touch = *touch_[i];
      touch.count = 0;
      if (job_[i].touches)
        add_corners(i);
      else
        touch.apart_W = ConvexMeeting(touch.first, touch.second).apart_W(job_[i].apart_F);
    }
    nearest_kernels().find_corners(corner_, corner_count_);
    load_sides();
    for (int i = 0; i < count_; ++i)
      if (job_[i].touches) write_points(i);
  }

 private:
  // Those that faces are looked for at.
  void add_corners(int i) {
    const NearestJob& job = job_[i];
    const Vec n = job.nearest.normal_F;
    const Mat3<double> R_FB = transposed_mul(load9(job.a->R_WG), load9(job.b->R_WG));
    const auto add = [this](const Shape& shape, const Vec& d_G) {
      if (shape.type != GeomType::kMesh) return -1;
      corner_[corner_count_] = {shape.hull, d_G, -1};
      return corner_count_++;
    };
    corner_of_[i][0] = add(*job.a, n), corner_of_[i][1] = add(*job.b, transposed_mul(R_FB, -n));
  }
  // The lists of triangles and neighbours at the corners, then these.
  void load_sides() const {
    for (int k = 0; k < corner_count_; ++k) {
      const HullView& hull = *corner_[k].hull;
      __builtin_prefetch(hull.edge_address + corner_[k].corner);
      __builtin_prefetch(hull.edge_count + corner_[k].corner);
    }
    const auto for_each_list = [this](auto&& f) {
      for (int k = 0; k < corner_count_; ++k) {
        const HullView& hull = *corner_[k].hull;
        if (hull.corner_face && hull.side) f(hull, corner_[k].corner);
      }
    };
    for_each_list([](const HullView& hull, int corner) {
      __builtin_prefetch(hull.corner_face + hull.edge_address[corner]);
      __builtin_prefetch(hull.edge + hull.edge_address[corner]);
    });
    for_each_list([](const HullView& hull, int corner) {
      const int first = hull.edge_address[corner];
      for (int k = first; k < first + hull.edge_count[corner]; ++k) {
        __builtin_prefetch(hull.corner + 3 * hull.edge[k]);
        if (hull.corner_face[k] < 0) continue;
        __builtin_prefetch(hull.side + hull.corner_face[k]);
        __builtin_prefetch(reinterpret_cast<const char*>(hull.side + hull.corner_face[k] + 1) - 1);
        __builtin_prefetch(hull.face + 3 * hull.corner_face[k]);
      }
    });
  }
  void write_points(int i) {
    ConvexTouch& touch = *touch_[i];
    const ConvexMeeting meeting(touch.first, touch.second);
    ConvexPart part_a = meeting.part_a(), part_b = meeting.part_b();
    const auto corner = [this, i](int side) {
      return corner_of_[i][side] < 0 ? -1 : corner_[corner_of_[i][side]].corner;
    };
    touch.count =
        meeting.write_points(part_a, part_b, job_[i].nearest, touch.margin, touch.points, {corner(0), corner(1)});
  }

  int count_ = 0, corner_count_ = 0;
  ConvexTouch* touch_[kAtOnce];
  NearestJob job_[kAtOnce];
  int corner_of_[kAtOnce][2];  // into corner_; -1: none
  CornerJob corner_[2 * kAtOnce];
};

int touch_one(const Shape& first, const Shape& second, double margin, ContactPoint* out, Vec* apart_W) {
  ConvexTouch touch{first, second, margin, apart_W != nullptr, 0, {}, {}};
  ConvexTouch* const one = &touch;
  touch_convexes(&one, 1);
  std::copy_n(touch.points, touch.count, out);
  if (apart_W) *apart_W = touch.apart_W;
  return touch.count;
}

}  // namespace

void touch_convexes(ConvexTouch* const* touches, int count) {
  for (; count > 0; touches += kAtOnce, count -= kAtOnce) {
    Touches few;
    for (int i = 0; i < std::min(count, kAtOnce); ++i) few.add(*touches[i]);
    few.search();
  }
}

int convex_convex(const Shape& first, const Shape& second, double margin, ContactPoint* out) {
  return touch_one(first, second, margin, out, nullptr);
}

int touch_convex(const Shape& first, const Shape& second, double margin, ContactPoint* out, Vec* apart_W) {
  return touch_one(first, second, margin, out, apart_W);
}

}  // namespace torsor
