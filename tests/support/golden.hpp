/// The reference values of tests/golden/golden.json (its README says how they were made).
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet::testing {

inline const nlohmann::json& golden() {
  static const nlohmann::json values =
      nlohmann::json::parse(std::ifstream(std::string(TEST_DATA_DIR) + "/golden/golden.json"));
  return values;
}

inline Vector as_vector(const nlohmann::json& list) {
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

inline Matrix as_matrix(const nlohmann::json& rows) {
  Matrix matrix(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < matrix.rows(); ++i)
    matrix.row(i) = as_vector(rows.at(static_cast<std::size_t>(i))).transpose();
  return matrix;
}

}  // namespace ridgelet::testing
