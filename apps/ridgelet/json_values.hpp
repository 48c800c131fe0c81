/// Numbers as JSON has them.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "ridgelet/core/types.hpp"
#include "ridgelet/transform/bandwidth.hpp"

namespace ridgelet::app {

using Json = nlohmann::ordered_json;

/// JSON knows neither NaN nor infinity.
inline Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// One number if all are the same.
inline Json one_or_several(const Vector& values) {
  if (values.minCoeff() == values.maxCoeff()) return values(0);
  return std::vector<double>(values.begin(), values.end());
}

/// The bandwidth of each input.
inline Vector numbers_of(const Bandwidth& sigma_w, Index inputs) {
  Vector values(inputs);
  for (Index k = 0; k < inputs; ++k) values(k) = sigma_w[k];
  return values;
}

}  // namespace ridgelet::app
