/// Numbers and texts one after another in a string of bytes, for another process of the same run to read.
///
///   Packer packer;                         Unpacker unpacker(bytes);
///   packer.put(3.5);                       const auto x = unpacker.get<double>();
///   packer.put_text("co2");                const std::string name = unpacker.get_text();
///
/// The bytes do not say what they are: both sides must agree on that, and they do, since they are the same program.
/// Bytes that end early throw std::out_of_range.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

class Packer {
 public:
  template <class Value>
  requires std::is_arithmetic_v<Value>
  void put(Value value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }

  void put_text(std::string_view text) {
    put(text.size());
    bytes_.append(text);
  }

  void put_matrix(const Matrix& values) {
    put(values.rows());
    put(values.cols());
    bytes_.append(reinterpret_cast<const char*>(values.data()), bytes_of(values));
  }

  std::string take() { return std::move(bytes_); }

 private:
  static std::size_t bytes_of(const Matrix& values) {
    return sizeof(double) * static_cast<std::size_t>(values.size());
  }

  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }

  template <class Value>
  requires std::is_arithmetic_v<Value> Value get() {
    Value value;
    std::memcpy(&value, next(sizeof value), sizeof value);
    return value;
  }

  std::string get_text() {
    const auto size = get<std::size_t>();
    return {next(size), size};
  }

  Matrix get_matrix() {
    const auto rows = get<Index>(), cols = get<Index>();
    Matrix values(rows, cols);
    const std::size_t size = sizeof(double) * static_cast<std::size_t>(values.size());
    if (size > 0) std::memcpy(values.data(), next(size), size);
    return values;
  }

 private:
  const char* next(std::size_t size) {
    if (size > bytes_.size()) throw std::out_of_range("packed bytes end early");
    const char* const at = bytes_.data();
    bytes_.remove_prefix(size);
    return at;
  }

  std::string_view bytes_;
};

}  // namespace ridgelet
