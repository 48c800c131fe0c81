#include <cfloat>
#include <cmath>

#include "ladder.hpp"
#include "ridgelet/activation/activation.hpp"
#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/target/gaussian_process.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::app {

namespace {

/// How many of four rules of IEEE 754 are broken, for instance by a library that was compiled for speed at any price.
double broken_rules_of_doubles(std::uint64_t) {
  const volatile double zero = 0, one = 1, half_step = DBL_EPSILON / 2, least = DBL_MIN;
  const bool ties_to_even = one + half_step == one && one + 3 * half_step == one + 4 * half_step;
  const bool subnormals = least / 2 > 0;
  const bool not_a_number = std::isnan(zero / zero);
  return !ties_to_even + !subnormals + !not_a_number + (one + DBL_EPSILON == one);
}

double vector_code_error(std::uint64_t) {
  const Vector z = Vector::LinSpaced(4001, -30, 30);
  double largest = 0;
  for (const std::string& name : activation_names()) {
    const Activation activation(name);
    Vector phi(z.size()), slope(z.size());
    activation.phi({z.data(), 4001}, {phi.data(), 4001});
    activation.derivative({z.data(), 4001}, {slope.data(), 4001});
    for (Index i = 0; i < z.size(); ++i) {
      const double expected = activation.phi_scalar(z(i)),
                   expected_slope = activation.derivative_scalar(z(i));
      largest = std::max({largest, std::abs(phi(i) - expected) / std::max(1.0, std::abs(expected)),
                          std::abs(slope(i) - expected_slope)});
    }
  }
  return largest;
}

/// K x - b for x = K^{-1} b, summed by plain loops.
double linear_solve_error(std::uint64_t seed) {
  constexpr Index n = 150;
  const Matrix F = numbers_from(seed, 1, n, n);
  Matrix K = F * F.transpose();
  K.diagonal().array() += n;
  const Vector b = numbers_from(seed, 2, n), x = Cholesky::of(K)->solve(b);
  double largest = 0;
  for (Index i = 0; i < n; ++i) {
    double sum = -b(i);
    for (Index j = 0; j < n; ++j) sum += K(i, j) * x(j);
    largest = std::max(largest, std::abs(sum));
  }
  return largest / b.cwiseAbs().maxCoeff();
}

double kernel_error(std::uint64_t seed) {
  struct Form {
    std::string name;
    double (*correlation)(double r);
  };
  const std::vector<Form> forms = {
      {"se", [](double r) { return std::exp(-r * r / 2); }},
      {"matern12", [](double r) { return std::exp(-r); }},
      {"matern32", [](double r) { return (1 + std::sqrt(3) * r) * std::exp(-std::sqrt(3) * r); }},
      {"matern52",
       [](double r) { return (1 + std::sqrt(5) * r + 5 * r * r / 3) * std::exp(-std::sqrt(5) * r); }},
      {"rq", [](double r) { return 1 / (1 + r * r / 2); }}};
  const Matrix X = numbers_from(seed, 3, 20, 2);
  double largest = 0;
  for (const Form& form : forms) {
    const Matrix K = parse_kernel(form.name + "(amplitude=2, lengthscale=0.7)").matrix(X, X);
    for (Index i = 0; i < X.rows(); ++i)
      for (Index j = 0; j < X.rows(); ++j) {
        const double expected = 4 * form.correlation((X.row(i) - X.row(j)).norm() / 0.7);
        largest = std::max(largest, std::abs(K(i, j) - expected) / 4);
      }
  }
  return largest;
}

double kernel_slope_error(std::uint64_t seed) {
  const Kernel k = parse_kernel(
      "se(lengthscale=[0.8, 2]) * periodic(period=1.7) + rq(alpha=0.6) + matern52(amplitude=0.4) + linear()");
  const Matrix X = numbers_from(seed, 4, 8, 2);
  const std::vector<KernelParameter> parameters = k.parameters();
  Vector values(static_cast<Index>(parameters.size()));
  for (Index p = 0; p < values.size(); ++p) values(p) = parameters[static_cast<std::size_t>(p)].value;
  constexpr double step = 1e-5;
  double largest = 0;
  k.visit_derivatives(X, X, [&](Index p, const Matrix& derivative) {
    Vector more = values, less = values;
    more(p) *= std::exp(step);
    less(p) *= std::exp(-step);
    const Matrix difference = k.with_parameters(more).matrix(X, X) - k.with_parameters(less).matrix(X, X);
    largest = std::max(largest, distance(derivative, difference / (2 * step)));
  });
  return largest;
}

/// One datum y at 0: mean k y / (k0 + s^2), variance k0 - k^2 / (k0 + s^2).
double one_datum_error(std::uint64_t) {
  const GaussianProcess process{.kernel = parse_kernel("se(amplitude=2)")};
  const GaussianProcessPosterior posterior(process, Matrix::Zero(1, 1), Vector::Constant(1, 1.5), 0.5);
  const Matrix x = Matrix::Constant(1, 1, 0.8);
  const double k = 4 * std::exp(-0.32), C = 4.25;
  const double log_evidence = -0.5 * (2.25 / C + std::log(2 * M_PI * C));
  return std::max({std::abs(posterior.mean(x)(0) - k * 1.5 / C),
                   std::abs(posterior.variance(x)(0) - (4 - k * k / C)),
                   std::abs(posterior.log_marginal_likelihood() - log_evidence)});
}

/// log p(y) against the sum of log p(y_i | y_1 .. y_{i-1}).
double evidence_error(std::uint64_t seed) {
  constexpr Index M = 25;
  constexpr double noise = 0.2;
  const GaussianProcess process{.kernel = parse_kernel("matern52()"), .mean = MeanFunction("sin(x1)")};
  const Matrix X = 2 * numbers_from(seed, 5, M);
  const Vector y = numbers_from(seed, 6, M);
  double sum = 0;
  for (Index i = 0; i < M; ++i) {
    const Matrix next = X.row(i);
    double mean = process.mean(next)(0), variance = process.kernel.diagonal(next)(0);
    if (i > 0) {
      const GaussianProcessPosterior before(process, X.topRows(i), y.head(i), noise);
      mean = before.mean(next)(0);
      variance = before.variance(next)(0);
    }
    variance += noise * noise;
    sum -= 0.5 * ((y(i) - mean) * (y(i) - mean) / variance + std::log(2 * M_PI * variance));
  }
  const double whole = GaussianProcessPosterior(process, X, y, noise).log_marginal_likelihood();
  return std::abs(whole - sum) / std::abs(sum);
}

}  // namespace

std::vector<Rung> arithmetic_rungs() {
  return {
      exact_rung("doubles", "this processor's rounding with IEEE 754", 0, broken_rules_of_doubles),
      exact_rung("activations", "vector code with the scalar formula of every activation", 1e-13,
                 vector_code_error),
      exact_rung("linear solve", "K x with b, summed by plain loops", 1e-12, linear_solve_error),
      exact_rung("kernels", "matrices with closed forms", 1e-14, kernel_error),
      exact_rung("kernel slopes", "derivatives with central differences", 1e-6, kernel_slope_error),
      exact_rung("process, one datum", "mean, variance and evidence with closed forms", 1e-13,
                 one_datum_error),
      exact_rung("process, evidence", "log p(y) with the sum of its conditionals", 1e-10, evidence_error),
  };
}

}  // namespace ridgelet::app
