/// What Python holds of a fit: all of it, or the model that was read from a results file, together with that file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ridgelet/fitting/fit.hpp"

namespace ridgelet::python {

class FittedNetwork {
 public:
  explicit FittedNetwork(std::shared_ptr<const Fit> fit) : fit_(std::move(fit)), model_(fit_, &fit_->model) {}

  /// From a results file, whose bytes are kept: saving writes them again. Throws as read_results does.
  static FittedNetwork load(const std::string& path);
  static FittedNetwork from_results(std::string bytes);

  const FittedModel& model() const { return *model_; }
  Index inputs() const { return model_->regression().table().X.cols(); }

  /// Where the inputs stand in an array that still has the columns that were left out of the fit, as the names x1, x2,
  /// ... of all of them say; none if an array of so many columns is another.
  std::optional<std::vector<Index>> places_among(Index columns) const;

  /// Writes the results file. Throws IoError.
  void save(const std::string& path) const;

  /// The bytes of the results file.
  std::string results() const;

 private:
  FittedNetwork(FittedModel model, std::string file)
      : file_(std::make_shared<const std::string>(std::move(file))),
        model_(std::make_shared<const FittedModel>(std::move(model))) {}

  std::shared_ptr<const Fit> fit_;
  std::shared_ptr<const std::string> file_;  ///< its bytes, if there is no fit_
  std::shared_ptr<const FittedModel> model_;
};

}  // namespace ridgelet::python
