/// sigma_w, the scale of the hidden weights: one number for all inputs, or one for each.
///
/// In text: "3" or "3,1".
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

class Bandwidth {
 public:
  Bandwidth(double for_all) : values_{for_all} {}
  Bandwidth(std::initializer_list<double> each) : values_(each) {}
  Bandwidth(std::vector<double> each) : values_(std::move(each)) {}

  /// The bandwidth of input k.
  double operator[](Index k) const {
    return values_.size() == 1 ? values_[0] : values_[static_cast<std::size_t>(k)];
  }

  /// The product over d inputs.
  double product(Index d) const;
  double smallest() const;
  double largest() const;

  /// X with column k multiplied by the bandwidth of input k.
  Matrix scale(const MatrixView& X) const;

  std::string text() const;

  bool operator==(const Bandwidth&) const = default;

  /// Throws InvalidArgument about `argument` unless the text is a number or several with commas between.
  static Bandwidth parse(std::string_view text, const std::string& argument);

  /// Throws InvalidArgument about "sigma_w" unless all are positive and there is one, or one for each of d
  /// inputs.
  void validate(Index d) const;

 private:
  std::vector<double> values_;
};

}  // namespace ridgelet
