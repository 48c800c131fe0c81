/// What Python holds of a fitted network.
#pragma once

#include <memory>
#include <utility>

#include "fitted_network.hpp"
#include "ridgelet/fitting/shipped_network.hpp"

namespace ridgelet::python {

/// It never changes, so copies share it. The fit that it came from is kept for pickling.
class Shipped {
 public:
  explicit Shipped(FittedNetwork source)
      : network_(std::make_shared<const ShippedNetwork>(ship_network(source.model()))),
        source_(std::move(source)) {}

  const ShippedNetwork& operator*() const { return *network_; }
  const ShippedNetwork* operator->() const { return network_.get(); }
  const FittedNetwork& source() const { return source_; }

 private:
  std::shared_ptr<const ShippedNetwork> network_;
  FittedNetwork source_;
};

}  // namespace ridgelet::python
