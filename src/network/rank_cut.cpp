#include "ridgelet/network/rank_cut.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/linalg/svd.hpp"

namespace ridgelet {

namespace {

constexpr Index row_block = 2048;

/// The lower triangle of G^T G for each output.
std::vector<Matrix> grams(const PredictiveNetwork& network, std::size_t component, const MatrixView& X) {
  const Index K = network.output_count(), R = network.rank();
  std::vector<Matrix> sums(static_cast<std::size_t>(K), Matrix::Zero(R, R));
  for (Index first = 0; first < X.rows(); first += row_block) {
    const Index rows = std::min(row_block, X.rows() - first);
    const Matrix heads = network.heads_at(component, X.middleRows(first, rows));
    for (Index k = 0; k < K; ++k)
      accumulate_transposed_gram(sums[static_cast<std::size_t>(k)], heads.middleCols(K + k * R, R));
  }
  return sums;
}

/// U_r: the eigenvectors of G^T G with the largest eigenvalues, the largest first.
Matrix leading_directions(Matrix gram, Index rank) {
  const SymmetricEigenDecomposition eigen = symmetric_eigen(std::move(gram));
  return eigen.vectors.rightCols(rank).rowwise().reverse();
}

/// The heads with `rank` of their R draws, evenly spaced.
Matrix fewer_draws(const Matrix& heads, Index outputs, Index R, Index rank) {
  Matrix kept(heads.rows(), outputs * (1 + rank));
  for (Index k = 0; k < outputs; ++k) {
    auto draws = kept.middleCols(outputs + k * rank, rank);
    for (Index r = 0; r < rank; ++r)
      draws.col(r) = std::sqrt(static_cast<double>(R)) * heads.col(outputs + k * R + r * R / rank);
    const Vector shift = draws.rowwise().mean();
    kept.col(k) = heads.col(k) + shift;
    draws = (draws.colwise() - shift) / std::sqrt(static_cast<double>(rank));
  }
  return kept;
}

CutLoss largest_and_mean(const Matrix& loss) {
  return {.largest = loss.maxCoeff(),
          .root_mean_square = std::sqrt(loss.squaredNorm() / static_cast<double>(loss.size()))};
}

}  // namespace

PredictiveNetwork cut_rank(PredictiveNetwork network, Index rank, const MatrixView& X) {
  const Index K = network.output_count(), R = network.rank();
  if (rank < 1 || rank > R)
    throw InvalidArgument("rank",
                          fmt::format("must be from 1 to {}, {} of the fit, got {}", R,
                                      network.link == ClassLink::none ? "the rank" : "the draws", rank));
  if (network.link != ClassLink::none) {
    for (PredictiveComponent& component : network.components)
      component.heads = fewer_draws(component.heads, K, R, rank);
    return network;
  }
  std::vector<Matrix> cut;
  for (std::size_t s = 0; s < network.components.size(); ++s) {
    const Matrix& heads = network.components[s].heads;
    std::vector<Matrix> sums = grams(network, s, X);
    Matrix kept(heads.rows(), K * (1 + rank));
    kept.leftCols(K) = heads.leftCols(K);
    for (Index k = 0; k < K; ++k)
      kept.middleCols(K + k * rank, rank) =
          product(heads.middleCols(K + k * R, R),
                  leading_directions(std::move(sums[static_cast<std::size_t>(k)]), rank));
    cut.push_back(std::move(kept));
  }
  for (std::size_t s = 0; s < cut.size(); ++s) network.components[s].heads = std::move(cut[s]);
  return network;
}

CutLoss cut_loss(const PredictiveNetwork& whole, const PredictiveNetwork& cut, const MatrixView& X) {
  if (whole.link != ClassLink::none)
    return largest_and_mean((whole.probabilities(X) - cut.probabilities(X)).cwiseAbs());
  const Matrix sd = whole(X).sd;
  return largest_and_mean((sd - cut(X).sd).cwiseQuotient(sd));
}

}  // namespace ridgelet
