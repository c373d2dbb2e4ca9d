// The Jacobian of a contact's rows, four dofs at a time.
#pragma once

namespace torsor {

struct ContactPointRows {
  const double* frame;     // rows in W: normal and two tangents
  const double* friction;  // by tangent
  double p_TcmC_W[2][3];   // the point, from the COMs of the trees of both bodies
  int dim;                 // 1, 3, 4 or 6
  bool is_pyramid;         // rows are edges: 2k is normal + friction_k tangent_k, 2k + 1 the same with minus
};

// Compiled without contraction: the numbers are those of one dof after the other, whatever the instruction set.
struct ContactKernels {
  // Relative velocity of body 2 against body 1 at the point, per unit velocity of each dof: along the axes of the
  // frame, then about them. side: 1 for dofs that move the first body, 2 for the second. J has rows of `count` numbers.
  void (*write_jacobian)(const ContactPointRows& rows, const double* cdof, const int* dof, const unsigned char* side,
                         int count, double* J);
};

}  // namespace torsor
