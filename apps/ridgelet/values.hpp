/// Numbers as JSON has them, and as people read them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/core/text.hpp"
#include "ridgelet/core/types.hpp"
#include "ridgelet/transform/bandwidth.hpp"

namespace ridgelet::app {

using Json = nlohmann::ordered_json;

/// JSON knows neither NaN nor infinity.
inline Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// "a, b", or "'3,5', b": a name with a comma is quoted, so that nobody takes it for two.
inline std::string name_list(std::vector<std::string> names) {
  for (std::string& name : names)
    if (name.find(',') != std::string::npos) name = "'" + name + "'";
  return join(names);
}

inline Json name_or_null(const std::optional<std::string>& name) {
  return name ? Json(*name) : Json(nullptr);
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

/// "0.6667", or one for each input if they differ, with four digits.
inline std::string rounded(const Bandwidth& sigma_w, Index inputs) {
  std::vector<std::string> texts;
  for (Index k = 0; k < inputs; ++k) texts.push_back(fmt::format("{:.4g}", sigma_w[k]));
  if (std::ranges::count(texts, texts.front()) == inputs) texts.resize(1);
  return join(texts, ",");
}

}  // namespace ridgelet::app
