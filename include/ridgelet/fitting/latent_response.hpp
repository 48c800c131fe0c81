/// Responses that are not Gaussian given the functions: how responses of a table become those of a likelihood, and what
/// functions drawn from a posterior say of new responses.
///
/// A table holds a class by its place among the levels of its column, 0, 1, ..., and an exposure, if there is one, by
/// its logarithm in a second column. Where columns are standardised, functions are measured from a baseline, so that a
/// process of mean 0 says "as often as on average":
///   two classes   logit of the part of rows with the second class, half a row added to each class
///   classes       log(rows of the class + 1/2), less the mean over the classes
///   counts        logarithm of the mean count for each unit of exposure, half a count added to their sum
///   real          as for any response: mean 0, standard deviation 1
#pragma once

#include "ridgelet/fitting/model_settings.hpp"
#include "ridgelet/fitting/table.hpp"
#include "ridgelet/inference/latent_mode.hpp"
#include "ridgelet/inference/posterior.hpp"

namespace ridgelet {

/// Whether a model's text for its likelihood means Gaussian noise, for which everything is in closed form.
bool is_gaussian(const std::string& likelihood);

/// Whether it is named and means counts.
bool is_of_counts(const std::string& likelihood);

/// The likelihood that a response asks for where none is named: `bernoulli` or `categorical` for text, otherwise
/// `gaussian`.
std::string default_likelihood(const ResponseEncoding& response);

/// Throws InvalidArgument about "noise" if one is given to a named likelihood that has no such noise.
void require_noise_of(const std::string& likelihood, const std::optional<Vector>& noise);

/// The likelihood that a model names for the columns of its response or, if it names none, the default_likelihood().
/// Throws InvalidArgument about "y" if there are several, and they are not numbers with Gaussian noise; about
/// "likelihood" for classes with Gaussian noise; and what require_noise_of() throws.
std::string chosen_likelihood(const ModelSettings& model, const TableEncoding& encoding);

/// What is wrong with a number that should be a count 0, 1, 2, ... up to 2^53, as far as doubles count; `column` is the
/// response that it belongs to. Nothing if it is one.
std::optional<std::string> count_complaint(double y, const std::string& column);

/// Throws InvalidArgument about "data" for a response that the likelihood cannot have: a number that is not a count, or
/// is beyond 2^53; a class that is not a place among the levels. Rows of Y are counted from `first`.
void require_responses(const Likelihood& likelihood, const MatrixView& Y, const std::string& column,
                       Index first = 1);

/// The likelihood that `text` names, for the response of a table. Throws InvalidArgument about "likelihood" if they do
/// not fit, and what require_responses() throws.
LikelihoodPointer likelihood_for(const std::string& text, const RegressionTable& table);

/// The same without a look at the responses themselves.
LikelihoodPointer likelihood_for(const std::string& text, const ResponseEncoding& response);

/// Baseline and unit of each function.
Scaling function_scaling(const Likelihood& likelihood, const RegressionTable& table, bool standardise);

/// Responses as the likelihood sees them, M x K: classes as 1 and 0, and real numbers scaled.
Matrix responses_of(const Likelihood& likelihood, const Matrix& Y, const Scaling& functions);

/// What is added to the functions at the rows besides the process: the baseline, unless it was subtracted from the
/// responses, and the logarithm of the exposure.
Matrix offsets_of(const Likelihood& likelihood, const Matrix& Y, const Scaling& functions);

/// What one row leaves open of a function, as Gaussian noise of this size would: the scale of heavy tails, for others
/// 1 / sqrt of the information of a row.
double noise_of_a_row(const Likelihood& likelihood, const RegressionTable& table);

/// The likelihood of responses in their own units, from that of standardised responses.
LikelihoodPointer in_own_units(const Likelihood& likelihood, const Scaling& functions);

/// What functions F say of new responses, M x K. F is draws x (M K), the functions one after another, each with all its
/// places.
///
/// | response | mean, sd                                    | lower, upper                                      |
/// |----------|---------------------------------------------|---------------------------------------------------|
/// | classes  | probability of each class, its sd           | quantiles of the probability                      |
/// | others   | of a new response                           | quantiles of a new response                       |
/// | `latent` | of its expectation given the function       | quantiles of that                                 |
///
/// For quantiles of counts and real responses the mean of P(Y <= y) over draws is inverted; if there are more than 250
/// draws, over 250 that are evenly spaced. Counts beyond 2^53, which doubles do not tell apart, are found to the
/// nearest double. Cost M K S log S, and for counts and real responses about 10 S evaluations of P(Y <= y), at most
/// 100 S.
PredictiveSummary summarise_functions(const MatrixView& F, const Likelihood& likelihood, double level,
                                      bool latent);

/// What functions F say of the average of E[y | f] over the M places, 1 x K: errors at different places partly cancel
/// in it. Cost M K S.
PredictiveSummary summarise_average(const MatrixView& F, const Likelihood& likelihood, double level);

/// The CRPS of the mixture over functions F, S x M, of the distributions of a response, at each of M rows; of one
/// function. With F(t) the mean of P(Y <= t) over at most 50 functions, evenly spaced, it is the integral of
///   (F(t) - 1{t >= y})^2,
/// here from piece to piece between quantiles, to a per mille or so. Cost about 100 quantiles and 9,000 evaluations of
/// P(Y <= t) for each row.
Vector response_crps(const MatrixView& F, const Likelihood& likelihood, const VectorView& y);

/// log mean_s p(y | f_s) at each of M rows, Y being M x K. Cost S M K.
Vector log_predictive_density(const MatrixView& F, const Likelihood& likelihood, const Matrix& Y);

}  // namespace ridgelet
