#include "ridgelet/inference/posterior_draws.hpp"

#include "ridgelet/core/memory.hpp"

namespace ridgelet {

double PosteriorDraws::bytes(const LayerPrior& prior, Index outputs, Index draws,
                             const MonitoredInputs& inputs) {
  const Index monitored = outputs * (inputs.paths.rows() + 2 * inputs.points.rows());
  const auto numbers =
      static_cast<double>(prior.allocate().parameters() + prior.rank() * outputs + monitored + 3);
  return 8 * numbers * static_cast<double>(draws);
}

PosteriorDraws PosteriorDraws::allocate(const LayerPrior& prior, Index outputs, Index chains, Index draws,
                                        const MonitoredInputs& inputs) {
  const Index rows = chains * draws, parameters = prior.allocate().parameters();
  const Index coordinates = prior.rank() * outputs;
  require_memory(bytes(prior, outputs, rows, inputs), "draws",
                 std::to_string(rows) + " draws of " + std::to_string(parameters + coordinates) + " numbers");
  return {.chains = chains,
          .layers = Matrix::Zero(rows, parameters),
          .coordinates = Matrix::Zero(rows, coordinates),
          .log_likelihood = Vector::Zero(rows),
          .evaluations = Vector::Zero(rows),
          .diverging = Vector::Zero(rows),
          .functions = Matrix::Zero(rows, outputs * inputs.paths.rows()),
          .means = Matrix::Zero(rows, outputs * inputs.points.rows()),
          .sds = Matrix::Zero(rows, outputs * inputs.points.rows())};
}

void PosteriorDraws::record(const Chain& chain, SampledDensity& density, Index draw, int step_evaluations,
                            const MonitoredInputs& inputs) {
  const Index row = static_cast<Index>(chain.index()) * draws_per_chain() + draw;
  density.move_to(chain.position());
  log_likelihood(row) = chain.log_density();
  evaluations(row) = step_evaluations;
  diverging(row) = chain.diverged() ? 1 : 0;
  density.record_place(*this, row, chain.stream(Purpose::chain_coordinates), inputs);
}

void PosteriorDraws::record_network(Index row, const HiddenLayers& at, const Matrix& z,
                                    const Matrix& at_paths) {
  layers.row(row) = at.packed().transpose();
  coordinates.row(row) = z.reshaped().transpose();
  const Index P = at_paths.rows();
  for (Index k = 0; k < z.cols(); ++k)
    functions.row(row).segment(k * P, P) =
        (at_paths.col(0) + at_paths.rightCols(z.rows()) * z.col(k)).transpose();
}

void SampledDensity::move_to(const Vector& position) {
  if (here_.size() != position.size() || here_ != position) (*this)(position);
}

Matrix outputs_at(const Matrix& X, ConditionalOutput& output, Index rank) {
  Matrix values(X.rows(), 1 + rank);
  if (X.rows() > 0) output.evaluate(X, values);
  return values;
}

}  // namespace ridgelet
