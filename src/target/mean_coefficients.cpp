#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/target/mean/mean_function.hpp"

namespace ridgelet {

namespace {

struct Coefficient {
  double value = 0;
  std::size_t start = 0, length = 0;  ///< in the text, with its sign
  bool free_before = false;           ///< nothing that a sign could be mistaken with stands before it
  bool free_after = false;
};

/// The place of the last character before `at` that is not a space, or npos if there is none.
std::size_t before(const std::string& text, std::size_t at) {
  return at == 0 ? std::string::npos : text.find_last_not_of(' ', at - 1);
}

/// That character, or '(' at the start of the text.
char symbol_before(const std::string& text, std::size_t at) {
  const std::size_t place = before(text, at);
  return place == std::string::npos ? '(' : text[place];
}

char symbol_after(const std::string& text, std::size_t at) {
  const std::size_t place = text.find_first_not_of(' ', at);
  return place == std::string::npos ? ')' : text[place];
}

/// Whether a minus after this symbol is a sign and not a difference.
bool starts_an_operand(char symbol) {
  return std::string_view("(,+-*/^<>=!&|?:").find(symbol) != std::string_view::npos;
}

/// The number at text[start, stop) as a coefficient, or nothing if it is an exponent.
std::optional<Coefficient> coefficient_at(const std::string& text, std::size_t start, std::size_t stop,
                                          double value) {
  std::size_t first = start;
  char left = symbol_before(text, first);
  const bool powered = symbol_after(text, stop) == '^';
  if (left == '-') {
    const std::size_t minus = before(text, first);
    const char further = symbol_before(text, minus);
    if (further == '^') return std::nullopt;
    if (starts_an_operand(further) && !powered) {
      first = minus;
      left = further;
      value = -value;
    }
  }
  if (left == '^') return std::nullopt;
  return Coefficient{.value = value,
                     .start = first,
                     .length = stop - first,
                     .free_before = left == '(' || left == ',',
                     .free_after = !powered};
}

std::vector<Coefficient> coefficients_in(const std::string& text) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '.'; };
  std::vector<Coefficient> found;
  for (std::size_t i = 0; i < text.size();) {
    if (digit(text[i])) {
      double value = 0;
      const auto [stop, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
      const auto end = std::max(i + 1, static_cast<std::size_t>(stop - text.data()));
      if (const auto coefficient = coefficient_at(text, i, end, value); coefficient && error == std::errc{})
        found.push_back(*coefficient);
      i = end;
    } else if (letter(text[i])) {
      while (i < text.size() && (letter(text[i]) || digit(text[i]))) ++i;
    } else {
      ++i;
    }
  }
  return found;
}

/// The function with one coefficient replaced, at X; NaN where it has no value.
class AlongCoefficient {
 public:
  AlongCoefficient(const MeanFunction& mean, Index which, const MatrixView& X)
      : mean_(mean), values_(mean.coefficients()), which_(which), X_(X), centre_(values_(which)) {}

  /// (m(c + h) - m(c - h)) / 2 h.
  Vector difference(double h) {
    const double more = centre_ + h, less = centre_ - h;
    return (at(more) - at(less)) / (more - less);
  }

  /// The scale on which the coefficient is varied.
  double width() const { return std::max(std::abs(centre_), 1.0); }

 private:
  Vector at(double value) {
    values_(which_) = value;
    return mean_.with_coefficients(values_)(X_);
  }

  const MeanFunction& mean_;
  Vector values_;
  Index which_;
  const MatrixView& X_;
  double centre_;
};

/// Central differences over steps that shrink by 1.4, extrapolated in h^2; at each row the extrapolation that agrees
/// best with its neighbours in the table.
Vector extrapolated_derivative(AlongCoefficient& along, Index rows) {
  constexpr int steps = 14;
  constexpr double shrink = 1.4;
  std::vector<Vector> previous, current;
  Vector best = Vector::Constant(rows, std::numeric_limits<double>::quiet_NaN());
  Vector error = Vector::Constant(rows, std::numeric_limits<double>::infinity());
  double h = 0.25 * along.width();
  for (int i = 0; i < steps; ++i, h /= shrink) {
    current.assign(1, along.difference(h));
    double factor = shrink * shrink;
    for (int j = 1; j <= i; ++j, factor *= shrink * shrink) {
      const Vector& coarse = previous[static_cast<std::size_t>(j) - 1];
      const Vector& fine = current.back();
      current.push_back((factor * fine - coarse) / (factor - 1));
      for (Index r = 0; r < rows; ++r) {
        const double value = current.back()(r);
        const double doubt = std::max(std::abs(value - current[static_cast<std::size_t>(j) - 1](r)),
                                      std::abs(value - coarse(r)));
        if (!(doubt < error(r))) continue;
        error(r) = doubt;
        best(r) = value;
      }
    }
    previous.swap(current);
  }
  return best;
}

/// Whether two differences over different steps are the same but for rounding, at every row.
bool is_linear(const Vector& one, const Vector& other) {
  constexpr double rounding = 1e-13;
  return ((one - other).array().abs() <= rounding * one.array().abs().maxCoeff()).all();
}

}  // namespace

Vector MeanFunction::coefficients() const {
  const std::vector<Coefficient> found = coefficients_in(text());
  Vector values(static_cast<Index>(found.size()));
  std::ranges::transform(found, values.begin(), &Coefficient::value);
  return values;
}

MeanFunction MeanFunction::with_coefficients(const VectorView& values) const {
  const std::vector<Coefficient> found = coefficients_in(text());
  if (values.size() != static_cast<Index>(found.size()))
    throw InvalidArgument(
        "mean", fmt::format("has {} coefficients, and {} values were given", found.size(), values.size()));
  require_finite(values, "mean");
  std::string changed;
  std::size_t copied = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const Coefficient& each = found[k];
    const double value = values(static_cast<Index>(k));
    const bool bare = !std::signbit(value) || (each.free_before && each.free_after);
    changed += text().substr(copied, each.start - copied);
    changed += bare ? shortest(value) : "(" + shortest(value) + ")";
    copied = each.start + each.length;
  }
  return MeanFunction(changed + text().substr(copied));
}

Matrix MeanFunction::derivatives(const MatrixView& X) const {
  Matrix slopes(X.rows(), coefficients().size());
  for (Index c = 0; c < slopes.cols(); ++c) {
    AlongCoefficient along(*this, c, X);
    const Vector wide = along.difference(along.width());
    const bool linear = is_linear(wide, along.difference(along.width() / 3));
    slopes.col(c) = linear ? wide : extrapolated_derivative(along, X.rows());
  }
  return slopes;
}

}  // namespace ridgelet
