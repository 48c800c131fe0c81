/// The kinds of parameter a covariance function has, and what holds for all of them.
///
/// A kernel lists its parameters once, in `parameters(self, visit)`; parsing, printing and validation all
/// walk that list, and so does anything else that needs them by name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// One lengthscale for all inputs, or one for each input that is active.
struct Lengthscale {
  std::vector<double> values = {1.0};

  constexpr Lengthscale() = default;
  constexpr Lengthscale(double value) : values{value} {}
  constexpr Lengthscale(std::vector<double> each) : values(std::move(each)) {}

  double of(std::size_t input) const { return values.size() == 1 ? values[0] : values[input]; }
};

/// The inputs that a kernel sees, counted from 1 as in `active=[1,3]`; empty means all of them.
struct ActiveInputs {
  std::vector<Index> inputs = {};

  /// The columns of the active inputs among d, counted from 0.
  std::vector<Index> columns(Index d) const;
};

/// Other units for inputs and response: x' = centre + scale x for each input, f' = response f.
struct UnitChange {
  Vector centre;
  Vector scale;
  double response = 1;

  /// The scale of the active inputs if it is the same for all of them.
  std::optional<double> common_scale(const ActiveInputs& active) const;
};

/// Squared distances |(x_i - x'_j) / lengthscale|^2 over the active inputs, M1 x M2; at most 1e300.
Matrix scaled_squared_distances(const MatrixView& X1, const MatrixView& X2, const Lengthscale& lengthscale,
                                const ActiveInputs& active);

/// Column j of the same for X1 = X2 = X from the diagonal downwards: rows j, ..., M - 1.
void scaled_squared_distances_below(const MatrixView& X, Index j, const Lengthscale& lengthscale,
                                    const std::vector<Index>& columns, Vector& r2);

/// Parameter text and rules, one overload for each kind. The validators throw InvalidArgument about `kernel`,
/// and `where` is "se: lengthscale" or the like.
std::string parameter_text(double value);
std::string parameter_text(const Lengthscale& lengthscale);
std::string parameter_text(const ActiveInputs& active);
void validate_parameter(const std::string& where, double value);
void validate_parameter(const std::string& where, const Lengthscale& lengthscale);
void validate_parameter(const std::string& where, const ActiveInputs& active);

/// Throws unless a kernel with these parameters is defined on d inputs.
void validate_inputs(const std::string& kernel, const Lengthscale& lengthscale, const ActiveInputs& active,
                     Index d);

}  // namespace ridgelet
