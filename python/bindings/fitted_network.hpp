/// What Python holds of a fit: all of it, or what a results file gave back.
#pragma once

#include <memory>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/fitting/fit.hpp"

namespace ridgelet::python {

class FittedNetwork {
 public:
  explicit FittedNetwork(std::shared_ptr<const Fit> fit) : fit_(std::move(fit)), model_(fit_, &fit_->model) {}
  explicit FittedNetwork(std::shared_ptr<const FittedModel> model) : model_(std::move(model)) {}

  const FittedModel& model() const { return *model_; }

  /// The model with what its results file shows beside it.
  const Fit& whole() const {
    if (!fit_) throw InvalidArgument("save", "is for a new fit; this one was loaded, so copy its file");
    return *fit_;
  }

 private:
  std::shared_ptr<const Fit> fit_;
  std::shared_ptr<const FittedModel> model_;
};

}  // namespace ridgelet::python
