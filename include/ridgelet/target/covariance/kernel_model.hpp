/// How a struct that models CovarianceFunction becomes a Kernel: what follows from its list of parameters and, for
/// a stationary one, from its correlation.
#pragma once

#include <utility>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

/// The inputs a kernel sees.
template <NamedKernel K>
ActiveInputs active_inputs(const K& k) {
  ActiveInputs active;
  K::parameters(k, [&]<class Value>(std::string_view, const Value& value) {
    if constexpr (std::same_as<Value, ActiveInputs>) active = value;
  });
  return active;
}

/// "se(amplitude=1, lengthscale=1.5)".
template <NamedKernel K>
std::string describe(const K& k) {
  std::string list;
  K::parameters(k, [&](std::string_view name, const auto& value) {
    const std::string shown = parameter_text(value);
    if (shown.empty()) return;
    if (!list.empty()) list += ", ";
    list.append(name).append("=").append(shown);
  });
  return std::string(K::name) + "(" + list + ")";
}

/// The numbers of one parameter, appended to a list.
void append_parameter(std::vector<KernelParameter>& list, std::string_view name, double value,
                      const ActiveInputs& active);
void append_parameter(std::vector<KernelParameter>& list, std::string_view name,
                      const Lengthscale& lengthscale, const ActiveInputs& active);
inline void append_parameter(std::vector<KernelParameter>&, std::string_view, const ActiveInputs&,
                             const ActiveInputs&) {}

/// slope(i, j) (x_i - x'_j)^2 / l^2 for every lengthscale: over each input, or over all at once if they share one.
/// Where the slope is 0, so is the product. Numbers the derivatives p, p + 1, ..., and returns how many there were.
Index visit_lengthscale_derivatives(const Matrix& slope, const MatrixView& X1, const MatrixView& X2,
                                    const Lengthscale& lengthscale, const ActiveInputs& active, Index p,
                                    const DerivativeVisitor& visit);

/// amplitude^2 rho(r^2).
template <StationaryKernel K>
struct StationaryValues {
  const K& k;
  Matrix r2;

  StationaryValues(const K& kernel, const MatrixView& X1, const MatrixView& X2)
      : k(kernel), r2(scaled_squared_distances(X1, X2, kernel.lengthscale, kernel.active)) {}

  template <class Function>
  Matrix scaled(double factor, Function&& of_r2) const {
    const double scale = factor * k.amplitude * k.amplitude;
    return r2.unaryExpr([&](double s) { return scale * of_r2(s); });
  }

  Matrix values(double factor = 1) const {
    return scaled(factor, [this](double s) { return k.correlation(s); });
  }

  /// -2 a^2 rho'(r^2); between equal points, where it need not be finite and is multiplied by 0, it counts as 0.
  Matrix lengthscale_slope() const {
    return scaled(-2, [this](double s) { return s == 0 ? 0 : k.correlation_slope(s); });
  }
};

template <StationaryKernel K>
Index visit_log_derivatives(const K& k, const MatrixView& X1, const MatrixView& X2,
                            const DerivativeVisitor& visit) {
  const StationaryValues<K> at(k, X1, X2);
  Index p = 0;
  K::parameters(k, [&]<class Value>(std::string_view name, const Value&) {
    if constexpr (std::same_as<Value, Lengthscale>)
      p += visit_lengthscale_derivatives(at.lengthscale_slope(), X1, X2, k.lengthscale, k.active, p, visit);
    if constexpr (std::same_as<Value, double>) {
      if (name == "amplitude")
        visit(p, at.values(2));
      else if constexpr (HasShapeSlope<K>)
        visit(p, at.scaled(1, [&](double s) { return k.shape_slope(s); }));
      ++p;
    }
  });
  return p;
}

template <ListedKernel K>
Index visit_log_derivatives(const K& k, const MatrixView& X1, const MatrixView& X2,
                            const DerivativeVisitor& visit) {
  Index p = 0;
  K::parameters(k, [&]<class Value>(std::string_view name, const Value&) {
    if constexpr (std::same_as<Value, double>) {
      if (name == "amplitude")
        visit(p, 2 * k.matrix(X1, X2));
      else if constexpr (HasLogDerivative<K>)
        visit(p, k.log_derivative(name, X1, X2));
      ++p;
    }
  });
  return p;
}

/// Adds slope_i (x_i - x_j)^2 / l^2, i = j, ..., M - 1, to the sum of every lengthscale.
void add_lengthscale_sums(const Vector& slope, const Vector& r2, const MatrixView& X, Index j,
                          const Lengthscale& lengthscale, const std::vector<Index>& columns,
                          std::vector<double>& sums);

/// sum_ij W_ij D_ij for two symmetric matrices, of which the lower triangles are read.
double symmetric_sum(const Matrix& W, const Matrix& D);

/// The sums of Kernel::contract_derivatives, a column of the lower triangle at a time.
template <StationaryKernel K>
void contract_log_derivatives(const K& k, const MatrixView& X, const Matrix& W, std::vector<double>& sums) {
  const std::vector<Index> columns = k.active.columns(X.cols());
  const double variance = k.amplitude * k.amplitude;
  double amplitude = 0, shape = 0;
  std::vector<double> lengthscales(k.lengthscale.values.size());
  Vector r2, w, slope;
  for (Index j = 0; j < X.rows(); ++j) {
    throw_if_cancelled();
    scaled_squared_distances_below(X, j, k.lengthscale, columns, r2);
    w = 2 * variance * W.col(j).tail(r2.size());
    w(0) /= 2;
    amplitude += w.dot(r2.unaryExpr([&](double s) { return 2 * k.correlation(s); }));
    slope = w.cwiseProduct(r2.unaryExpr([&](double s) { return s == 0 ? 0 : -2 * k.correlation_slope(s); }));
    add_lengthscale_sums(slope, r2, X, j, k.lengthscale, columns, lengthscales);
    if constexpr (HasShapeSlope<K>) shape += w.dot(r2.unaryExpr([&](double s) { return k.shape_slope(s); }));
  }
  K::parameters(k, [&]<class Value>(std::string_view name, const Value&) {
    if constexpr (std::same_as<Value, Lengthscale>)
      sums.insert(sums.end(), lengthscales.begin(), lengthscales.end());
    if constexpr (std::same_as<Value, double>) sums.push_back(name == "amplitude" ? amplitude : shape);
  });
}

template <ListedKernel K>
void contract_log_derivatives(const K& k, const MatrixView& X, const Matrix& W, std::vector<double>& sums) {
  visit_log_derivatives(k, X, X, [&](Index, const Matrix& dK) { sums.push_back(symmetric_sum(W, dK)); });
}

/// The lengthscale in other units of the inputs.
Lengthscale in_units(const Lengthscale& lengthscale, const ActiveInputs& active, const UnitChange& units);

template <class K>
struct Kernel::Model final : Concept {
  explicit Model(K value) : k(std::move(value)) {}

  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const override {
    if constexpr (StationaryKernel<K>)
      return StationaryValues<K>(k, X1, X2).values();
    else
      return k.matrix(X1, X2);
  }

  Vector diagonal(const MatrixView& X) const override {
    if constexpr (StationaryKernel<K>)
      return Vector::Constant(X.rows(), k.amplitude * k.amplitude * k.correlation(0));
    else
      return k.diagonal(X);
  }

  std::string text() const override {
    if constexpr (NamedKernel<K>)
      return describe(k);
    else
      return k.text();
  }

  void validate() const override {
    if constexpr (NamedKernel<K>)
      K::parameters(k, [](std::string_view name, const auto& value) {
        validate_parameter(std::string(K::name) + ": " + std::string(name), value);
      });
  }

  void validate_dimension(Index d) const override {
    if constexpr (StationaryKernel<K>)
      validate_inputs(std::string(K::name), k.lengthscale, k.active, d);
    else if constexpr (NamedKernel<K>)
      validate_inputs(std::string(K::name), {}, active_inputs(k), d);
    else
      k.validate_dimension(d);
  }

  void list_parameters(std::vector<PartParameters>& list) const override {
    if constexpr (NamedKernel<K>) {
      PartParameters part{.part = std::string(K::name), .parameters = {}};
      const ActiveInputs active = active_inputs(k);
      K::parameters(k, [&](std::string_view name, const auto& value) {
        append_parameter(part.parameters, name, value, active);
      });
      list.push_back(std::move(part));
    }
  }

  Kernel replace_parameters(ValueReader& values) const override {
    K other = k;
    if constexpr (NamedKernel<K>)
      K::parameters(other, [&]<class Value>(std::string_view, Value& target) {
        if constexpr (std::same_as<Value, double>) target = values.read();
        if constexpr (std::same_as<Value, Lengthscale>)
          for (double& each : target.values) each = values.read();
      });
    return other;
  }

  Index visit_derivatives(const MatrixView& X1, const MatrixView& X2,
                          const DerivativeVisitor& visit) const override {
    if constexpr (NamedKernel<K>)
      return visit_log_derivatives(k, X1, X2, visit);
    else
      return 0;
  }

  void contract_derivatives(const MatrixView& X, const Matrix& W, std::vector<double>& sums) const override {
    if constexpr (NamedKernel<K>) contract_log_derivatives(k, X, W, sums);
  }

  std::optional<Kernel> in_units(const UnitChange& units) const override {
    std::optional<K> other;
    if constexpr (StationaryKernel<K>) {
      other = k;
      other->lengthscale = ridgelet::in_units(k.lengthscale, k.active, units);
    } else if constexpr (HasOtherUnits<K>) {
      other = k.with_inputs_in(units);
    }
    if constexpr (NamedKernel<K>)
      if (other) other->amplitude *= units.response;
    return other ? std::optional<Kernel>(*other) : std::nullopt;
  }

  K k;
};

}  // namespace ridgelet
