#include "ridgelet/inference/collapsed_density.hpp"

#include <utility>

namespace ridgelet {

CollapsedDensity::CollapsedDensity(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const Data> data,
                                   const Ranks& ranks)
    : prior_(std::move(prior)),
      data_(std::move(data)),
      likelihood_(*prior_, *data_, CollapsedLikelihood::default_row_block, ranks),
      layers_(prior_->allocate()) {}

double CollapsedDensity::operator()(const Vector& xi) {
  here_ = xi;
  prior_->at(xi, layers_);
  return likelihood_(layers_);
}

double CollapsedDensity::value_and_gradient(const Vector& xi, Vector& gradient) {
  here_ = xi;
  prior_->at(xi, layers_);
  const double value = likelihood_.value_and_gradient(layers_);
  gradient.resize(xi.size());
  prior_->pull_back(xi, likelihood_.gradient(), gradient);
  return value;
}

void CollapsedDensity::record_place(PosteriorDraws& draws, Index row, const RandomStream& stream,
                                    const MonitoredInputs& inputs) {
  draws.record_network(row, layers_, draw_coordinates(stream), outputs_at(inputs.paths, output(), rank()));
  const Index M = inputs.points.rows();
  if (M == 0) return;
  const Matrix at_points = outputs_at(inputs.points, output(), rank());
  for (Index k = 0; k < outputs(); ++k) {
    const Prediction given =
        likelihood_.coordinates(k).predict(at_points.col(0), at_points.rightCols(rank()));
    draws.means.row(row).segment(k * M, M) = given.mean.transpose();
    draws.sds.row(row).segment(k * M, M) = given.variance.cwiseMax(0).cwiseSqrt().transpose();
  }
}

Matrix CollapsedDensity::draw_coordinates(const RandomStream& stream) const {
  Matrix z(rank(), outputs());
  const auto numbers = static_cast<std::uint64_t>(rank() + data_->rows());
  for (Index k = 0; k < outputs(); ++k)
    z.col(k) = likelihood_.coordinates(k).draw_coordinates(stream, static_cast<std::uint64_t>(k) * numbers);
  return z;
}

}  // namespace ridgelet
