// A network of 300 units whose prior is a Gaussian process, and its exact error against that process.
#include <fmt/format.h>

#include <ridgelet/ridgelet.hpp>

int main() {
  using namespace ridgelet;
  const RidgeletPrior prior({
      .target = {.kernel = SquaredExponential{.amplitude = 1, .lengthscale = 1.5}},
      .nodes = grid(/*half_width=*/6, /*points_per_axis=*/200, /*dimension=*/1, /*support=*/5),
      .units = 300,
  });
  const GivenHidden given = prior.given(prior.draw_hidden(/*seed=*/1));
  const Matrix X = Vector::LinSpaced(200, -5, 5);
  fmt::print("largest_error {}\n", given.rmse(X).maxCoeff());
}
