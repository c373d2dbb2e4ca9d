// Keyframes of attached models, in the coordinates of the whole model.
#pragma once

#include "torsor/format/mjcf/attach.hpp"
#include "torsor/format/mjcf/budget.hpp"

namespace torsor::mjcf {

// Numbers of the part are those of its keyframes; all others are open.
std::vector<KeySpec> make_attached_keys(const Attachment& part, const Spec& spec);

// Bytes that finishing the part will need for its keyframes, and for what a part of the model itself copies.
Count weigh_attachment(const Attachment& part, const Spec& spec, std::size_t own_keys);

// Open numbers as in the reference pose; those that only compile() knows stay open.
void fill_open_numbers(KeySpec& key, const Spec& spec);

}  // namespace torsor::mjcf
