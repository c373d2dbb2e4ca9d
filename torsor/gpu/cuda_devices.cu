// Cards of this machine, their memory and streams, through the CUDA runtime.
#include <cuda_runtime.h>

#include "torsor/core/error.hpp"
#include "torsor/gpu/devices.hpp"

namespace torsor::gpu::cuda {
namespace {

// Throws Error for what the runtime reports; the next call starts with a clean slate.
void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();
  throw Error(std::string(what) + " failed: " + cudaGetErrorString(result));
}

// Makes a card the current one of this thread until the end of the scope: other libraries have their own idea of it.
class UseCard {
 public:
  explicit UseCard(int number) {
    check(cudaGetDevice(&before_), "asking for the current CUDA device");
    if (number != before_) check(cudaSetDevice(number), "choosing the CUDA device");
  }
  ~UseCard() { cudaSetDevice(before_); }
  UseCard(const UseCard&) = delete;
  UseCard& operator=(const UseCard&) = delete;

 private:
  int before_ = 0;
};

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Why the runtime finds no card.
std::string explain(cudaError_t result) {
  int driver = 0;
  cudaDriverGetVersion(&driver);  // 0 where there is none
  if (driver == 0) return "no NVIDIA driver is installed";
  if (result == cudaErrorInsufficientDriver)
    return "the NVIDIA driver is for CUDA " + version_text(driver) + ", and this build needs CUDA " +
           version_text(CUDART_VERSION) + " or newer";
  if (result == cudaErrorNoDevice || result == cudaSuccess) return "the NVIDIA driver finds no card";
  return std::string("the NVIDIA driver reports: ") + cudaGetErrorString(result);
}

}  // namespace

int count_cards(std::string* why_none) {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result == cudaSuccess && count > 0) return count;
  cudaGetLastError();
  if (why_none) *why_none = explain(result);
  return 0;
}

DeviceInfo describe_card(int number) {
  const UseCard use(number);
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, number), "describing the CUDA device");
  DeviceInfo info;
  info.name = properties.name;
  info.major = properties.major, info.minor = properties.minor;
  check(cudaMemGetInfo(&info.free_bytes, &info.total_bytes), "asking for the memory of the CUDA device");
  return info;
}

void copy_bytes(int number, void* to, const void* from, std::size_t bytes, void* stream) {
  const UseCard use(number);
  const cudaStream_t queue = static_cast<cudaStream_t>(stream);
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, queue), "copying an array");
  check(cudaStreamSynchronize(queue), "copying an array");
}

std::shared_ptr<std::uint8_t> allocate_bytes(int number, std::size_t bytes) {
  const UseCard use(number);
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "taking memory of the CUDA device");
  return std::shared_ptr<std::uint8_t>(static_cast<std::uint8_t*>(memory),
                                       [](std::uint8_t* taken) { cudaFree(taken); });
}

void wait_for_stream(int number, void* stream) {
  const UseCard use(number);
  check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "waiting for the CUDA stream");
}

int find_card_of(const void* address) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
    cudaGetLastError();
    return -1;
  }
  const bool is_on_card = attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
  return is_on_card ? attributes.device : -1;
}

}  // namespace torsor::gpu::cuda
