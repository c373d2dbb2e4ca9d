// Results of long computations by the bytes that they were computed from, for as long as there is room.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace torsor {

// Holds at most `capacity` bytes of keys and values; what was asked for least recently goes first. Keys are compared in
// full. Any number of threads may use it.
template <class Value>
class ContentCache {
 public:
  explicit ContentCache(size_t capacity) : capacity_(capacity) {}

  // Null for a key that it does not have.
  std::shared_ptr<const Value> find(std::string_view key) {
    const size_t hash = std::hash<std::string_view>()(key);
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(hash);
    if (found == places_.end() || found->second->key != key) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->value;
  }

  // `bytes` are those of the value. Of two keys with the same hash the last one stays.
  void keep(std::string key, std::shared_ptr<const Value> value, size_t bytes) {
    bytes += key.size();
    if (bytes > capacity_) return;
    const size_t hash = std::hash<std::string_view>()(key);
    const std::lock_guard lock(mutex_);
    if (const auto known = places_.find(hash); known != places_.end()) drop(known->second);
    while (size_ + bytes > capacity_) drop(std::prev(entries_.end()));
    entries_.push_front({std::move(key), std::move(value), hash, bytes});
    places_[hash] = entries_.begin();
    size_ += bytes;
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const Value> value;
    size_t hash, bytes;
  };
  using Place = typename std::list<Entry>::iterator;
  void drop(Place entry) {
    size_ -= entry->bytes;
    places_.erase(entry->hash);
    entries_.erase(entry);
  }

  const size_t capacity_;
  size_t size_ = 0;
  std::mutex mutex_;
  std::list<Entry> entries_;  // the most recent first
  std::unordered_map<size_t, Place> places_;
};

}  // namespace torsor
