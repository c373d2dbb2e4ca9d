// Memory and streams of a device, for whoever hands arrays in and out. Every call returns when it is done.
#pragma once

#include "torsor/gpu/device_batch.hpp"

namespace torsor::gpu {

// "cuda:1"
std::string to_text(Device device);

// Throws Error for a device that this machine, or this build, does not have; the message says what there is.
void require_device(Device device);

// Copies between any two addresses of the device and the processor, after the work that `stream` holds.
void copy_bytes(Device device, void* to, const void* from, std::size_t bytes, void* stream = nullptr);
std::shared_ptr<std::uint8_t> allocate_bytes(Device device, std::size_t bytes);
void wait_for_stream(Device device, void* stream);
// The number of the card whose memory is at this address, or -1.
int find_card_of(const void* address);

// What the compiled CUDA sources implement; without them there are no cards.
namespace cuda {
int count_cards(std::string* why_none);
DeviceInfo describe_card(int number);
void copy_bytes(int number, void* to, const void* from, std::size_t bytes, void* stream);
std::shared_ptr<std::uint8_t> allocate_bytes(int number, std::size_t bytes);
void wait_for_stream(int number, void* stream);
int find_card_of(const void* address);
}  // namespace cuda

}  // namespace torsor::gpu
