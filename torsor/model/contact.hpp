// A contact between two geoms: where, how deep, and with which parameters. The list is data.contact, in the order of
// the pairs of bodies.
#pragma once

namespace torsor {

// Why a contact makes no rows.
enum class ContactExclude : int {
  kNone = 0,    // it makes rows
  kInGap = 1,   // within the margin, but not yet within margin minus gap
  kFused = 2,   // bodies fused by an equality or by the user's own filter
  kNoDofs = 3,  // no moving body takes part
};

struct Contact {
  double dist = 0;                                     // m, of the nearest points; negative: penetration
  double pos[3] = {0, 0, 0};                           // p_WoC_W, midway between the nearest points; SAP: by stiffness
  double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};       // rows in W: normal from geom[0] to geom[1], then two tangents
  double includemargin = 0;                            // m, rows are made while dist is below it
  double friction[5] = {1, 1, 0.005, 0.0001, 0.0001};  // two tangents, spin, two of rolling
  double solref[2] = {0.02, 1};
  double solreffriction[2] = {0, 0};  // of the friction rows of elliptic cones; zero means solref
  double solimp[5] = {0.9, 0.95, 0.001, 0.5, 2};
  double stiffness = 0, dissipation = 0;  // N/m and s, of SAP
  double mu = 0;                          // friction[0] as regularised: set with the rows of cones
  double H[36] = {};                      // Hessian of the cone in its middle zone: set by Newton
  double adhesion = 0;                    // N, pulls the geoms together while the contact makes rows
  double surfacevel[3] = {0, 0, 0};       // of geom[1]'s surface relative to geom[0]'s: m/s along the tangents, spin
  int dim = 3;                            // 1, 3, 4 or 6: numbers of the contact force
  int geom[2] = {-1, -1};
  int pair = -1;         // of contact/pair, whose parameters it has; -1: those of the geoms, mixed
  int exclude = 0;       // ContactExclude
  int efc_address = -1;  // first row, -1 without
};

}  // namespace torsor
