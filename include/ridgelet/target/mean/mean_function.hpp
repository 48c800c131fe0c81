/// A function of the inputs written as text: the target's mean, and the g of outer(g).
///
/// "0.06*x", "sin(2*pi*x1) + x2^2": any expression in x1, x2, ... (x is x1) that muParser reads, with the
/// constants pi and e, of at most 10,000 characters and 100 parentheses inside each other. Line breaks and tabs
/// count as spaces. Evaluation is thread-safe: each call works on its own copy of the parser.
///
/// The numbers in the text are the function's coefficients, which can be learned: 0.06 and -3 of "0.06*x + (-3)", each
/// with the sign that belongs to it. A number right after ^ is not one of them: the 2 of x^2 is part of the shape.
#pragma once

#include <memory>
#include <string>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// Limits of every expression that a person writes, of kernels too.
inline constexpr std::size_t longest_expression = 10'000;
inline constexpr int deepest_parentheses = 100;

/// Throws InvalidArgument about `argument` if an expression is too long.
void require_expression_length(std::size_t characters, const std::string& argument);

class MeanFunction {
 public:
  /// Throws InvalidArgument about `argument` that points at the column of the first error; `offset` is where
  /// the text starts within a longer one.
  explicit MeanFunction(std::string text = "0", const std::string& argument = "mean", std::size_t offset = 0);

  /// Values at the rows of X.
  Vector operator()(const MatrixView& X) const;

  /// The expression as it was written, on one line.
  const std::string& text() const;

  /// The numbers in the text, from left to right.
  Vector coefficients() const;

  /// The same expression with other coefficients. Throws InvalidArgument if there are too few or too many of them, or
  /// one is not finite.
  MeanFunction with_coefficients(const VectorView& values) const;

  /// d m(x) / d c at every row of X for every coefficient, M x coefficients. Where the expression is linear in c, the
  /// difference over a wide step is the derivative but for rounding; otherwise central differences are extrapolated to
  /// step 0 (Ridders, 1982), with an error of about 1e-10 of the function's size. NaN where there is no derivative.
  Matrix derivatives(const MatrixView& X) const;

  /// Throws InvalidArgument about `argument` if the expression uses an input beyond the d there are.
  void validate_dimension(Index d, const std::string& argument) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace ridgelet
