#include "ridgelet/fitting/regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

Box box_of(const ColumnRange& range) {
  return {.lower = range.low, .upper = range.high};
}

/// The settings without a mean that was subtracted.
ModelSettings of_network(const RegressionSettings& settings) {
  ModelSettings model = settings.model;
  if (!settings.network_mean) model.mean = "0";
  return model;
}

/// Domain and margin in the model's units: given in the table's, or from the range of the data.
Region in_model_units(const ModelSettings& model, const RegressionTable& table, const Scaling& inputs) {
  ModelSettings of_table = model;
  if (!of_table.domain) of_table.domain = text(box_of(table.input_range()));
  of_table.inputs = inputs;
  return region_of(of_table);
}

Vector noise_of_each(const std::optional<Vector>& given, Index outputs) {
  if (!given) throw InvalidArgument("noise", "is required where it is not learned, e.g. 0.1");
  const Vector& noise = *given;
  if (noise.size() == 1) return Vector::Constant(outputs, noise(0));
  if (noise.size() != outputs)
    throw InvalidArgument(
        "noise",
        fmt::format("must be one number{}, got a list of {}",
                    outputs == 1 ? "" : fmt::format(" or {}, one for each output", outputs), noise.size()));
  return noise;
}

/// The mean that is subtracted, checked even though no node uses it.
MeanFunction subtracted_mean(const RegressionSettings& settings, Index inputs) {
  MeanFunction mean(settings.network_mean ? "0" : settings.model.mean);
  mean.validate_dimension(inputs, "mean");
  return mean;
}

bool standardises(const RegressionSettings& settings) {
  return settings.model.standardise.value_or(false);
}

/// The standard deviation of a function that data can hardly tell from zero: nodes need not do better.
double resolution_of(const Likelihood& likelihood, const RegressionTable& table) {
  constexpr double of_latent_functions = 0.2;
  const double noise = noise_of_a_row(likelihood, table);
  return likelihood.response() == ResponseKind::real ? noise : std::min(of_latent_functions, noise);
}

/// Limits the number of nodes, where it is left open, for a network with several functions: given its hidden layers,
/// the posterior is one of the coordinates of all functions together.
ModelSettings within_budget(ModelSettings model, Index functions) {
  constexpr Index coordinates = 3000, fewest = 100;
  const bool chosen_among_data = !model.nodes && !operator_traits(model.operator_name).needs_psi;
  if (functions > 1 && chosen_among_data && !model.points)
    model.points = std::max(fewest, coordinates / functions);
  return model;
}

/// What a model chose, beside what a person said of the table.
void keep_choices(ModelSettings& settings, const ModelSettings& chosen) {
  settings.units = chosen.units;
  settings.sigma_w = chosen.sigma_w;
  settings.sigma_b = chosen.sigma_b;
  settings.ridge = chosen.ridge;
  settings.nodes = chosen.nodes;
}

}  // namespace

Regression::Regression(RegressionSettings settings, RegressionTable table, std::optional<StoredNodes> stored)
    : settings_(std::move(settings)),
      table_(std::move(table)),
      inputs_(standardises(settings_) ? table_.standardised_inputs() : Scaling::none(table_.X.cols())),
      likelihood_(is_gaussian(settings_.model.likelihood)
                      ? nullptr
                      : likelihood_for(settings_.model.likelihood, table_)),
      outputs_(likelihood_               ? function_scaling(*likelihood_, table_, standardises(settings_))
               : standardises(settings_) ? table_.standardised_outputs()
                                         : Scaling::none(table_.Y.cols())),
      offset_(subtracted_mean(settings_, table_.X.cols())) {
  Data data = likelihood_ ? latent_responses() : gaussian_responses();
  const double resolution = likelihood_ ? resolution_of(*likelihood_, table_) : data.noise.minCoeff();
  model_ = std::make_shared<const Model>(
      build_model(likelihood_ ? within_budget(of_network(settings_), functions()) : of_network(settings_),
                  ridgelet::in_model_units(settings_.model, table_, inputs_),
                  {.inputs = data.X, .resolution = resolution, .seed = settings_.seed}, std::move(stored)));
  data_ = std::make_shared<const Data>(std::move(data));
  keep_choices(settings_.model, model_->settings);
}

Data Regression::gaussian_responses() {
  auto [X, Y] = in_model_units(table_.X, table_.Y);
  Data data{
      .X = std::move(X), .Y = std::move(Y), .noise = noise_of_each(settings_.model.noise, table_.Y.cols())};
  validate(data, data.X.cols());
  settings_.model.noise = data.noise;
  return data;
}

Data Regression::latent_responses() {
  require_noise_of(settings_.model.likelihood, settings_.model.noise);
  LatentData latent{.likelihood = likelihood_,
                    .X = inputs_.apply(table_.X),
                    .Y = responses_of(*likelihood_, table_.Y, outputs_),
                    .offset = offsets_of(*likelihood_, table_.Y, outputs_)};
  latent.offset.colwise() += offset_(latent.X);
  validate(latent, latent.X.cols());
  settings_.model.likelihood = likelihood_->text();
  Data data{.X = latent.X, .Y = table_.Y, .noise = {}};
  latent_ = std::make_shared<const LatentData>(std::move(latent));
  return data;
}

DataTile Regression::in_model_units(const Matrix& X, const Matrix& Y) const {
  DataTile rows{.X = inputs_.apply(X), .Y = outputs_.apply(Y)};
  if (!rows.X.allFinite() || !rows.Y.allFinite())
    throw InvalidArgument("data", "has numbers too large to standardise");
  rows.Y.colwise() -= offset_(rows.X);
  if (!rows.Y.allFinite())
    throw InvalidArgument("mean",
                          "must be finite at every row of the data, and '" + offset_.text() + "' is not");
  return rows;
}

StoredNodes Regression::stored() const {
  return {.nodes = prior().options().nodes, .factor = prior().node_factor()};
}

Posterior Regression::posterior(PosteriorDraws draws) const {
  const bool fits = draws.layers.cols() == prior().parameters() &&
                    draws.coordinates.cols() == prior().rank() * data_->outputs() &&
                    draws.coordinates.rows() == draws.size();
  if (!fits) throw InvalidArgument("model", "its draws are of another size than its settings say");
  return Posterior(shared_prior(), data_, offset_, std::move(draws));
}

PredictiveSummary Regression::in_table_units(PredictiveSummary summary) const {
  for (Matrix* values : {&summary.mean, &summary.lower, &summary.upper}) *values = outputs_.undo(*values);
  summary.sd = summary.sd.array().rowwise() * outputs_.scale.transpose().array();
  return summary;
}

PredictiveMixture Regression::in_table_units(PredictiveMixture moments) const {
  const Index M = moments.means.cols() / outputs_.scale.size();
  for (Index k = 0; k < outputs_.scale.size(); ++k) {
    auto means = moments.means.middleCols(k * M, M);
    means = (outputs_.scale(k) * means).array() + outputs_.centre(k);
    moments.sds.middleCols(k * M, M) *= outputs_.scale(k);
  }
  return moments;
}

Index Regression::rows_outside_domain(const Matrix& Xs) const {
  return std::ranges::count(outside_domain(Xs), true);
}

Box Regression::domain_in_table_units() const {
  return {.lower = inputs_.undo(domain().lower.transpose()).transpose(),
          .upper = inputs_.undo(domain().upper.transpose()).transpose()};
}

std::vector<bool> Regression::outside_domain(const Matrix& Xs) const {
  const Matrix inputs = inputs_.apply(Xs);
  const Box& box = domain();
  // Standardising rounds: an input on the boundary stays inside.
  const Vector slack = 1e-12 * (box.upper - box.lower);
  std::vector<bool> outside;
  for (Index i = 0; i < inputs.rows(); ++i) {
    const auto x = inputs.row(i).transpose().array();
    outside.push_back((x < (box.lower - slack).array()).any() || (x > (box.upper + slack).array()).any());
  }
  return outside;
}

}  // namespace ridgelet
