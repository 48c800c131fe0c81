/// The short ladder of correctness: truths that the program can check on any machine in a few seconds, from the
/// processor's arithmetic up to calibration. Each rung rests on those before it, so the first that fails says where
/// to look. docs/correctness.md has the long ladder, which is the test suite.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ridgelet/core/random.hpp"

namespace ridgelet::app {

/// One truth. Errors of `statistical` rungs are in standard errors, those of others are relative to what is compared.
struct Rung {
  std::string name;
  std::string compares;  ///< the two sides, in words
  double tolerance;
  bool statistical;
  std::function<double(std::uint64_t seed)> error;
};

/// Closed forms: doubles, activations, linear algebra, kernels and the exact process.
std::vector<Rung> arithmetic_rungs();

/// Two routes to one number: networks, their prior and posterior, fits and files.
std::vector<Rung> model_rungs();

/// What holds up to chance: random numbers, calibration, coverage.
std::vector<Rung> statistical_rungs();

inline Rung exact_rung(std::string name, std::string compares, double tolerance,
                       double (*error)(std::uint64_t seed)) {
  return {std::move(name), std::move(compares), tolerance, false, error};
}

/// Largest |a - b| relative to the largest |b|.
inline double distance(const MatrixView& a, const MatrixView& b) {
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

inline Matrix numbers_from(std::uint64_t seed, std::uint32_t part, Index rows, Index cols = 1) {
  return RandomStream{.seed = seed, .purpose = Purpose::evaluation_points, .replicate = part}.normals(rows,
                                                                                                      cols);
}

}  // namespace ridgelet::app
