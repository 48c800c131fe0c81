// A network of 300 units whose prior is a Gaussian process, the exact error of that, and a draw from it.
#include <fmt/core.h>

#include <ridgelet/ridgelet.hpp>

int main() {
  using namespace ridgelet;
  const RidgeletPrior prior({
      .target = {.kernel = SquaredExponential{.amplitude = 1, .lengthscale = 1.5}},
      .nodes = grid(/*half_width=*/6, /*points_per_axis=*/200, /*dimension=*/1, /*support=*/5),
      .units = 300,
  });

  const Matrix X = Vector::LinSpaced(11, -5, 5);
  const GivenHidden given = prior.given(prior.draw_hidden(/*seed=*/1));
  fmt::print("largest error against the process: {:.2g}\n", given.rmse(X).maxCoeff());

  const Network network = draw_network(prior, /*seed=*/1);
  const Matrix outputs = network(X);
  for (Index i = 0; i < X.rows(); ++i) fmt::print("f({:4.1f}) = {:7.3f}\n", X(i, 0), outputs(i, 0));
}
