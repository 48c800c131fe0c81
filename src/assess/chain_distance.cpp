#include "ridgelet/assess/chain_distance.hpp"

#include <cmath>
#include <vector>

#include "ridgelet/assess/diagnostics.hpp"
#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

struct Moments {
  double mean = 0;
  double sd = 0;
};

Moments moments_of(const VectorView& draws) {
  const double mean = draws.mean();
  const auto more_than_one = static_cast<double>(std::max<Index>(1, draws.size() - 1));
  return {.mean = mean, .sd = std::sqrt((draws.array() - mean).square().sum() / more_than_one)};
}

}  // namespace

ChainDistance distance_from_chains(const Matrix& functions, const Matrix& of_chains, Index chains) {
  if (functions.cols() != of_chains.cols())
    throw InvalidArgument("functions", "must be at the inputs of the chains");
  double means = 0, sds = 0;
  std::vector<Matrix> varying;
  for (Index p = 0; p < functions.cols(); ++p) {
    const Moments ours = moments_of(functions.col(p)), theirs = moments_of(of_chains.col(p));
    if (!(ours.sd > 0 && theirs.sd > 0)) continue;
    means += std::pow((ours.mean - theirs.mean) / theirs.sd, 2);
    sds += std::pow(std::log(ours.sd / theirs.sd), 2);
    varying.emplace_back(of_chains.col(p).reshaped(of_chains.rows() / chains, chains));
  }
  if (varying.empty()) return {.draws = of_chains.rows()};
  const auto inputs = static_cast<double>(varying.size());
  return {.mean = std::sqrt(means / inputs),
          .sd = std::sqrt(sds / inputs),
          .draws = of_chains.rows(),
          .rhat = worst_diagnostics(varying).rhat.value};
}

}  // namespace ridgelet
