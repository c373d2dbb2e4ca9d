// Words for kinds of elements, as error messages and tables of users say them.
#pragma once

#include <string_view>

#include "torsor/model/types.hpp"

namespace torsor {

// Such as "body", for kXBody too; "object" for kUnknown.
const char* word_of(ObjectType type);

// The kind that a word of MJCF, such as "body" or "xbody", names; kUnknown for others.
ObjectType object_of_word(std::string_view word);

}  // namespace torsor
