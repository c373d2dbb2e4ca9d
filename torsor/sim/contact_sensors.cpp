// Sensors of contacts and limits of one world, read from the solution of the rows.
#include "torsor/sim/contact_sensors.hpp"

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/contact_reader.hpp"

namespace torsor {
namespace {

struct ContactsOfData {
  const Model& model;
  const Data& data;

  int count() const { return data.ncon; }
  int geom(int c, int side) const { return data.contact[c].geom[side]; }
  bool has_rows(int c) const { return data.contact[c].efc_address >= 0; }
  double dist(int c) const { return data.contact[c].dist; }
  Vec3<double> pos(int c) const { return load3(data.contact[c].pos); }
  Vec3<double> axis(int c, int k) const { return load3(data.contact[c].frame + 3 * k); }
  void force(int c, double F_C[6]) const { contact_force(model, data, c, F_C); }
  Twist<double> velocity(int c) const {
    const auto of = [&](int side) {
      const int body = model.geom_bodyid[geom(c, side)];
      return load6(data.cvel.row(body, 6)).at(pos(c) - load3(data.subtree_com.row(model.body_rootid[body], 3)));
    };
    return of(1) - of(0);
  }
  Vec3<double> site_pos(int site) const { return load3(data.site_xpos.row(site, 3)); }
  Mat3<double> site_mat(int site) const { return load9(data.site_xmat.row(site, 9)); }
};

}  // namespace

double read_touch(const Model& model, const Data& data, int id) {
  const ContactsOfData contacts{model, data};
  return ContactReader(model, contacts, id).touch();
}

void read_contacts(const Model& model, const Data& data, int id, double* reading) {
  const ContactsOfData contacts{model, data};
  ContactReader(model, contacts, id).read(reading);
}

int find_limit_row(const Model& model, const Data& data, int id) {
  const auto type = static_cast<SensorType>(model.sensor_type[id]);
  const bool of_joint =
      type == SensorType::kJointLimitPos || type == SensorType::kJointLimitVel || type == SensorType::kJointLimitFrc;
  const int row_type = static_cast<int>(of_joint ? RowType::kLimitJoint : RowType::kLimitTendon);
  for (int row = data.ne + data.nf; row < data.ne + data.nf + data.nl; ++row) {
    if (data.efc_type[row] == row_type && data.efc_id[row] == model.sensor_objid[id]) return row;
  }
  return -1;
}

}  // namespace torsor
