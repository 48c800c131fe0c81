/// Covariance functions: what they are, how they combine, and the type that holds any of them.
///
/// A covariance function k(x, x') is a value: a small struct with its parameters. Two kinds model the concept:
///   - StationaryKernel: amplitude^2 rho(r^2) with r the distance scaled by `lengthscale` over the `active`
///     inputs; the struct gives `correlation(r2)` and its slope.
///   - GeneralKernel: anything else; the struct gives `matrix(X1, X2)` and `diagonal(X)`.
/// Both list their parameters in `parameters(self, visit)`, and no parameter goes without its derivative: the
/// concepts ask for whatever does not follow from the rules below. To add a kernel: a header in this folder, a
/// test, and a line in the registry (src/target/kernel_expression.cpp).
///
/// Derivatives are taken with respect to the logarithm of a parameter, since every parameter is positive:
///   amplitude      d k / d log a   = 2 k                                             (it enters squared)
///   lengthscale    d k / d log l_i = -2 a^2 rho'(r^2) (x_i - x'_i)^2 / l_i^2         (one l for all: the sum over i)
///   anything else  d k / d log p   as the kernel gives it
///   sums           d (k1 + k2) = d k1 + d k2
///   products       d (k1 k2)   = k2 d k1 + k1 d k2
///
/// Sums and products of covariance functions are covariance functions; `+` and `*` make them, and text such as
/// "se(amplitude=1, lengthscale=2) * periodic(period=1) + linear(amplitude=0.3)" round-trips through parse_kernel
/// and Kernel::text.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridgelet/core/types.hpp"
#include "ridgelet/target/covariance/parameters.hpp"

namespace ridgelet {

template <class K>
concept NamedKernel = std::copyable<K> && requires(const K& k) {
  { K::name } -> std::convertible_to<std::string_view>;
  K::parameters(k, [](std::string_view, const auto&) {});
};

/// How many parameters of this kind a kernel lists.
template <class Kind, NamedKernel K>
consteval int count_parameters() {
  int count = 0;
  K kernel{};
  K::parameters(kernel,
                [&]<class Value>(std::string_view, const Value&) { count += std::same_as<Value, Kind>; });
  return count;
}

/// d rho / d log of the one number that a stationary kernel may have besides its amplitude (rq's alpha).
template <class K>
concept HasShapeSlope = requires(const K& k, double r2) {
  { k.shape_slope(r2) } -> std::same_as<double>;
};

/// d k / d log of each number that a general kernel has besides its amplitude, as a matrix, by name.
template <class K>
concept HasLogDerivative = requires(const K& k, const MatrixView& X) {
  { k.log_derivative(std::string_view(), X, X) } -> std::same_as<Matrix>;
};

/// A general kernel that may change the units of its inputs returns itself in them, or nothing if it is not possible.
template <class K>
concept HasOtherUnits = requires(const K& k, const UnitChange& units) {
  { k.with_inputs_in(units) } -> std::same_as<std::optional<K>>;
};

template <class K>
concept HasSlopeOfEveryNumber = (count_parameters<double, K>() == (HasShapeSlope<K> ? 2 : 1));

template <class K>
concept HasDerivativeOfEveryNumber = (count_parameters<Lengthscale, K>() == 0 &&
                                      (count_parameters<double, K>() == 1 || HasLogDerivative<K>));

template <class K>
concept StationaryKernel = NamedKernel<K> && HasSlopeOfEveryNumber<K> && requires(const K& k, double r2) {
  { k.correlation(r2) } -> std::same_as<double>;
  { k.correlation_slope(r2) } -> std::same_as<double>;  // d rho / d r2; need not be finite at 0
  { k.amplitude } -> std::convertible_to<double>;
  { k.lengthscale } -> std::convertible_to<Lengthscale>;
  { k.active } -> std::convertible_to<ActiveInputs>;
};

template <class K>
concept ListedKernel = NamedKernel<K> && HasDerivativeOfEveryNumber<K> && requires(const K& k) {
  { k.amplitude } -> std::convertible_to<double>;
};

/// A kernel without a list of parameters says itself what it is and on how many inputs it is defined.
template <class K>
concept ParameterFreeKernel = requires(const K& k, Index d) {
  { k.text() } -> std::same_as<std::string>;
  k.validate_dimension(d);
};

template <class K>
concept HasMatrix = std::copyable<K> && requires(const K& k, const MatrixView& X) {
  { k.matrix(X, X) } -> std::same_as<Matrix>;
  { k.diagonal(X) } -> std::same_as<Vector>;
};

template <class K>
concept GeneralKernel = HasMatrix<K> &&(ListedKernel<K> || ParameterFreeKernel<K>);

template <class K>
concept CovarianceFunction = StationaryKernel<K> || GeneralKernel<K>;

/// What a parameter is measured in: the response (amplitudes), the inputs it acts on (lengthscales, periods), nothing.
enum class ParameterUnit { response, inputs, none };

/// A parameter of a kernel: a positive number.
struct KernelParameter {
  std::string name;  ///< "se.lengthscale[2]"; "se#2.lengthscale[2]" if it belongs to the second of several se
  double value = 1;
  std::string kind;          ///< "lengthscale"
  ActiveInputs inputs = {};  ///< those it acts on; empty means all of them
  ParameterUnit unit = ParameterUnit::none;
};

/// Called once for each parameter, in the order of Kernel::parameters, with the derivative of a matrix.
using DerivativeVisitor = std::function<void(Index parameter, const Matrix& derivative)>;

/// Any covariance function, as an immutable value (copies share it).
class Kernel {
 public:
  /// Validates the parameters. K = Kernel is ruled out first: whether that is a covariance function depends on this
  /// very constructor.
  template <class K>
  requires(!std::same_as<K, Kernel> && CovarianceFunction<K>) Kernel(K k)
      : model_(std::make_shared<const Model<K>>(std::move(k))) {
    model_->validate();
  }

  /// k(X1, X2), M1 x M2. Threads compute a large matrix some columns at a time, and can be cancelled in between.
  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const;

  /// k(x, x) at each row of X, without the matrix.
  Vector diagonal(const MatrixView& X) const { return model_->diagonal(X); }

  std::string text() const { return model_->text(); }

  /// Throws InvalidArgument unless the kernel is defined on d inputs (its active inputs exist, a list of
  /// lengthscales has the right length).
  void validate_dimension(Index d) const { model_->validate_dimension(d); }

  /// All parameters, from left to right; their names are unique.
  std::vector<KernelParameter> parameters() const;

  /// The kernel of the same shape with other values, in the order of parameters(). Throws InvalidArgument if
  /// there are too few or too many of them, or one is not positive.
  Kernel with_parameters(const VectorView& values) const;

  /// d k(X1, X2) / d log p for every parameter p, one matrix at a time. Holds a few matrices of M1 x M2 for each
  /// level of nesting.
  void visit_derivatives(const MatrixView& X1, const MatrixView& X2, const DerivativeVisitor& visit) const {
    model_->visit_derivatives(X1, X2, visit);
  }

  /// sum_ij W_ij d k(x_i, x_j) / d log p for every parameter p, for a symmetric W of which the lower triangle is read:
  /// what the gradient of any function of k(X, X) is made of. For a stationary kernel it takes about as long as k(X, X)
  /// and needs no matrix; for other kernels it needs one matrix at a time.
  Vector contract_derivatives(const MatrixView& X, const Matrix& W) const;

  /// sum_ij W_ij d k(x_i, x'_j) / d log p for every parameter p, for any W of M1 x M2. Threads share the rows of X2, `rows`
  /// at a time, and each holds a few matrices of M1 x rows; the result does not depend on the number of threads.
  Vector contract_derivatives(const MatrixView& X1, const MatrixView& X2, const Matrix& W,
                              Index rows = 512) const;

  /// sum_i w_i d k(x_i, x_i) / d log p for every parameter p, `rows` of them at a time.
  Vector contract_diagonal_derivatives(const MatrixView& X, const Vector& w, Index rows = 16) const;

  /// The covariance of the same process in other units, or nothing if no kernel here has that form: the linear kernel,
  /// for example, with another origin. A shared lengthscale becomes one for each input if their units change by
  /// different factors.
  std::optional<Kernel> in_units(const UnitChange& units) const { return model_->in_units(units); }

  /// The parts of a sum in the order of their parameters, or the kernel itself. A product is one part.
  std::vector<Kernel> summands() const;

  /// The summands of the kernel. A product of sums is multiplied out if that gives at most 16 terms; otherwise it
  /// is one term.
  std::vector<Kernel> terms() const;

  /// amplitude^2 k, the kernel of `amplitude` times the process, in the same shape: by the amplitude of every summand,
  /// and in a product by that of its first factor. `outer` has none, and gets a constant as a factor.
  Kernel scaled(double amplitude) const;

  friend Kernel sum_of(const Kernel& left, const Kernel& right);
  friend Kernel product_of(const Kernel& left, const Kernel& right);

 private:
  /// The parameters of one struct within the kernel.
  struct PartParameters {
    std::string part;
    std::vector<KernelParameter> parameters;
  };

  /// A list of values from which the parts of a kernel take theirs, one after another.
  struct ValueReader {
    const VectorView& values;
    Index next = 0;
    double read() { return values(next++); }
  };

  struct Concept {
    virtual ~Concept() = default;
    virtual Matrix matrix(const MatrixView& X1, const MatrixView& X2) const = 0;
    virtual Vector diagonal(const MatrixView& X) const = 0;
    virtual std::string text() const = 0;
    virtual void validate() const = 0;
    virtual void validate_dimension(Index d) const = 0;
    virtual void list_parameters(std::vector<PartParameters>& list) const = 0;
    virtual Kernel replace_parameters(ValueReader& values) const = 0;
    virtual Index visit_derivatives(const MatrixView& X1, const MatrixView& X2,
                                    const DerivativeVisitor& visit) const = 0;
    virtual void contract_derivatives(const MatrixView& X, const Matrix& W,
                                      std::vector<double>& sums) const = 0;
    virtual std::optional<Kernel> in_units(const UnitChange& units) const = 0;
    virtual int depth() const { return 0; }
  };

  template <class K>
  struct Model;
  struct Composite;
  struct Sum;
  struct Product;

  explicit Kernel(std::shared_ptr<const Concept> model) : model_(std::move(model)) {}

  std::shared_ptr<const Concept> model_;
};

/// k1 + k2 and k1 k2. They throw InvalidArgument if sums and products are nested more than 201 deep.
Kernel sum_of(const Kernel& left, const Kernel& right);
Kernel product_of(const Kernel& left, const Kernel& right);

template <CovarianceFunction A, CovarianceFunction B>
Kernel operator+(const A& left, const B& right) {
  return sum_of(left, right);
}

template <CovarianceFunction A, CovarianceFunction B>
Kernel operator*(const A& left, const B& right) {
  return product_of(left, right);
}

}  // namespace ridgelet

#include "ridgelet/target/covariance/kernel_model.hpp"
