/// A table of classes, and a fit of a response that is not Gaussian, small and with a kernel that is given.
#pragma once

#include <string>
#include <utility>

#include "ridgelet/core/random.hpp"
#include "ridgelet/fitting/fit.hpp"

namespace ridgelet::testing {

/// Three classes are cut from x1 + noise / 2 at -0.5 and 0.5, two at 0; inputs beyond the first do not matter.
inline RegressionTable table_of_classes(Index classes, Index inputs, Index rows, std::uint64_t seed = 4) {
  const Matrix X = RandomStream{.seed = seed}.normals(rows, inputs).cwiseMax(-2).cwiseMin(2);
  const Vector score = X.col(0) + 0.5 * RandomStream{.seed = seed + 1}.normals(rows);
  Matrix Y(rows, 1);
  for (Index i = 0; i < rows; ++i)
    Y(i, 0) = classes == 2 ? (score(i) > 0 ? 1 : 0) : (score(i) > 0.5 ? 2 : score(i) > -0.5 ? 1 : 0);
  RegressionTable table{.inputs = {}, .outputs = {"kind"}, .X = X, .Y = Y};
  for (Index k = 1; k <= inputs; ++k) table.inputs.push_back("x" + std::to_string(k));
  table.encoding = TableEncoding::of_numbers(table.inputs, table.outputs);
  table.encoding.outputs[0].levels = {"low", "mid", "top"};
  if (classes == 2) table.encoding.outputs[0].levels = {"low", "top"};
  return table;
}

inline Fit small_latent_fit_with_view(RegressionTable table, const std::string& kernel,
                                      const std::string& likelihood) {
  FitSettings settings;
  settings.regression.model.kernel = kernel;
  settings.regression.model.units = 40;
  settings.regression.model.standardise = true;
  settings.regression.model.likelihood = likelihood;
  return fit(std::move(table), settings);
}

inline FittedModel small_latent_fit(RegressionTable table, const std::string& kernel,
                                    const std::string& likelihood) {
  return small_latent_fit_with_view(std::move(table), kernel, likelihood).model;
}

}  // namespace ridgelet::testing
