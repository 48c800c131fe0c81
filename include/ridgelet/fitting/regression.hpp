/// A person's regression problem: columns of a table in their own units, and the model that speaks of them.
///
/// The table may be standardised first, each column to mean 0 and standard deviation 1: kernel, mean and
/// noise then speak of standardised columns, while the domain, new inputs and predictions stay in the
/// table's own units. The process's mean is subtracted from the data and added to every prediction, or passes
/// through the network with the weights (A m).
///
/// Where the response is not Gaussian given the functions (fitting/latent_response.hpp), the functions take the place
/// of the outputs: the scaling of outputs is theirs, and data() has the responses as the table has them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ridgelet/fitting/latent_response.hpp"
#include "ridgelet/fitting/model_settings.hpp"
#include "ridgelet/fitting/table.hpp"
#include "ridgelet/inference/data_tiles.hpp"
#include "ridgelet/inference/posterior.hpp"
#include "ridgelet/network/scaling.hpp"

namespace ridgelet {

struct RegressionSettings {
  /// Its domain and margin are in the table's units; the domain is the range of the inputs if not given. Its kernel,
  /// mean and noise are in standardised units if the table is standardised.
  ModelSettings model;
  bool network_mean = false;  ///< the mean passes through the network
  std::uint64_t seed = 0;     ///< of what is chosen at random on the way to a model
};

class Regression {
 public:
  /// Throws InvalidArgument about the first setting that breaks its rule; the noise must be given. `stored` is what
  /// stored() returned before, perhaps on another machine: posteriors are in coordinates of its factor.
  Regression(RegressionSettings settings, RegressionTable table,
             std::optional<StoredNodes> stored = std::nullopt);
  Regression(const Regression&) = delete;
  Regression& operator=(const Regression&) = delete;

  /// The settings, with nothing left to choose.
  const RegressionSettings& settings() const { return settings_; }
  const RegressionTable& table() const { return table_; }
  const RidgeletPrior& prior() const { return model_->prior; }
  const Data& data() const { return *data_; }           ///< rows of table(), in the model's units
  const Box& domain() const { return model_->domain; }  ///< in the model's units
  Box domain_in_table_units() const;
  const std::vector<TuningTrial>& trials() const { return model_->trials; }

  /// The likelihood of the response in the model's units, and the data as it sees them; null where noise is Gaussian.
  const LikelihoodPointer& likelihood() const { return likelihood_; }
  std::shared_ptr<const LatentData> shared_latent_data() const { return latent_; }

  /// The number of functions that a network has: one for each output, or as many as the likelihood needs.
  Index functions() const { return outputs_.scale.size(); }

  /// The nodes and the factor of the process there.
  StoredNodes stored() const;

  /// The same prior and data, for whoever keeps them longer than this.
  std::shared_ptr<const RidgeletPrior> shared_prior() const { return {model_, &model_->prior}; }
  std::shared_ptr<const Data> shared_data() const { return data_; }

  /// The mean that was subtracted, in the model's units.
  const MeanFunction& offset() const { return offset_; }
  const Scaling& input_scaling() const { return inputs_; }
  const Scaling& output_scaling() const { return outputs_; }

  /// Rows of the whole table as the network sees them: scaled, and without the mean that is subtracted.
  DataTile in_model_units(const Matrix& X, const Matrix& Y) const;

  /// The posterior that these draws are of, in the model's units.
  Posterior posterior(PosteriorDraws draws) const;

  /// Carries a summary, or moments, from the model's units to the table's.
  PredictiveSummary in_table_units(PredictiveSummary summary) const;
  PredictiveMixture in_table_units(PredictiveMixture moments) const;

  /// For each row of Xs (in the table's units) whether it is outside of the domain, where the network need not resemble
  /// its process; and how many rows are.
  std::vector<bool> outside_domain(const Matrix& Xs) const;
  Index rows_outside_domain(const Matrix& Xs) const;

 private:
  Data gaussian_responses();
  Data latent_responses();

  RegressionSettings settings_;
  RegressionTable table_;
  Scaling inputs_;
  LikelihoodPointer likelihood_;
  Scaling outputs_;
  std::shared_ptr<const Model> model_;
  MeanFunction offset_;
  std::shared_ptr<const Data> data_;
  std::shared_ptr<const LatentData> latent_;
};

}  // namespace ridgelet
