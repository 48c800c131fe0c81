/// What Python holds of a fitted network.
#pragma once

#include <memory>
#include <utility>

#include "ridgelet/fitting/shipped_network.hpp"

namespace ridgelet::python {

/// It never changes, so copies share it.
class Shipped {
 public:
  explicit Shipped(ShippedNetwork network)
      : network_(std::make_shared<const ShippedNetwork>(std::move(network))) {}

  const ShippedNetwork& operator*() const { return *network_; }
  const ShippedNetwork* operator->() const { return network_.get(); }

 private:
  std::shared_ptr<const ShippedNetwork> network_;
};

}  // namespace ridgelet::python
