/// A model of standardised columns, described in the units of the columns themselves:
///
///     in the units of the columns      centre       scale
///       year                          1954.96       3.452   se.lengthscale 13.42
///       passengers                    280.299       119.5   noise 45.65, se.amplitude 294.6
///
/// The centre of a column of dates is a date, and its scale has days.
///
/// Kernel and mean are measured from the centre of each input, so that a linear term has an amplitude in these units
/// too.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/fitting/fitted_model.hpp"
#include "ridgelet/fitting/learned_settings.hpp"
#include "values.hpp"

namespace ridgelet::app {

class OwnUnits {
 public:
  explicit OwnUnits(const FittedModel& model);

  OwnUnits(const LearnedSettings& learned, const RegressionTable& table);

  /// A line for each column, indented by two spaces; then one for the mean, if it is affine.
  std::string text() const;

  /// The centre and scale of each column.
  Json scaling() const;

  /// The kernel as a text, and the noise; null if none of our kernels is this one in these units.
  Json json() const;

 private:
  std::string of_input(Index column) const;
  std::string of_output(Index output) const;
  std::string mean_text(Index output) const;
  std::string centre_text(Index input) const;
  std::string scale_text(Index input) const;

  Kernel kernel_;
  MeanFunction mean_;
  Vector noise_;              ///< in the model's units; none where the noise is not Gaussian
  std::string likelihood_;    ///< in the columns' units, where it has numbers
  Scaling inputs_, outputs_;  ///< outputs_ is empty where functions have no units
  std::vector<std::string> input_names_, output_names_;
  std::vector<bool> dates_;  ///< which inputs are
};

/// Four digits of each number, for people.
std::string rounded(const Kernel& kernel);
std::string rounded(const MeanFunction& mean);
std::string rounded(const Likelihood& likelihood);

}  // namespace ridgelet::app
