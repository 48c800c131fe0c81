/// What Python holds of a fitted network.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "fitted_network.hpp"
#include "ridgelet/fitting/shipped_network.hpp"

namespace ridgelet::python {

/// The network never changes, so copies share it. The fit that it came from is kept for pickling and for other exports.
class Shipped {
 public:
  explicit Shipped(FittedNetwork source, std::optional<Index> draws = std::nullopt)
      : network_(std::make_shared<const ShippedNetwork>(ship_network(source.model(), {.draws = draws}))),
        source_(std::move(source)),
        draws_(draws) {}

  const ShippedNetwork& operator*() const { return *network_; }
  const ShippedNetwork* operator->() const { return network_.get(); }
  const FittedNetwork& source() const { return source_; }
  std::optional<Index> draws() const { return draws_; }

 private:
  std::shared_ptr<const ShippedNetwork> network_;
  FittedNetwork source_;
  std::optional<Index> draws_;  ///< of sampled hidden layers, where a number was asked for
};

}  // namespace ridgelet::python
