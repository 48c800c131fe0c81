/// Covariance functions: what they are, how they combine, and the type that holds any of them.
///
/// A covariance function k(x, x') is a value: a small struct with its parameters. Two kinds model the
/// concept:
///   - StationaryKernel: amplitude^2 rho(r^2) with r the distance scaled by `lengthscale` over the `active`
///     inputs; the struct gives `correlation(r2)`.
///   - GeneralKernel: anything else; the struct gives `matrix(X1, X2)` and `diagonal(X)`.
/// Both list their parameters in `parameters(self, visit)`. To add one: a header in this folder, a test, and
/// a line in the registry (src/target/kernel_expression.cpp).
///
/// Sums and products of covariance functions are covariance functions; `+` and `*` make them, and text such
/// as "se(amplitude=1, lengthscale=2) * periodic(period=1) + linear(amplitude=0.3)" round-trips through
/// parse_kernel and Kernel::text.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "ridgelet/core/types.hpp"
#include "ridgelet/target/covariance/parameters.hpp"

namespace ridgelet {

template <class K>
concept NamedKernel = std::copyable<K> && requires(const K& k) {
  { K::name } -> std::convertible_to<std::string_view>;
  K::parameters(k, [](std::string_view, const auto&) {});
};

template <class K>
concept StationaryKernel = NamedKernel<K> && requires(const K& k, double r2) {
  { k.correlation(r2) } -> std::same_as<double>;
  { k.amplitude } -> std::convertible_to<double>;
  { k.lengthscale } -> std::convertible_to<Lengthscale>;
  { k.active } -> std::convertible_to<ActiveInputs>;
};

template <class K>
concept GeneralKernel = std::copyable<K> && requires(const K& k, const MatrixView& X) {
  { k.matrix(X, X) } -> std::same_as<Matrix>;
  { k.diagonal(X) } -> std::same_as<Vector>;
};

template <class K>
concept CovarianceFunction = StationaryKernel<K> || GeneralKernel<K>;

/// k(X1, X2), M1 x M2.
template <StationaryKernel K>
Matrix evaluate(const K& k, const MatrixView& X1, const MatrixView& X2) {
  Matrix values = scaled_squared_distances(X1, X2, k.lengthscale, k.active);
  const double variance = k.amplitude * k.amplitude;
  return values.unaryExpr([&](double r2) { return variance * k.correlation(r2); });
}

template <GeneralKernel K>
Matrix evaluate(const K& k, const MatrixView& X1, const MatrixView& X2) {
  return k.matrix(X1, X2);
}

/// k(x, x) at each row of X, without the matrix.
template <StationaryKernel K>
Vector evaluate_diagonal(const K& k, const MatrixView& X) {
  return Vector::Constant(X.rows(), k.amplitude * k.amplitude * k.correlation(0));
}

template <GeneralKernel K>
Vector evaluate_diagonal(const K& k, const MatrixView& X) {
  return k.diagonal(X);
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

/// Throws InvalidArgument if a parameter breaks its rule.
template <NamedKernel K>
void check_parameters(const K& k) {
  K::parameters(k, [](std::string_view name, const auto& value) {
    validate_parameter(std::string(K::name) + ": " + std::string(name), value);
  });
}

/// Throws InvalidArgument unless k is defined on d inputs.
template <NamedKernel K>
void check_inputs(const K& k, Index d) {
  Lengthscale lengthscale;
  ActiveInputs active;
  K::parameters(k, [&]<class Value>(std::string_view, const Value& value) {
    if constexpr (std::same_as<Value, Lengthscale>) lengthscale = value;
    if constexpr (std::same_as<Value, ActiveInputs>) active = value;
  });
  validate_inputs(std::string(K::name), lengthscale, active, d);
}

/// Any covariance function, as an immutable value (copies share it).
class Kernel {
 public:
  /// Validates the parameters.
  template <CovarianceFunction K>
  requires(!std::same_as<K, Kernel>) Kernel(K k) : model_(std::make_shared<const Model<K>>(std::move(k))) {
    model_->validate();
  }

  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const { return model_->matrix(X1, X2); }
  Vector diagonal(const MatrixView& X) const { return model_->diagonal(X); }
  std::string text() const { return model_->text(); }

  /// Throws InvalidArgument unless the kernel is defined on d inputs (its active inputs exist, a list of
  /// lengthscales has the right length).
  void validate_dimension(Index d) const { model_->validate_dimension(d); }

  /// A sum needs parentheses as a factor of a product.
  bool is_sum() const { return model_->is_sum(); }

 private:
  struct Concept {
    virtual ~Concept() = default;
    virtual Matrix matrix(const MatrixView& X1, const MatrixView& X2) const = 0;
    virtual Vector diagonal(const MatrixView& X) const = 0;
    virtual std::string text() const = 0;
    virtual void validate() const = 0;
    virtual void validate_dimension(Index d) const = 0;
    virtual bool is_sum() const = 0;
  };

  template <class K>
  struct Model final : Concept {
    explicit Model(K value) : k(std::move(value)) {}
    Matrix matrix(const MatrixView& X1, const MatrixView& X2) const override { return evaluate(k, X1, X2); }
    Vector diagonal(const MatrixView& X) const override { return evaluate_diagonal(k, X); }
    std::string text() const override { return describe(k); }
    void validate() const override { check_parameters(k); }
    void validate_dimension(Index d) const override { check_inputs(k, d); }
    bool is_sum() const override {
      if constexpr (requires { K::is_sum; })
        return K::is_sum;
      else
        return false;
    }
    K k;
  };

  std::shared_ptr<const Concept> model_;
};

/// k1(x, x') + k2(x, x').
struct Sum {
  static constexpr bool is_sum = true;
  Kernel left, right;
  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const {
    return left.matrix(X1, X2) + right.matrix(X1, X2);
  }
  Vector diagonal(const MatrixView& X) const { return left.diagonal(X) + right.diagonal(X); }
};

/// k1(x, x') k2(x, x').
struct Product {
  Kernel left, right;
  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const {
    return left.matrix(X1, X2).cwiseProduct(right.matrix(X1, X2));
  }
  Vector diagonal(const MatrixView& X) const { return left.diagonal(X).cwiseProduct(right.diagonal(X)); }
};

std::string describe(const Sum& k);
std::string describe(const Product& k);

/// The parts were validated when they became kernels; what remains is their dimension.
template <class Pair>
requires std::same_as<Pair, Sum> || std::same_as<Pair, Product>
void check_parameters(const Pair&) {}

template <class Pair>
requires std::same_as<Pair, Sum> || std::same_as<Pair, Product>
void check_inputs(const Pair& k, Index d) {
  k.left.validate_dimension(d);
  k.right.validate_dimension(d);
}

template <CovarianceFunction A, CovarianceFunction B>
Kernel operator+(const A& left, const B& right) {
  return Sum{Kernel(left), Kernel(right)};
}

template <CovarianceFunction A, CovarianceFunction B>
Kernel operator*(const A& left, const B& right) {
  return Product{Kernel(left), Kernel(right)};
}

}  // namespace ridgelet
