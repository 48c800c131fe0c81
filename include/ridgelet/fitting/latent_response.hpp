/// Responses that are not Gaussian given the functions: how a table's become those of a likelihood, and what functions
/// drawn from a posterior say of new ones.
///
/// A table has a class as its place among the levels of its column, 0, 1, ..., and with an exposure its logarithm in a
/// second column. Functions are measured from a baseline where columns are standardised, so that a process of mean 0
/// says "as often as on average":
///   two classes   logit of the part of rows with the second class, half a row added to each
///   classes       logarithms of the rows of each and half a row more, less their mean
///   counts        logarithm of the mean count for each unit of exposure, half a count added to all
///   real          as for any response: mean 0, standard deviation 1
#pragma once

#include "ridgelet/fitting/table.hpp"
#include "ridgelet/inference/latent_mode.hpp"
#include "ridgelet/inference/posterior.hpp"

namespace ridgelet {

/// Whether a model's text for its likelihood means Gaussian noise, for which everything is in closed form.
bool is_gaussian(const std::string& likelihood);

/// The likelihood that a response asks for where none is named: of text `bernoulli` or `categorical`, else `gaussian`.
std::string default_likelihood(const ResponseEncoding& response);

/// The one that is named, or else that.
std::string chosen_likelihood(const std::string& named, const ResponseEncoding& response);

/// Throws InvalidArgument about "data" for a response that the likelihood cannot have: a count that is none or beyond
/// 2^53, a class that is no place among the levels. Rows of Y are counted from `first`.
void require_responses(const Likelihood& likelihood, const MatrixView& Y, const std::string& column,
                       Index first = 1);

/// The likelihood of a text for the response of a table. Throws InvalidArgument about "likelihood" if they do not fit,
/// and what require_responses() throws.
LikelihoodPointer likelihood_for(const std::string& text, const RegressionTable& table);

/// The same for one that is known to fit.
LikelihoodPointer likelihood_for(const std::string& text, const ResponseEncoding& response);

/// Baseline and unit of each function.
Scaling function_scaling(const Likelihood& likelihood, const RegressionTable& table, bool standardise);

/// Responses as the likelihood sees them, M x K: 1 and 0 for classes, and real ones scaled.
Matrix responses_of(const Likelihood& likelihood, const Matrix& Y, const Scaling& functions);

/// What is added to the functions at the rows besides the process: the baseline, unless it was subtracted from the
/// responses, and the exposure.
Matrix offsets_of(const Likelihood& likelihood, const Matrix& Y, const Scaling& functions);

/// A likelihood of standardised responses, for responses in their own units.
LikelihoodPointer in_own_units(const Likelihood& likelihood, const Scaling& functions);

/// What functions F (draws x M K, the functions one after another, each with all its places) say of new responses, M x
/// K.
///
/// | response | mean, sd                                    | lower, upper                                      |
/// |----------|---------------------------------------------|---------------------------------------------------|
/// | classes  | probability of each class, its sd           | quantiles of the probability                      |
/// | others   | of a new response                           | quantiles of a new response                       |
/// | `latent` | of its expectation given the function       | quantiles of that                                 |
///
/// For counts and real responses the mean of P(Y <= y) over draws, of more than 250 evenly spaced ones, is inverted;
/// for counts beyond 2^53, which doubles do not tell apart, to the nearest double. Cost M K S log S, and for those two
/// about 10 S evaluations of P(Y <= y), at most 100 S.
PredictiveSummary summarise_functions(const MatrixView& F, const Likelihood& likelihood, double level,
                                      bool latent);

/// What they say of the average of E[y | f] over the M places, 1 x K: errors of different places partly cancel in it.
/// Cost M K S.
PredictiveSummary summarise_average(const MatrixView& F, const Likelihood& likelihood, double level);

/// log mean_s p(y | f_s) at each of M rows, Y being M x K. Cost S M K.
Vector log_predictive_density(const MatrixView& F, const Likelihood& likelihood, const Matrix& Y);

}  // namespace ridgelet
