#include "ridgelet/fitting/fitted_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

/// [A m, G] as what the error needs.
Gaussian as_gaussian(const Matrix& values) {
  return {.mean = values.col(0), .factor = values.rightCols(values.cols() - 1)};
}

/// All draws of one latent function at the rows of Xs, one in each row.
Matrix draws_of_function(const FittedModel& model, const Matrix& Xs, Index output) {
  const Index K = model.latent_posterior().functions();
  if (output < 0 || output >= K)
    throw InvalidArgument("output", fmt::format("must be from 0 to {}, got {}", K - 1, output));
  return model.latent_functions(Xs).middleCols(output * Xs.rows(), Xs.rows());
}

}  // namespace

std::string hidden_layers_are(const FittedModel& model) {
  if (model.report().elbo) return "variational";
  return model.by_chains() ? "sampled" : "fixed";
}

FittedModel::FittedModel(std::shared_ptr<const Regression> regression, Posterior posterior,
                         const SamplingOptions& sampling, FitReport report)
    : regression_(std::move(regression)),
      sampled_(std::move(posterior)),
      sampling_(sampling),
      report_(std::move(report)) {}

FittedModel::FittedModel(std::shared_ptr<const Regression> regression,
                         std::shared_ptr<const ClosedFormPosterior> posterior, FitReport report)
    : regression_(std::move(regression)), closed_(std::move(posterior)), report_(std::move(report)) {}

FittedModel::FittedModel(std::shared_ptr<const Regression> regression,
                         std::shared_ptr<const LatentPosterior> posterior, FitReport report,
                         const SamplingOptions& sampling)
    : regression_(std::move(regression)),
      latent_(std::move(posterior)),
      sampling_(sampling),
      report_(std::move(report)) {}

LikelihoodPointer FittedModel::likelihood() const {
  const LikelihoodPointer& likelihood = regression_->likelihood();
  return likelihood ? in_own_units(*likelihood, regression_->output_scaling()) : nullptr;
}

Matrix FittedModel::latent_functions(const Matrix& Xs) const {
  return mixture(Xs).means;
}

Index FittedModel::components() const {
  if (latent()) return latent_->draws();
  return sampled() ? std::min(sampled_->draws().size(), PredictiveOptions{}.most_draws)
                   : static_cast<Index>(closed_->networks().size());
}

Index FittedModel::rows_per_block() const {
  constexpr Index numbers = 1 << 23, fewest = 64, most = 8192;
  return std::clamp(numbers / (components() * regression_->functions()), fewest, most);
}

PredictiveSummary FittedModel::predict(const Matrix& Xs, const PredictiveOptions& options) const {
  if (latent()) {
    validate(options);
    return summarise_functions(latent_functions(Xs), *likelihood(), options.level, !options.noise);
  }
  const Matrix x = regression_->input_scaling().apply(Xs);
  return regression_->in_table_units(sampled() ? sampled_->predict(x, options)
                                               : closed_->predict(x, options));
}

PredictiveMixture FittedModel::mixture(const Matrix& Xs, bool noise) const {
  const Matrix x = regression_->input_scaling().apply(Xs);
  if (latent()) {
    Matrix functions = latent_->functions_at(x);
    Matrix points = Matrix::Zero(functions.rows(), functions.cols());
    return regression_->in_table_units(
        PredictiveMixture{.means = std::move(functions), .sds = std::move(points)});
  }
  PredictiveMixture moments = sampled() ? sampled_->moments(x) : closed_->moments(x);
  const Index M = Xs.rows();
  for (Index k = 0; noise && k < regression_->data().outputs(); ++k) {
    auto sds = moments.sds.middleCols(k * M, M).array();
    const double s = regression_->data().noise(k);
    sds = (sds.square() + s * s).sqrt();
  }
  return regression_->in_table_units(std::move(moments));
}

PredictiveMixture FittedModel::average_mixture(const Matrix& Xs, Index count) const {
  const Matrix x = regression_->input_scaling().apply(Xs);
  return regression_->in_table_units(sampled() ? sampled_->moments(x, PredictiveOptions{}.most_draws, count)
                                               : closed_->moments(x, count));
}

Matrix FittedModel::functions(const Matrix& Xs, Index count, std::uint64_t seed, Index output) const {
  if (latent()) {
    require_at_least(count, 1, "draws");
    const Matrix all = draws_of_function(*this, Xs, output);
    return all(spread_rows(all.rows(), count), Eigen::all);
  }
  const Matrix x = regression_->input_scaling().apply(Xs);
  const Scaling& scaling = regression_->output_scaling();
  Matrix functions =
      sampled() ? sampled_->functions(x, count, output) : closed_->functions(x, count, seed, output);
  functions.array() = functions.array() * scaling.scale(output) + scaling.centre(output);
  return functions;
}

Matrix FittedModel::covariance(const Matrix& Xs, Index output) const {
  if (latent()) {
    const Matrix all = draws_of_function(*this, Xs, output);
    const Matrix centred = all.rowwise() - all.colwise().mean();
    return transposed_product(centred, centred) / static_cast<double>(all.rows());
  }
  const Matrix x = regression_->input_scaling().apply(Xs);
  Matrix covariance = sampled() ? sampled_->covariance(x, output) : closed_->covariance(x, output);
  const double scale = regression_->output_scaling().scale(output);
  // A column at a time, so that it can be cancelled.
  parallel_for(covariance.cols(), [&](Index j) { covariance.col(j) *= scale * scale; });
  return covariance;
}

Network FittedModel::network(Index index) const {
  Network network = latent()    ? latent_->draw(index)
                    : sampled() ? sampled_->network(index)
                                : closed_->network(index);
  network.inputs = regression_->input_scaling();
  network.outputs = regression_->output_scaling();
  return network;
}

Vector FittedModel::relative_error(const Matrix& Xs) const {
  const Matrix x = regression_->input_scaling().apply(Xs);
  const RidgeletPrior& prior = regression_->prior();
  const RidgeletPrior::Kriging kriging = prior.kriging(x);
  const Vector mean = prior.options().target.mean(x);
  Vector squares = Vector::Zero(x.rows());
  Index networks = 0;
  const auto add = [&](const Gaussian& outputs) {
    squares += rmse_of(outputs, kriging, mean).cwiseAbs2();
    ++networks;
  };
  if (latent()) {
    const auto count = static_cast<Index>(latent_->networks().size());
    for (Index i = 0; i < std::min(most_certified_draws, count); ++i)
      add(as_gaussian(latent_->outputs_at(prior, i, x)));
  } else if (sampled()) {
    const Index draws = sampled_->draws().size(), used = std::min(most_certified_draws, draws);
    for (Index i = 0; i < used; ++i) add(as_gaussian(sampled_->outputs_at(i * draws / used, x)));
  } else {
    for (Index i = 0; i < static_cast<Index>(closed_->networks().size()); ++i)
      add(as_gaussian(closed_->outputs_at(i, x)));
  }
  const Vector variance = prior.options().target.kernel.diagonal(x);
  const Vector relative = (squares.array() / (static_cast<double>(networks) * variance.array())).sqrt();
  return (squares.array() == 0).select(0, relative);
}

}  // namespace ridgelet
