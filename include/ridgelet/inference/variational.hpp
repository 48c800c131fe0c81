/// Variational inference: the normal distribution that is closest to the posterior of the hidden layers.
///
/// In whitened coordinates the prior is N(0, I), and the posterior is proportional to N(xi; 0, I) exp(L(xi)), whose
/// normalising constant is the evidence Z. For any q,
///   log Z >= ELBO(q) = E_q L(xi) - KL(q || N(0, I)),
/// and the difference is KL(q || posterior). Here q = N(mu, Sigma) with
///   Sigma = diag(e^{2 rho}) + U U^T,   U of n x r, r = 0 or a few directions in which coordinates move together,
///   KL = 1/2 [ |mu|^2 + sum e^{2 rho} + |U|^2 - n ] - sum rho - 1/2 log det C,   C = I + U^T diag(e^{-2 rho}) U,
/// exactly; what the paper calls intractable (its Section 5.3) is a sum in these coordinates. With draws
///   xi = mu + e^rho o eps + U eta,   eps, eta standard normal, and g = grad L(xi),
/// the gradient of E_q L in (mu, rho, U) is the mean of (g, g o e^rho o eps, g eta^T), and that of KL is
///   mu,   e^{2 rho} o (1 - diag Sigma^{-1}),   U - Sigma^{-1} U,
/// where Sigma^{-1} = E - E U C^{-1} U^T E with E = diag(e^{-2 rho}). The search starts at the prior, mu = 0, rho = 0,
/// and first climbs without directions. Those begin at the q that this found, small, and are kept if the ELBO rose.
///
/// Cost: a gradient of L for each draw; n r^2 for the rest. Memory: O(n r) besides the densities.
/// References: Section 5.3 of the paper; Kingma and Welling, "Auto-encoding variational Bayes" (ICLR 2014), for draws
/// that can be differentiated; Ong, Nott, Smith, "Gaussian variational approximation with a factor covariance
/// structure" (J. Comput. Graph. Stat. 2018), for U; Kingma and Ba, "Adam" (ICLR 2015), for the steps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "ridgelet/core/random.hpp"
#include "ridgelet/inference/log_density.hpp"
#include "ridgelet/inference/posterior.hpp"

namespace ridgelet {

/// q, or a derivative with respect to its parameters.
struct VariationalGaussian {
  Vector mean;        ///< mu
  Vector log_sd;      ///< rho
  Matrix directions;  ///< U, n x r

  /// N(0, I), without directions.
  static VariationalGaussian prior(Index dimension);

  Index dimension() const { return mean.size(); }
  Index rank() const { return directions.cols(); }

  /// KL(q || N(0, I)), and its derivative.
  double divergence() const;
  VariationalGaussian divergence_gradient() const;

  /// The draw xi that is made of these standard normals: eps, then eta.
  Vector draw(const VectorView& normals) const;

  /// Adds to `sum` weight times the derivative of L at such a draw, where L has the gradient g in xi.
  void add_slope(VariationalGaussian& sum, const VectorView& normals, const VectorView& g,
                 double weight) const;
};

struct VariationalOptions {
  Index rank = 0;           ///< r
  Index draws = 8;          ///< for each step, in pairs (normals, -normals)
  Index steps = 2000;       ///< at most; three quarters of them before there are directions
  Index window = 100;       ///< steps over which the ELBO is averaged
  double step = 0.03;       ///< of Adam, at the start
  double delay = 200;       ///< steps are step / (1 + t / delay)
  Index final_draws = 400;  ///< for the ELBO at the end
  std::uint64_t seed = 0;
};

/// Throws InvalidArgument about "rank", "draws", "steps", "window", "step", "delay" or "final_draws".
void validate(const VariationalOptions& options);

/// A mean over draws of q.
struct ElboEstimate {
  double value = 0;
  double standard_error = 0;
};

struct VariationalFit {
  VariationalGaussian q;
  ElboEstimate elbo;        ///< of q
  ElboEstimate prior_elbo;  ///< of N(0, I), by the same normals
  Vector trace;             ///< the ELBO's estimate at each step
  bool settled = false;     ///< it stopped because the ELBO no longer rose, not for want of steps
};

/// Each density is a workspace of the same L; draws of a step are shared among them. Steps end when the mean ELBO of a
/// window is not above that of the window before by more than the standard error of their difference, twice in a row.
/// The result is the mean of q's numbers over the last window: that with directions, the one before them, or the prior
/// itself, whichever has the largest ELBO by the same normals. It does not depend on the number of densities or threads. Draws that are impossible count as if they had not been made.
///
/// `progress(step, elbo)` is called after each step.
VariationalFit fit_variational(const std::vector<std::shared_ptr<DifferentiableLogDensity>>& densities,
                               const VariationalOptions& options = {},
                               const std::function<void(Index step, double elbo)>& progress = nullptr);

/// Draw number `row` of q, the first of a hundred attempts at which possible(xi, its stream) is true; throws
/// InvalidArgument about "draws" if none is.
void draw_possible(const VariationalGaussian& q, std::uint64_t seed, Index row,
                   const std::function<bool(const Vector& xi, const RandomStream& stream)>& possible);

/// `draws` independent draws of q as a posterior of one chain, each with z given the data: what Posterior predicts
/// from. Throws InvalidArgument about "draws" if there are none that are possible, or if the memory would not suffice.
PosteriorDraws draw_posterior(const VariationalGaussian& q, const std::shared_ptr<const LayerPrior>& prior,
                              const std::shared_ptr<const Data>& data, Index draws, std::uint64_t seed,
                              const MonitoredInputs& inputs = {});

/// The ELBO of q by `draws` draws.
ElboEstimate estimate_elbo(const std::vector<std::shared_ptr<DifferentiableLogDensity>>& densities,
                           const VariationalGaussian& q, Index draws, std::uint64_t seed);

}  // namespace ridgelet
