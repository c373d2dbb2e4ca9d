// 64-bit FNV-1a over integers.
#include "torsor/compile/signature.hpp"

namespace torsor::compiler {
namespace {

class Hash {
 public:
  void add(int value) {
    for (int shift = 0; shift < 32; shift += 8) {
      state_ ^= (static_cast<uint32_t>(value) >> shift) & 0xff;
      state_ *= 0x100000001b3;
    }
  }
  void add(const Field<int>& field) {
    for (const int value : field) add(value);
  }
  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace

uint64_t compute_signature(const Model& model) {
  Hash hash;
  model.for_each_size([&hash](const char*, int size, const char*) { hash.add(size); });
  for (const Field<int>* field :
       {&model.body_parentid,     &model.body_mocapid,     &model.body_jntnum,    &model.jnt_type,
        &model.geom_type,         &model.geom_bodyid,      &model.geom_dataid,    &model.site_bodyid,
        &model.cam_bodyid,        &model.light_bodyid,     &model.pair_geom1,     &model.pair_geom2,
        &model.exclude_signature, &model.eq_type,          &model.eq_obj1id,      &model.eq_obj2id,
        &model.eq_objtype,        &model.actuator_trntype, &model.actuator_trnid, &model.actuator_dyntype,
        &model.actuator_gaintype, &model.actuator_ctrlspec})
    hash.add(*field);
  return hash.value();
}

}  // namespace torsor::compiler
