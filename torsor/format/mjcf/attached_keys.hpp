// Keyframes of attached models, in the coordinates of the whole model.
#pragma once

#include "torsor/format/mjcf/attach.hpp"
#include "torsor/format/mjcf/budget.hpp"

namespace torsor::mjcf {

// Numbers of the part are those of its keyframes; all others are unspecified.
std::vector<KeySpec> make_attached_keys(const Attachment& part, const Spec& spec);

// Bytes that finish_attachment() will need for keyframes, and for copies of parts of the model itself.
Count weigh_attachment(const Attachment& part, const Spec& spec, std::size_t own_keys);

// Fills unspecified numbers from the reference pose, except for those that only compile() knows.
void fill_open_numbers(KeySpec& key, const Spec& spec);

}  // namespace torsor::mjcf
