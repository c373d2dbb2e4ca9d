#include "torsor/batch/contact_readings.hpp"

namespace torsor {
namespace {

// The contacts of one lane; see contact_reader.hpp.
template <class S>
struct ContactsOfLane {
  const PackContact<S>* contacts;
  const std::vector<int>& list;
  const S *site_xpos, *site_xmat;
  int width, lane;

  const PackContact<S>& at(int c) const { return contacts[list[static_cast<size_t>(c)]]; }
  double number(const S* packs, int i) const { return packs[i * width + lane]; }
  Vec3<double> vector(const S* packs, int i) const {
    return {number(packs, i), number(packs, i + 1), number(packs, i + 2)};
  }

  int count() const { return static_cast<int>(list.size()); }
  int geom(int c, int side) const { return at(c).geom[side]; }
  bool has_rows(int c) const { return (at(c).lanes >> lane & 1) != 0; }
  double dist(int c) const { return number(at(c).numbers, 0); }
  Vec3<double> pos(int c) const { return vector(at(c).numbers, 1); }
  Vec3<double> axis(int c, int k) const { return vector(at(c).numbers, 4 + 3 * k); }
  void force(int c, double F_C[6]) const {
    for (int r = 0; r < 6; ++r) F_C[r] = has_rows(c) ? number(at(c).force, r) : 0;
  }
  Vec3<double> site_pos(int site) const { return vector(site_xpos, 3 * site); }
  Mat3<double> site_mat(int site) const {
    double R[9];
    for (int i = 0; i < 9; ++i) R[i] = number(site_xmat, 9 * site + i);
    return load9(R);
  }
};

}  // namespace

template <class S>
void ContactReadings<S>::read(const Model& model, const PackContact<S>* contacts, int count, int width,
                              const S* site_xpos, const S* site_xmat, S* sensordata) {
  const auto is_ours = [&model](int id) {
    const auto type = static_cast<SensorType>(model.sensor_type[id]);
    return (type == SensorType::kTouch || type == SensorType::kContact) && is_plain_sensor(model, id);
  };
  int ours = 0;
  for (int id = 0; id < model.nsensor; ++id) ours += is_ours(id);
  for (int lane = 0; ours > 0 && lane < width; ++lane) {
    list_.clear();
    for (int c = 0; c < count; ++c)
      if (contacts[c].listed >> lane & 1) list_.push_back(c);
    const ContactsOfLane<S> of_lane{contacts, list_, site_xpos, site_xmat, width, lane};
    for (int id = 0; id < model.nsensor; ++id) {
      if (!is_ours(id)) continue;
      const ContactReader reader(model, of_lane, id);
      reading_.resize(static_cast<size_t>(model.sensor_dim[id]));
      if (model.sensor_type[id] == static_cast<int>(SensorType::kTouch))
        reading_[0] = reader.touch();
      else
        reader.read(reading_.data());
      apply_cutoff<double>(model, id, reading_.data());
      for (int k = 0; k < model.sensor_dim[id]; ++k)
        sensordata[(model.sensor_adr[id] + k) * width + lane] = static_cast<S>(reading_[static_cast<size_t>(k)]);
    }
  }
}

template class ContactReadings<double>;
template class ContactReadings<float>;

}  // namespace torsor
