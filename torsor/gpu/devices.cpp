// Devices of this machine: the processor itself, and cards if the CUDA sources are compiled in.
#include "torsor/gpu/devices.hpp"

#include <cstring>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor::gpu {
namespace {

std::string list_cards(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += fmt::format("{}'cuda:{}' ({})", i > 0 ? ", " : "", i, cuda::describe_card(i).name);
  return text;
}

}  // namespace

std::string to_text(Device device) {
  return device.kind == DeviceKind::kHost ? "host" : fmt::format("cuda:{}", device.number);
}

std::vector<DeviceInfo> list_devices(std::string* why_none) {
  std::vector<DeviceInfo> cards;
  const int count = cuda::count_cards(why_none);
  for (int i = 0; i < count; ++i) cards.push_back(cuda::describe_card(i));
  return cards;
}

void require_device(Device device) {
  if (device.kind == DeviceKind::kHost) {
    if (!TORSOR_HAS_HOST_DEVICE)
      throw Error("there is no device 'host': this build of Torsor has no kernels for it (TORSOR_HOST_DEVICE is off)");
    return;
  }
  std::string why_none;
  const int count = cuda::count_cards(&why_none);
  if (count == 0) throw Error(fmt::format("there is no device '{}': {}", to_text(device), why_none));
  if (device.number < 0 || device.number >= count)
    throw Error(
        fmt::format("there is no device '{}': this machine has {}, {}", to_text(device), count, list_cards(count)));
}

void copy_bytes(Device device, void* to, const void* from, std::size_t bytes, void* stream) {
  if (bytes == 0) return;
  if (device.kind == DeviceKind::kHost) {
    std::memmove(to, from, bytes);
  } else {
    cuda::copy_bytes(device.number, to, from, bytes, stream);
  }
}

std::shared_ptr<std::uint8_t> allocate_bytes(Device device, std::size_t bytes) {
  if (device.kind == DeviceKind::kCuda) return cuda::allocate_bytes(device.number, bytes);
  return std::shared_ptr<std::uint8_t>(new std::uint8_t[bytes], std::default_delete<std::uint8_t[]>());
}

void wait_for_stream(Device device, void* stream) {
  if (device.kind == DeviceKind::kCuda) cuda::wait_for_stream(device.number, stream);
}

int find_card_of(const void* address) { return cuda::find_card_of(address); }

#if !TORSOR_HAS_CUDA
namespace cuda {

static constexpr const char* kNotCompiled = "this build of Torsor has no CUDA sources (TORSOR_CUDA is off)";

int count_cards(std::string* why_none) {
  if (why_none) *why_none = kNotCompiled;
  return 0;
}
DeviceInfo describe_card(int) { throw Error(kNotCompiled); }
void copy_bytes(int, void*, const void*, std::size_t, void*) { throw Error(kNotCompiled); }
std::shared_ptr<std::uint8_t> allocate_bytes(int, std::size_t) { throw Error(kNotCompiled); }
void wait_for_stream(int, void*) { throw Error(kNotCompiled); }
int find_card_of(const void*) { return -1; }

}  // namespace cuda
#endif

}  // namespace torsor::gpu
