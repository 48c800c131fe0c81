#include "ridgelet/transform/preactivations.hpp"

#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

/// With no more inputs than this, a pass for each input is faster than a matrix product.
constexpr Index few_inputs = 4;

}  // namespace

void Preactivations::fill(Index first, Index first_site, MatrixSpan values) const {
  const Index own = std::clamp<Index>(own_units_ - first, 0, values.cols());
  if (own > 0) fill_own(first, first_site, values.leftCols(own));
  if (own < values.cols())
    also_->fill(std::max<Index>(0, first - own_units_), first_site, values.rightCols(values.cols() - own));
}

void Preactivations::fill_own(Index first, Index first_site, MatrixSpan values) const {
  const auto X = sites_.middleRows(first_site, values.rows());
  const auto W = layer_.W.middleRows(first, values.cols());
  const auto b = layer_.b.segment(first, values.cols());
  if (layer_.dimension() > few_inputs) {
    set_product_transposed(values, X, W);
    values.rowwise() += b.transpose();
  } else {
    for (Index i = 0; i < values.cols(); ++i) {
      values.col(i) = (W(i, 0) * X.col(0)).array() + b(i);
      for (Index k = 1; k < layer_.dimension(); ++k) values.col(i) += W(i, k) * X.col(k);
    }
  }
  if (offset_) values.colwise() += Eigen::Map<const Vector>(offset_ + first_site, values.rows());
}

void Preactivations::fill_single(Index first, Index first_site, SingleSpan values, SingleRoom& room) const {
  const Index own = std::clamp<Index>(own_units_ - first, 0, values.cols());
  if (own > 0) fill_own_single(first, first_site, values.leftCols(own), room);
  if (own < values.cols())
    also_->fill_single(std::max<Index>(0, first - own_units_), first_site,
                       values.rightCols(values.cols() - own), room);
}

void Preactivations::fill_own_single(Index first, Index first_site, SingleSpan values,
                                     SingleRoom& room) const {
  room.sites = sites_.middleRows(first_site, values.rows()).cast<float>();
  room.W = layer_.W.middleRows(first, values.cols()).cast<float>();
  set_single_product_transposed(values, room.sites, room.W);
  values.rowwise() += layer_.b.segment(first, values.cols()).transpose().cast<float>();
  if (offset_)
    values.colwise() += Eigen::Map<const Vector>(offset_ + first_site, values.rows()).cast<float>();
}

}  // namespace ridgelet
