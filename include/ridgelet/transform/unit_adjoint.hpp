/// The way back through hidden units: derivatives of a number in their outputs become derivatives in weights, biases
/// and inputs.
///
/// A bar marks the derivative of that number: xbar = d/dx. Unit i sees z_ji = c_0(j) + x_j . W_i + b_i of site j, and a
/// network's sum of its units is values = phi(z) w. Given the derivative of what comes out, for the sum
///   wbar = phi(z)^T valuesbar,   zbar = phi'(z) o (valuesbar w^T)   (o entry by entry),
/// and then, for any function of z,
///   Wbar = zbar^T X,   bbar = zbar^T 1,   c_0bar = zbar 1,   xbar = zbar W.
/// Sites pass in pieces and threads take shares of units, each the same whatever the number of threads
/// (block_sizes.hpp); what units say of a site is added in the order of the shares. Cost of a sum's adjoint: two
/// products of the size of the sum's own. Memory: a piece of sites x a share of units for each thread and, in deeper
/// layers, a lap's shares of sites x (1 + inputs).
///
/// Reference: Griewank and Walther, Evaluating Derivatives (2008), Chapter 3.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/transform/member_buffers.hpp"
#include "ridgelet/transform/preactivations.hpp"

namespace ridgelet {

/// Consecutive units of a layer.
struct UnitRange {
  Index first = 0;
  Index count = 0;
};

/// A workspace: going back again with no more sites and units than before allocates nothing.
class UnitAdjoint {
 public:
  explicit UnitAdjoint(const BlockSizes& blocks = {}) : blocks_(blocks) {}

  /// Adds to layer_bar the derivatives in weights and biases of the units of `range`, which are seen.layer()'s own, and
  /// to sites_bar, if it is given, the derivatives d/d[c_0, x] in what they see of the sites (sites x (1 + inputs)).
  /// differentiate(member, first, site, z) overwrites z, what units from `first` on see of sites from `site` on, with
  /// zbar; several threads call it at the same time. A piece has at most `site_block` sites.
  template <class Differentiate>
  void accumulate(const Preactivations& seen, UnitRange range, HiddenLayer& layer_bar,
                  std::optional<MatrixSpan> sites_bar, Index site_block, Differentiate&& differentiate) {
    const Index share = blocks_.share_of(range.count), lap = sites_bar ? blocks_.lap : range.count;
    pieces_.make_room(share * std::min(site_block, seen.sites()));
    for (Index site = 0; site < seen.sites(); site += site_block)
      for (Index start = 0; start < range.count; start += lap) {
        const Index rows = std::min(site_block, seen.sites() - site),
                    stop = std::min(range.count, start + lap);
        const Index shares = (stop - start + share - 1) / share;
        if (sites_bar) make_room_for_sums(shares, rows, sites_bar->cols());
        parallel_for_members(shares, [&](int member, Index p) {
          const Index i = start + p * share;
          const UnitRange units{.first = range.first + i, .count = std::min(share, stop - i)};
          auto z = pieces_.of(member, rows, units.count);
          seen.evaluate_piece(units.first, site, z, [](std::span<double>) {});
          differentiate(member, units.first, site, MatrixSpan(z));
          add_to_layer(seen, units, site, z, layer_bar);
          if (sites_bar) set_sum(p, seen.layer(), units, z);
        });
        for (Index p = 0; sites_bar && p < shares; ++p)
          sites_bar->middleRows(site, rows) += sum(p, rows, sites_bar->cols());
      }
  }

 private:
  void make_room_for_sums(Index shares, Index rows, Index cols);
  Eigen::Map<Matrix> sum(Index share, Index rows, Index cols);

  static void add_to_layer(const Preactivations& seen, UnitRange units, Index site, const MatrixView& zbar,
                           HiddenLayer& layer_bar);
  void set_sum(Index share, const HiddenLayer& layer, UnitRange units, const MatrixView& zbar);

  BlockSizes blocks_;
  MemberBuffers pieces_;
  std::vector<Vector> sums_;  ///< [c_0bar, xbar] of each share of units
};

/// The adjoint of FeatureProduct for units of one layer.
class FeatureAdjoint {
 public:
  explicit FeatureAdjoint(const BlockSizes& blocks = {}) : blocks_(blocks), units_(blocks) {}

  /// Row i of `weights` and `weights_bar` belongs to unit first + i of seen.layer()'s own. Adds to weights_bar,
  /// layer_bar and sites_bar.
  void accumulate(const Activation& activation, const Preactivations& seen, Index first,
                  const MatrixView& weights, const MatrixView& values_bar, MatrixSpan weights_bar,
                  HiddenLayer& layer_bar, std::optional<MatrixSpan> sites_bar);

 private:
  BlockSizes blocks_;
  UnitAdjoint units_;
  MemberBuffers features_;
};

}  // namespace ridgelet
