#include "ridgelet/target/lengthscales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "ridgelet/target/relevance.hpp"

namespace ridgelet {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// "se#2" of "se#2.lengthscale[1]".
std::string part_of(const KernelParameter& parameter) {
  return parameter.name.substr(0, parameter.name.find('.'));
}

}  // namespace

Vector shortest_lengthscales(const Kernel& kernel, Index d) {
  const std::vector<KernelParameter> parameters = kernel.parameters();
  std::map<std::string, double> turn;  // period / (2 pi) of each part that has a period
  std::map<std::string, bool> has_lengthscale;
  for (const KernelParameter& parameter : parameters) {
    if (parameter.kind == "period") turn[part_of(parameter)] = parameter.value / (2 * std::numbers::pi);
    if (parameter.kind == "lengthscale") has_lengthscale[part_of(parameter)] = true;
  }
  Vector shortest = Vector::Constant(d, infinity);
  for (const KernelParameter& parameter : parameters) {
    const std::string part = part_of(parameter);
    const bool alone = parameter.kind == "period" && !has_lengthscale[part];
    if (parameter.kind != "lengthscale" && !alone) continue;
    const double scale = alone ? 1 : parameter.value;
    const double length = turn.contains(part) ? turn[part] * std::min(scale, 1.0) : scale;
    for (const Index k : parameter.inputs.columns(d)) shortest(k) = std::min(shortest(k), length);
  }
  return shortest;
}

Vector turning_lengths(const Kernel& kernel, const Matrix& points, const VectorView& widths) {
  constexpr double step = 1e-3, rounding = 1e-14;
  const Vector lengthscales = shortest_lengthscales(kernel, widths.size());
  Vector shortest = Vector::Constant(widths.size(), infinity);
  for (const Kernel& term : kernel.terms()) {
    const double variance = term.diagonal(points).mean();
    for (Index i = 0; i < widths.size(); ++i) {
      const double h = step * widths(i), squares = mean_square_change(term, points, i, h);
      if (squares <= rounding * variance) continue;
      const double longest = std::isinf(lengthscales(i)) ? widths(i) : lengthscales(i);
      shortest(i) = std::min(shortest(i), longest);
      // A function may have no value past the edge.
      if (std::isfinite(squares)) shortest(i) = std::min(shortest(i), h * std::sqrt(variance / squares));
    }
  }
  return shortest;
}

}  // namespace ridgelet
