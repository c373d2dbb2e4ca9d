// Counts and sizes that are computed from a file.
#pragma once

#include <compare>
#include <concepts>

namespace torsor {

// Whatever the file says, sums and products of Counts do not wrap around: they stop at a ceiling that is far above
// every limit. So the arithmetic needs no checks; the result is compared with its limit once, before it is used.
class Count {
 public:
  static constexpr long long kCeiling = 1LL << 62;

  constexpr Count() = default;
  // A negative number of things is none.
  template <std::integral Number>
  constexpr Count(Number number)
      : value_(number <= Number{0} ? 0
               : static_cast<unsigned long long>(number) > static_cast<unsigned long long>(kCeiling)
                   ? kCeiling
                   : static_cast<long long>(number)) {}

  constexpr long long value() const { return value_; }

  friend constexpr Count operator+(Count a, Count b) {
    return a.value_ > kCeiling - b.value_ ? Count(kCeiling) : Count(a.value_ + b.value_);
  }
  friend constexpr Count operator*(Count a, Count b) {
    return a.value_ != 0 && b.value_ > kCeiling / a.value_ ? Count(kCeiling) : Count(a.value_ * b.value_);
  }
  constexpr Count& operator+=(Count other) { return *this = *this + other; }
  constexpr Count& operator*=(Count other) { return *this = *this * other; }
  friend constexpr auto operator<=>(Count, Count) = default;

 private:
  long long value_ = 0;
};

// One array of a Model or a Data has at most so many numbers: more are surely a mistake, and eight times as many could
// not be indexed.
constexpr long long kMostNumbers = 1LL << 28;

}  // namespace torsor
