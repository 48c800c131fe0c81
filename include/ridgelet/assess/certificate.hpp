/// How far a network may be from its process, where it will be used: at the data, and between them.
///
/// The error of a network against its process is known exactly at every input (prior/given_hidden.hpp),
///   rmse(x)^2 = E (f(x) - network(x))^2,
/// before there are any data, and whatever they say. Divided by the process's standard deviation it needs no units:
/// 0.05 means that the network's functions follow those of the process to 5 % of their size. The certificate has the
/// root mean square of this relative error
///   data      over rows of the data
///   between   over inputs between the rows and, in three inputs or more, where further rows might be
///             (points_between() in cubature/evaluation.hpp)
///   floor     at the data, what no network on these nodes can go below
#pragma once

#include <cstdint>
#include <string>

#include "ridgelet/assess/replicates.hpp"

namespace ridgelet {

struct Certificate {
  double data = 0;
  double between = 0;
  double floor = 0;

  double worst() const { return data > between ? data : between; }
};

/// The certificate of networks drawn from the prior, at up to 500 rows of X and as many points between them. With the
/// seed of a fit, these are the fit's own networks.
Certificate certify(const RidgeletPrior& prior, const Matrix& X, const ReplicateOptions& options);

/// A relative error for people: "0.84 %", "12 %", "104 %".
std::string percent(double part);

/// An error above the first of these parts of the process's standard deviation is worth a warning, and one above the
/// second means that the network is not that process at all.
inline constexpr double large_relative_error = 0.1;
inline constexpr double hopeless_relative_error = 0.7;

}  // namespace ridgelet
