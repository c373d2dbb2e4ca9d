// Instructions of a conversion with typed quantities beside the same by hand: run by typed_cost.py under callgrind.
//   typed_cost hand|typed COUNT
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "torsor/convention/typed.hpp"

using namespace torsor;

namespace {

// MuJoCo's free joint to Newton's body, as one would write it: 13 numbers each.
__attribute__((noinline)) void by_hand(const double* in, const Vec3<double>& com_B, double* out) {
  const Quat<double> q{in[3], in[4], in[5], in[6]};
  const Vec3<double> w_W = rotate(q, Vec3<double>{in[10], in[11], in[12]});
  const Vec3<double> v_C = Vec3<double>{in[7], in[8], in[9]} + cross(w_W, rotate(q, com_B));
  out[0] = in[0], out[1] = in[1], out[2] = in[2];
  out[3] = q.x, out[4] = q.y, out[5] = q.z, out[6] = q.w;
  store3(out + 7, v_C);
  store3(out + 10, w_W);
}

__attribute__((noinline)) void typed(const double* in, const BodyConstants& body, double* out) {
  const auto pose = pose_from_numbers<rows::mujoco>(in);
  const auto twist = twist_from_numbers<rows::mujoco>(in + 7);
  to_numbers(convert<rows::newton>(pose, body), out);
  to_numbers(convert<rows::newton>(twist, pose, body), out + 7);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::puts("usage: typed_cost hand|typed COUNT"), 2;
  const int count = std::atoi(argv[2]);
  const bool hand = !std::strcmp(argv[1], "hand");
  std::vector<double> in{1, 2, 3, 0.5, 0.5, -0.5, 0.5, 1, 2, 3, 4, 5, 6}, out(13);
  BodyConstants body;
  body.p_BoBcm_B = {0.1, 0.2, 0.3};
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    in[10] = i;
    if (hand) {
      by_hand(in.data(), body.p_BoBcm_B, out.data());
    } else {
      typed(in.data(), body, out.data());
    }
    sum += out[7] + out[10];
  }
  std::printf("%.17g\n", sum);
}
