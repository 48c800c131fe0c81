#include "ridgelet/io/regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/io/csv.hpp"

namespace ridgelet {

namespace {

void require_variation(const MatrixView& columns, const std::vector<std::string>& names,
                       const std::string& path, const std::string& reason) {
  for (Index k = 0; k < columns.cols(); ++k)
    if (columns.col(k).maxCoeff() == columns.col(k).minCoeff())
      throw InvalidArgument("data",
                            fmt::format("'{}', column '{}': is {} in every row; {}", path,
                                        names[static_cast<std::size_t>(k)], shortest(columns(0, k)), reason));
}

Box range_of(const Matrix& X) {
  return {.lower = X.colwise().minCoeff(), .upper = X.colwise().maxCoeff()};
}

/// The model's settings with the domain in the model's units, and without a mean that was subtracted.
ModelSettings in_model_units(const RegressionSettings& settings, const Matrix& X, const Scaling& inputs) {
  ModelSettings model = settings.model;
  Box domain = model.domain ? parse_box(*model.domain, "domain") : range_of(X);
  if (domain.dimension() != X.cols())
    throw InvalidArgument("domain", fmt::format("must have {} range{} LO:HI, one for each input, got {}",
                                                X.cols(), X.cols() == 1 ? "" : "s", domain.dimension()));
  domain = {.lower = inputs.apply(domain.lower.transpose()).transpose(),
            .upper = inputs.apply(domain.upper.transpose()).transpose()};
  model.domain = text(domain);
  if (!settings.network_mean) model.mean = "0";
  return model;
}

Vector noise_of_each(const Vector& noise, Index outputs) {
  if (noise.size() == 1) return Vector::Constant(outputs, noise(0));
  if (noise.size() != outputs)
    throw InvalidArgument(
        "noise",
        fmt::format("must be one number{}, got {}",
                    outputs == 1 ? "" : fmt::format(" or {}, one for each output", outputs), noise.size()));
  return noise;
}

/// The mean that is subtracted, with its rule checked whether or not it is used at any node.
MeanFunction subtracted_mean(const RegressionSettings& settings, Index inputs) {
  MeanFunction mean(settings.network_mean ? "0" : settings.model.mean);
  mean.validate_dimension(inputs, "mean");
  return mean;
}

}  // namespace

RegressionTable read_regression_table(const std::filesystem::path& path,
                                      const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs) {
  std::vector<std::string> columns = inputs;
  for (const std::string& name : outputs) {
    if (std::ranges::find(inputs, name) != inputs.end())
      throw InvalidArgument("y", "'" + name + "' is an input already; name another column");
    columns.push_back(name);
  }
  const Matrix values = read_csv(path, columns).values;
  const auto d = static_cast<Index>(inputs.size());
  RegressionTable table{.inputs = inputs,
                        .outputs = outputs,
                        .X = values.leftCols(d),
                        .Y = values.rightCols(values.cols() - d)};
  if (values.rows() < 2)
    throw InvalidArgument("data", fmt::format("'{}' has one row; a fit needs at least two", path.string()));
  require_variation(table.X, inputs, path.string(), "leave it out of --x");
  require_variation(table.Y, outputs, path.string(), "there is nothing to learn");
  return table;
}

Index repeated_rows(const RegressionTable& table) {
  Matrix rows(table.X.rows(), table.X.cols() + table.Y.cols());
  rows << table.X, table.Y;
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, [&](Index a, Index b) {
    return std::lexicographical_compare(rows.row(a).begin(), rows.row(a).end(), rows.row(b).begin(),
                                        rows.row(b).end());
  });
  Index repeated = 0;
  for (std::size_t i = 1; i < order.size(); ++i) repeated += rows.row(order[i]) == rows.row(order[i - 1]);
  return repeated;
}

Regression::Regression(RegressionSettings settings, RegressionTable table)
    : settings_(std::move(settings)),
      table_(std::move(table)),
      inputs_(settings_.standardise ? Scaling::standardising(table_.X) : Scaling::none(table_.X.cols())),
      outputs_(settings_.standardise ? Scaling::standardising(table_.Y) : Scaling::none(table_.Y.cols())),
      model_(build_model(in_model_units(settings_, table_.X, inputs_))),
      offset_(subtracted_mean(settings_, table_.X.cols())),
      data_{.X = inputs_.apply(table_.X),
            .Y = outputs_.apply(table_.Y),
            .noise = noise_of_each(settings_.noise, table_.Y.cols())} {
  if (!data_.X.allFinite() || !data_.Y.allFinite())
    throw InvalidArgument("data", "has numbers too large to standardise");
  data_.Y.colwise() -= offset_(data_.X);
  if (!data_.Y.allFinite())
    throw InvalidArgument("mean",
                          "must be finite at every row of the data, and '" + offset_.text() + "' is not");
  validate(data_, prior().dimension());
}

Posterior Regression::posterior(PosteriorDraws draws) const {
  const bool fits = draws.layers.cols() == prior().parameters() &&
                    draws.coordinates.cols() == prior().rank() * data_.outputs() &&
                    draws.coordinates.rows() == draws.size();
  if (!fits) throw InvalidArgument("model", "its draws are of another size than its settings say");
  return Posterior(prior(), data_, offset_, std::move(draws));
}

PredictiveSummary Regression::predict(const Posterior& posterior, const Matrix& Xs,
                                      const PredictiveOptions& options) const {
  PredictiveSummary summary = posterior.predict(inputs_.apply(Xs), options);
  for (Matrix* values : {&summary.mean, &summary.lower, &summary.upper}) *values = outputs_.undo(*values);
  summary.sd = summary.sd.array().rowwise() * outputs_.scale.transpose().array();
  return summary;
}

Index Regression::rows_outside_domain(const Matrix& Xs) const {
  const Matrix inputs = inputs_.apply(Xs);
  const Box& box = domain();
  // Standardising rounds: an input on the boundary stays inside.
  const Vector slack = 1e-12 * (box.upper - box.lower);
  Index outside = 0;
  for (Index i = 0; i < inputs.rows(); ++i) {
    const auto x = inputs.row(i).transpose().array();
    outside += (x < (box.lower - slack).array()).any() || (x > (box.upper + slack).array()).any();
  }
  return outside;
}

}  // namespace ridgelet
