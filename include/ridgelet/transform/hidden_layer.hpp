/// The hidden layer (theta_0): N units phi(W_i . x + b_i), and the densities it is drawn from.
///
/// Under bandwidths sigma_w and sigma_b, W_ik is sigma_w,k times, and b_i is sigma_b times, a draw from a
/// standard density p: normal (the paper's main text) or logistic (its appendix allows any symmetric density
/// with positive Fourier transform; the logistic's is pi xi / sinh(pi xi), up to a constant). sigma_w may
/// differ from input to input; the paper has one for all. The ridgelet operator then carries the factor
///   Z = (prod_k sigma_w,k) sigma_b / ( (2 pi)^{d/2} p(0)^{d+1} ),
/// which is (2 pi)^{1/2} sigma_w^d sigma_b for normals with one sigma_w.
///
/// Units may be drawn independently, or together, as scrambled Sobol points u of d + 1 dimensions (core/sobol.hpp)
/// through the quantile function Q of the density:
///   W_ik = sigma_w,k Q(u_ik),   b_i = sigma_b Q(u_i,d+1).
/// Each unit then has the same density as before, and together they cover it evenly, so that a sum over units, such as
/// the ridgelet operator's, is nearer to its integral. Numbers of units that are powers of two are best.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ridgelet/core/types.hpp"
#include "ridgelet/transform/bandwidth.hpp"

namespace ridgelet {

struct HiddenLayer {
  Matrix W;  ///< N x d
  Vector b;  ///< N

  Index units() const { return W.rows(); }
  Index dimension() const { return W.cols(); }
};

/// Throws InvalidArgument about "W" or "b".
void validate(const HiddenLayer& layer);

/// The hidden layers of a network, the first of them on the inputs. The W of a deeper layer acts on R coordinates
/// computed from the layer before it (hidden_walk.hpp), not on that layer's units.
class HiddenLayers {
 public:
  HiddenLayers() = default;
  /// A network with one hidden layer.
  HiddenLayers(HiddenLayer only) { layers_.push_back(std::move(only)); }

  std::size_t depth() const { return layers_.size(); }
  const HiddenLayer& operator[](std::size_t l) const { return layers_[l]; }
  HiddenLayer& operator[](std::size_t l) { return layers_[l]; }
  const HiddenLayer& first() const { return layers_.front(); }
  void add(HiddenLayer layer) { layers_.push_back(std::move(layer)); }

  /// Numbers in all layers.
  Index parameters() const;

  /// Every number becomes zero.
  void set_zero();

  /// All numbers as one vector: W (one column after the other) and b of the first layer, then of the next.
  Vector packed() const;

  /// The inverse of packed(), into layers of the same shapes.
  void unpack(const VectorView& numbers);

 private:
  std::vector<HiddenLayer> layers_;
};

enum class Density { gaussian, logistic };

std::vector<std::string> density_names();

std::string density_name(Density density);

/// Throws InvalidArgument about "density".
Density parse_density(const std::string& name);

/// How the units of a layer are drawn: each by itself, or all as one scrambled Sobol point set.
enum class UnitsFrom { independent, sobol };

std::vector<std::string> units_from_names();

std::string units_from_name(UnitsFrom units_from);

/// Throws InvalidArgument about "units_from".
UnitsFrom parse_units_from(const std::string& name);

struct HiddenDistribution {
  Bandwidth sigma_w = 3;
  double sigma_b = 12;
  Density density = Density::gaussian;
  UnitsFrom units_from = UnitsFrom::independent;

  /// The layer of `units` units in d inputs with this seed; replicates are independent (Sobol points: independently
  /// scrambled), and so are layers at different places in the network. The first units of a larger layer are those of a
  /// smaller one.
  HiddenLayer draw(Index units, Index dimension, std::uint64_t seed, std::uint32_t replicate = 0,
                   std::uint32_t place = 0) const;

  /// The layer at standard normals xi of length N (d + 1), the weights of all units first, one input after
  /// the other, then the biases: the coordinates in which a sampler moves. For another density, xi goes
  /// through the normal distribution function and the density's quantile function. Writes into `layer`,
  /// N x d.
  void at(const VectorView& xi, HiddenLayer& layer) const;

  /// The adjoint of at(): d/d xi from d/d W and d/d b. Writes into `xi_bar`.
  void pull_back(const VectorView& xi, const HiddenLayer& layer_bar, Eigen::Ref<Vector> xi_bar) const;

  /// Z, above.
  double total_measure(Index dimension) const;
};

/// Throws InvalidArgument about "sigma_w" or "sigma_b".
void validate(const HiddenDistribution& distribution, Index dimension);

}  // namespace ridgelet
