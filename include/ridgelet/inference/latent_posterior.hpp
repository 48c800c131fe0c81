/// The posterior of networks for responses of any likelihood: functions, drawn from it.
///
/// A draw is a set of hidden layers and coordinates z (R x K), which is a plain network with K outputs; draws that
/// share their hidden layers are one network with K outputs for each of them. So predictions evaluate a network, and
/// average what the likelihood makes of its outputs:
///   P(y | x) = (1/S) sum_s p(y | f_s(x)).
///
/// With hidden layers that stay as they were drawn, z comes from the normal distribution about the mode
/// (latent_mode.hpp), in pairs zhat +- A^{-1/2} u. Of these `proposals`, `draws` are kept, each as often as its weight
/// asks for. Where the weights cannot be trusted (pareto_smoothing.hpp), z comes from chains on the weight, which are
/// exact (latent_density.hpp, nuts.hpp). Where such chains would take too long, the first proposals are kept without
/// weights.
///
/// Cost of a prediction for each row: N S K multiplications. Memory: N S K numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ridgelet/inference/latent_mode.hpp"
#include "ridgelet/network/network.hpp"

namespace ridgelet {

struct LatentDrawOptions {
  Index draws = 500;
  Index proposals = 2000;  ///< that the draws are chosen from by their weights
  /// How z is drawn: by weights, by chains, or by whichever of the two is right.
  enum class By { best, weights, chains } by = By::best;
  Index warmup = 50;  ///< steps of each of four chains
  /// Budget, in multiplications, of chains that nobody asked for: about a minute on one core. Where it is too small
  /// there are fewer draws, but never fewer than LatentNetwork::fewest_of_chains.
  double most_products = 6e10;
  std::uint64_t seed = 0;
  std::uint32_t replicate = 0;
};

/// Reads "auto", "laplace" or "sampled"; throws InvalidArgument about "coordinates".
LatentDrawOptions::By parse_coordinates(const std::string& text);

/// Throws InvalidArgument about "draws" or "proposals".
void validate(const LatentDrawOptions& options);

/// One set of hidden layers, and draws of z given the data.
struct LatentNetwork {
  HiddenLayers layers;
  Matrix coordinates;       ///< R x (K draws), the K columns of one draw after those of another
  double log_evidence = 0;  ///< by the weights where they can be trusted, or else Laplace's
  double laplace = 0;       ///< Laplace's approximation of it
  double shape = 0;         ///< k of the weights (pareto_smoothing.hpp)
  double effective = 0;     ///< independent draws that the proposals are worth
  bool converged = true;    ///< whether the mode was found; if not, only weights or chains can be trusted
  bool by_chains = false;   ///< whether z was sampled by `chains` chains, whose draws follow one another
  static constexpr Index chains = 4;
  static constexpr Index fewest_of_chains = 200;  ///< draws of all chains at least: fewer cannot be judged
};

/// Draws of z given the data, for the network that `output` is conditioned on. Throws InvalidArgument about
/// "likelihood" if the data have no finite density under it in double precision.
LatentNetwork latent_network(ConditionalOutput& output, const LatentData& data,
                             const LatentDrawOptions& options, const LatentModeOptions& mode = {});

class LatentPosterior {
 public:
  /// `offset` is added to every function: the process's mean, where it was left out of the network. Throws
  /// InvalidArgument about "networks" if they do not fit the prior or the number of functions.
  LatentPosterior(const LayerPrior& prior, Index functions, const MeanFunction& offset,
                  std::vector<LatentNetwork> networks);

  const std::vector<LatentNetwork>& networks() const { return networks_; }
  Index functions() const { return functions_; }

  /// The number of draws of all networks together.
  Index draws() const { return draws_; }

  /// Every function of every draw at the rows of Xs: draws x (M K), the functions one after another,
  /// each with all its places.
  Matrix functions_at(const Matrix& Xs) const;

  /// The plain network of all draws of one set of hidden layers, K outputs for each.
  const Network& network(Index index) const { return plain_[static_cast<std::size_t>(index)]; }

  /// The network of one draw, K outputs.
  Network draw(Index index) const;

  /// [A m, G] of one network at the rows of Xs, from which its error against the process follows.
  Matrix outputs_at(const LayerPrior& prior, Index network, const Matrix& Xs) const;

 private:
  Index functions_;
  Index draws_ = 0;
  std::vector<LatentNetwork> networks_;
  std::vector<Network> plain_;
};

}  // namespace ridgelet
