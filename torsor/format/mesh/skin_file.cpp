#include "torsor/format/mesh/skin_file.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace torsor {
namespace {

// Takes numbers from the start of the bytes; every count is checked before memory is asked for.
class Source {
 public:
  Source(Bytes bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  template <class Number>
  std::vector<Number> numbers(long long count) {
    const auto size = static_cast<long long>(sizeof(Number));
    if (count < 0 || count > static_cast<long long>(bytes_.size()) / size) fail();
    std::vector<Number> values(static_cast<std::size_t>(count));
    if (count > 0) std::memcpy(values.data(), bytes_.data(), static_cast<std::size_t>(count * size));
    bytes_ = bytes_.subspan(static_cast<std::size_t>(count * size));
    return values;
  }
  int whole() { return numbers<int>(1)[0]; }
  void end() const {
    if (!bytes_.empty()) fail();
  }

 private:
  [[noreturn]] void fail() const { throw Error(fmt::format("'{}' is not an SKN file: its size is wrong", name_)); }

  Bytes bytes_;
  const std::string& name_;
};

}  // namespace

void read_skin_file(Bytes bytes, const std::string& name, SkinSpec& skin) {
  constexpr long long kNameSize = 40;
  Source source(bytes, name);
  const long long vertices = source.whole(), texcoords = source.whole(), faces = source.whole(), bones = source.whole();
  skin.vertex = source.numbers<float>(3 * vertices);
  skin.texcoord = source.numbers<float>(2 * texcoords);
  skin.face = source.numbers<int>(3 * faces);
  skin.bones.clear();
  for (long long b = 0; b < bones; ++b) {
    SkinSpec::Bone bone;
    const std::vector<char> body = source.numbers<char>(kNameSize);
    bone.body.assign(body.begin(), std::find(body.begin(), body.end(), '\0'));
    const std::vector<float> pose = source.numbers<float>(7);
    std::copy_n(pose.begin(), 3, bone.bindpos.begin());
    std::copy_n(pose.begin() + 3, 4, bone.bindquat.begin());
    const int count = source.whole();
    bone.vertid = source.numbers<int>(count);
    bone.vertweight = source.numbers<float>(count);
    skin.bones.push_back(std::move(bone));
  }
  source.end();
  skin.from_file = true;
}

}  // namespace torsor
