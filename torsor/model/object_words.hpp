// Words for kinds of elements, as error messages and tables of users say them.
#pragma once

#include "torsor/model/types.hpp"

namespace torsor {

// Such as "body", for kXBody too; "object" for kUnknown.
const char* word_of(ObjectType type);

}  // namespace torsor
