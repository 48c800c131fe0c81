/// Random models for property tests: small enough that a hundred of them take a moment.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "ridgelet/core/random.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/collapsed_likelihood.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::testing {

inline std::uint64_t any_seed() {
  return static_cast<std::uint64_t>(*rc::gen::inRange(0, 1'000'000));
}

/// Log-uniform, with few digits.
inline double any_scale(double least, double most) {
  const double position = *rc::gen::inRange(0, 1001) / 1000.0;
  return least * std::pow(most / least, position);
}

inline Matrix any_inputs(Index rows, Index inputs) {
  return RandomStream{.seed = any_seed()}.normals(rows, inputs);
}

/// Sums, products and waves of inputs, of numbers between -5 and 5 and of choices between them.
inline std::string any_mean_text(int depth, Index inputs) {
  const auto part = [&] { return any_mean_text(depth - 1, inputs); };
  if (depth == 0) {
    const Index input = *rc::gen::inRange<Index>(0, inputs + 1);
    const std::string sign = *rc::gen::element<std::string>("", "-");
    return input > 0 ? "x" + std::to_string(input) : "(" + sign + shortest(any_scale(1e-3, 5)) + ")";
  }
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return "sin(" + part() + ")";
    case 1:
      return "(" + part() + ")^2";
    case 2:
      return "(" + part() + " > " + part() + " ? " + part() + " : " + part() + ")";
    case 3:
      return part() + " * (" + part() + ")";
    case 4:
      return part() + " - (" + part() + ")";
    default:
      return part() + " + " + part();
  }
}

/// Sums and products of kernels in `inputs` inputs.
inline std::string any_kernel_text(int depth, Index inputs) {
  const auto number = [] { return shortest(any_scale(0.2, 5)); };
  const auto number_of_each_input = [&] {
    std::string list = "[" + number();
    for (Index i = 1; i < inputs; ++i) list += ", " + number();
    return list + "]";
  };
  if (depth > 0 && *rc::gen::arbitrary<bool>()) {
    const std::string both = *rc::gen::arbitrary<bool>() ? " + " : " * ";
    return "(" + any_kernel_text(depth - 1, inputs) + both + any_kernel_text(depth - 1, inputs) + ")";
  }
  switch (*rc::gen::inRange(0, 13)) {
    case 0:
      return "constant(amplitude=" + number() + ")";
    case 1:
      return "linear(amplitude=" + number() + ")";
    case 2:
      return "periodic(period=" + number() + ", lengthscale=" + number() + ", active=1)";
    case 3:
      return "rq(lengthscale=" + number() + ", alpha=" + number() + ")";
    case 4:
      return "matern12(amplitude=" + number() + ", lengthscale=" + number() + ")";
    case 5:
      return "matern32(lengthscale=" + number() + ")";
    case 6:
      return "matern52(lengthscale=" + number() + ", active=1)";
    case 7:
      return "cosine(period=" + number() + ", active=1)";
    case 8:
      return "outer(" + any_mean_text(1, inputs) + " + " + number() + ")";
    case 9:
      return "white(amplitude=" + number() + ")";
    case 10:
      return "matern52(lengthscale=" + number_of_each_input() + ")";
    case 11:
      return "se(amplitude=" + number() + ", lengthscale=" + number_of_each_input() + ")";
    default:
      return "se(amplitude=" + number() + ", lengthscale=" + number() + ")";
  }
}

/// A prior in one or two inputs, of one or two layers and either operator, with sums cut into blocks of any size.
inline PriorOptions any_prior(const BlockSizes& blocks = {}) {
  const Index inputs = *rc::gen::inRange<Index>(1, 3), layers = *rc::gen::inRange<Index>(1, 3);
  const bool psi = *rc::gen::arbitrary<bool>();
  const std::string mean = *rc::gen::element<std::string>("0", "0.4*x1 - 1");
  return {.target = {.kernel = parse_kernel(any_kernel_text(1, inputs)), .mean = MeanFunction(mean)},
          .nodes = grid(3, inputs == 1 ? 9 : 4, inputs, 3),
          .activation = psi ? "tanh" : *rc::gen::element<std::string>("tanh", "erf", "sine"),
          .units = *rc::gen::inRange<Index>(4, 40),
          .layers = layers,
          .hidden = {.sigma_w = any_scale(0.5, 3), .sigma_b = any_scale(0.5, 5)},
          .op = {.name = psi ? "ridgelet" : "least-squares", .ridge = 1e-2},
          .blocks = blocks};
}

inline Data any_data(Index inputs, Index rows) {
  return {.X = any_inputs(rows, inputs),
          .Y = any_inputs(rows, 1),
          .noise = Vector::Constant(1, any_scale(0.1, 2))};
}

}  // namespace ridgelet::testing
