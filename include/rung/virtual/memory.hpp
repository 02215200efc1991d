// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the vocabulary for the virtual GPU: shared and global memory. A shared<T> is a value in
// the block's scratch, a global<T> a pointer that remembers its allocation; reading and writing
// them is checked (access.hpp). Neither can be copied by accident: write `T v = x[i];`.
#pragma once
#include "access.hpp"

namespace rung {

/// Uninitialized room for a value.
template <class T>
union room_for {
  T value;
  unsigned char bytes[sizeof(T)];
  room_for() {}
};

/// What lies in shared memory: a member of a scratch struct, `shared<float[32]> totals;`.
template <class T>
class shared {
  static_assert(std::is_trivially_copyable_v<T>, "shared memory holds trivially copyable values");

 public:
  shared(const shared&) = delete;  // made by nobody: scratch<S>() says where it lies
  operator T() const {
    room_for<T> v;
    virtual_gpu::read_shared(this, &v, sizeof(T));
    return v.value;
  }
  shared& operator=(const T& v) {
    virtual_gpu::write_shared(this, &v, sizeof(T));
    return *this;
  }
  shared& operator=(const shared& other) { return *this = T(other); }
  template <class U>
  shared& operator+=(const U& v) {
    return *this = T(T(*this) + v);
  }
  template <class U>
  shared& operator-=(const U& v) {
    return *this = T(T(*this) - v);
  }
  template <class U>
  shared& operator|=(const U& v) {
    return *this = T(T(*this) | v);
  }

 private:
  T value_;
};

template <class T, std::size_t N>
class shared<T[N]> {
 public:
  shared(const shared&) = delete;
  shared<T>& operator[](virtual_gpu::at index) {
    auto& m = virtual_gpu::here();
    auto& t = begin_word(m, "shared memory", index.where);
    if (index.i < 0 || std::size_t(index.i) >= N)
      m.stop(t, "shared memory out of bounds: index ", index.i, " of an array of ", N);
    t.indexed = &cells_[index.i];
    return cells_[index.i];
  }
  const shared<T>& operator[](virtual_gpu::at index) const {
    return const_cast<shared&>(*this)[index];
  }

 private:
  shared<T> cells_[N];
};

/// Part of an array in shared memory.
template <class T>
class shared_view {
 public:
  shared_view(void* first, std::size_t count)
      : first_(static_cast<unsigned char*>(first)), begin_(0), end_(std::ptrdiff_t(count)) {}
  template <std::size_t N>
  shared_view(shared<T[N]>& array) : shared_view(&array, N) {}

  shared<T>& operator[](virtual_gpu::at index) const {
    auto& m = virtual_gpu::here();
    auto& t = begin_word(m, "shared memory", index.where);
    if (index.i < begin_ || index.i >= end_)
      m.stop(t, "shared memory out of bounds: index ", index.i, " of a view of ", end_);
    unsigned char* place = first_ + index.i * std::ptrdiff_t(sizeof(T));
    if (reinterpret_cast<std::uintptr_t>(place) % alignof(T) != 0)
      m.stop(t, "misaligned: a shared value that needs ", alignof(T), " bytes");
    auto* cell = reinterpret_cast<shared<T>*>(place);
    t.indexed = cell;
    return *cell;
  }
  shared_view operator+(std::ptrdiff_t n) const {
    shared_view moved = *this;
    moved.first_ += n * std::ptrdiff_t(sizeof(T));
    moved.begin_ -= n;
    moved.end_ -= n;
    return moved;
  }

 private:
  template <class U, class V>
  friend shared_view<U> as(shared_view<V> x);
  unsigned char* first_;
  std::ptrdiff_t begin_, end_;
};

/// The block's scratch, `bytes_in` bytes after its begin, as a struct. The launch gives its size.
template <class S>
S& scratch(std::size_t bytes_in = 0, virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  auto& t = begin_word(m, "scratch", where);
  auto& memory = t.home->memory;
  if (bytes_in + sizeof(S) > memory.size())
    m.stop(t, "out of bounds: scratch of ", sizeof(S), " bytes at byte ", bytes_in,
           ", but the launch gave ", memory.size(), " bytes");
  if (bytes_in % alignof(S) != 0)
    m.stop(t, "misaligned: scratch that needs ", alignof(S), " bytes at byte ", bytes_in);
  return *reinterpret_cast<S*>(memory.begin() + bytes_in);
}
/// The block's scratch, `bytes_in` bytes after its begin, as `count` values.
template <class T>
shared_view<T> scratch_array(std::size_t count, std::size_t bytes_in = 0,
                             virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  auto& t = begin_word(m, "scratch_array", where);
  auto& memory = t.home->memory;
  if (bytes_in + count * sizeof(T) > memory.size())
    m.stop(t, "out of bounds: scratch of ", count * sizeof(T), " bytes at byte ", bytes_in,
           ", but the launch gave ", memory.size(), " bytes");
  return {memory.begin() + bytes_in, count};
}

/// x[i] of a global<T>: reads when it becomes a T, writes when it is assigned to.
template <class T>
class global_place {
  using value = std::remove_const_t<T>;

 public:
  global_place(T* place, virtual_gpu::allocation* home, const virtual_gpu::place& where)
      : place_(place), home_(home), where_(where) {}
  global_place(const global_place&) = delete;
  operator value() && { return load("global memory"); }
  void operator=(const value& v) && { store("global memory", v); }
  void operator=(global_place&& other) && { store("global memory", value(std::move(other))); }
  template <class U>
  void operator+=(const U& v) && {
    store("global memory", value(load("global memory") + v));
  }

  // for the words
  value load(const char* word) const {
    room_for<value> v;
    auto& m = virtual_gpu::here();
    m.drift();
    load_global(m, word, where_, home_, place_, &v, sizeof(T), alignof(T));
    return v.value;
  }
  void store(const char* word, const value& v) const {
    virtual_gpu::store_global(word, where_, home_, place_, &v, sizeof(T), alignof(T));
  }
  T* address() const { return place_; }
  virtual_gpu::allocation* home() const { return home_; }

 private:
  T* place_;
  virtual_gpu::allocation* home_;
  virtual_gpu::place where_;
};

/// An array in global memory, as kernels take it: x[i] is a place to read and write.
template <class T>
class global {
 public:
  global() = default;
  global(std::nullptr_t) {}
  global(T* first) : first_(first), home_(virtual_gpu::allocations::all().find(first)) {}
  template <class U>
    requires(std::is_convertible_v<U*, T*> && !std::is_same_v<U, T>)
  global(global<U> other) : first_(other.data()), home_(other.home()) {}
  global(T* first, virtual_gpu::allocation* home) : first_(first), home_(home) {}

  global_place<T> operator[](virtual_gpu::at index) const {
    return {address(index.i), home_, index.where};
  }
  global operator+(std::ptrdiff_t n) const { return {address(n), home_}; }
  global operator-(std::ptrdiff_t n) const { return {address(-n), home_}; }
  std::ptrdiff_t operator-(global other) const { return first_ - other.first_; }
  global& operator+=(std::ptrdiff_t n) { return *this = *this + n; }
  explicit operator bool() const { return first_ != nullptr; }
  bool operator==(const global& other) const { return first_ == other.first_; }

  T* data() const { return first_; }
  virtual_gpu::allocation* home() const { return home_; }

 private:
  T* address(std::ptrdiff_t i) const {  // by number: it may point anywhere until it is used
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(first_) +
                                std::uintptr_t(i) * sizeof(T));
  }
  T* first_ = nullptr;
  virtual_gpu::allocation* home_ = nullptr;
};

/// The array as an array of U: `as<pack<float, 4>>(x)[i]` is four neighbours in one access.
template <class U, class T>
global<U> as(global<T> x) {
  static_assert(std::is_const_v<U> || !std::is_const_v<T>, "as<U> of const values needs a const U");
  return {reinterpret_cast<U*>(x.data()), x.home()};
}
template <class U, class T>
shared_view<U> as(shared_view<T> x) {
  return {x.first_, std::size_t(x.end_) * sizeof(T) / sizeof(U)};
}
template <class U, class T, std::size_t N>
shared_view<U> as(shared<T[N]>& x) {
  return as<U>(shared_view<T>(x));
}

// ---------------------------------------------------------------- loads and stores with a hint

/// Read once: first in line to leave the caches. Values of 1, 2, 4, 8, 16 bytes, or made of them.
template <class T>
std::remove_cv_t<T> load_streaming(const global_place<T>& place) {
  return place.load("load_streaming");
}
/// Nobody writes this during the kernel: the read-only path of the first-level cache.
template <class T>
std::remove_cv_t<T> load_read_only(const global_place<T>& place) {
  auto v = place.load("load_read_only");
  auto& m = virtual_gpu::here();
  const auto* address = reinterpret_cast<const unsigned char*>(place.address());
  if (const auto found = m.global.stored(*place.home(), address, sizeof(T)))
    m.stop(m.running(),
           "load_read_only of memory that this kernel writes: ", virtual_gpu::author_of{m, *found});
  return v;
}
/// From the second-level cache, where all blocks meet.
template <class T>
std::remove_cv_t<T> load_uncached(const global_place<T>& place) {
  return place.load("load_uncached");
}
/// Written once, not read again soon.
template <class T>
void store_streaming(const global_place<T>& place, const std::type_identity_t<T>& value) {
  place.store("store_streaming", value);
}
/// In the widest words that the type's alignment allows.
template <class T>
void store_wide(const global_place<T>& place, const std::type_identity_t<T>& value) {
  place.store("store_wide", value);
}
/// Asks for `bytes` bytes from here on, a multiple of 16, to come to the second-level cache.
template <class T>
void prefetch(const global_place<T>& place, unsigned bytes,
              virtual_gpu::place where = virtual_gpu::place::current()) {
  auto& m = virtual_gpu::here();
  auto& t = begin_word(m, "prefetch", where);
  if (bytes % 16 != 0 || reinterpret_cast<std::uintptr_t>(place.address()) % 16 != 0)
    m.stop(t, "prefetch takes a place aligned to 16 bytes and a multiple of 16 bytes");
}

}  // namespace rung
