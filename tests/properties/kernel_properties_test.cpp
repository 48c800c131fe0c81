// What holds for every kernel and every mean that can be written down, in one to three inputs.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "any_model.hpp"
#include "expectations.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

using testing::any_inputs;
using testing::any_kernel_text;
using testing::any_mean_text;
using testing::relative_error;
using testing::tolerance::two_routes;

RC_GTEST_PROP(AnyKernel, IsSymmetricAndPositiveSemiDefinite, ()) {
  const Index d = *rc::gen::inRange<Index>(1, 4);
  const Kernel k = parse_kernel(any_kernel_text(2, d));
  const Matrix X = any_inputs(*rc::gen::inRange<Index>(1, 16), d), K = k.matrix(X, X);
  RC_ASSERT(relative_error(K.transpose(), K) < two_routes);
  RC_ASSERT(relative_error(K.diagonal(), k.diagonal(X)) < two_routes);
  RC_ASSERT(Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues().minCoeff() >= -two_routes * K.trace());
}

RC_GTEST_PROP(AnyKernel, OfAllPairsIsThatOfEachPair, ()) {
  const Index d = *rc::gen::inRange<Index>(1, 4);
  const Kernel k = parse_kernel(any_kernel_text(2, d));
  const Matrix X = any_inputs(5, d), Y = any_inputs(4, d), K = k.matrix(X, Y);
  const double scale = std::sqrt(k.diagonal(X).maxCoeff() * k.diagonal(Y).maxCoeff());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < Y.rows(); ++j)
      RC_ASSERT(std::abs(K(i, j) - k.matrix(X.row(i), Y.row(j))(0, 0)) <= two_routes * scale);
}

RC_GTEST_PROP(AnyKernel, HasTheSlopesOfItsDifferences, ()) {
  const Kernel k = parse_kernel(any_kernel_text(2, 2));
  const Matrix X = any_inputs(6, 2);
  const std::vector<KernelParameter> parameters = k.parameters();
  Vector values(static_cast<Index>(parameters.size()));
  for (Index p = 0; p < values.size(); ++p) values(p) = parameters[static_cast<std::size_t>(p)].value;
  constexpr double step = 1e-5;
  const double scale = k.diagonal(X).maxCoeff();
  k.visit_derivatives(X, X, [&](Index p, const Matrix& dK) {
    const auto moved = [&](double by) {
      Vector other = values;
      other(p) *= std::exp(by);
      return k.with_parameters(other).matrix(X, X);
    };
    // Five points: the error of the rule is of fourth order in the step.
    const Matrix difference =
        (8 * (moved(step) - moved(-step)) - (moved(2 * step) - moved(-2 * step))) / (12 * step);
    RC_ASSERT((dK - difference).cwiseAbs().maxCoeff() <= 1e-6 * scale);
  });
}

RC_GTEST_PROP(AnyKernel, IsReadBackFromItsText, ()) {
  const Kernel k = parse_kernel(any_kernel_text(3, 2)), again = parse_kernel(k.text());
  const Matrix X = any_inputs(5, 2);
  RC_ASSERT(again.text() == k.text());
  RC_ASSERT(again.matrix(X, X) == k.matrix(X, X));
}

RC_GTEST_PROP(AnyMean, IsReadBackFromItsTextWithAnyCoefficients, ()) {
  const MeanFunction m(any_mean_text(3, 2));
  const Matrix X = any_inputs(5, 2);
  RC_ASSERT(MeanFunction(m.text())(X) == m(X));
  const Vector other = any_inputs(m.coefficients().size(), 1);
  const MeanFunction moved = m.with_coefficients(other), again(moved.text());
  RC_ASSERT(moved.coefficients() == other);
  RC_ASSERT(again.coefficients() == other);
  RC_ASSERT(again.text() == moved.text());
  RC_ASSERT(again(X) == moved(X));
}

}  // namespace
}  // namespace ridgelet
