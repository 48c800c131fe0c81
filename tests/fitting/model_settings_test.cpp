#include "ridgelet/fitting/model_settings.hpp"

#include <gtest/gtest.h>

#include "ridgelet/assess/certificate.hpp"
#include "ridgelet/cubature/sobol_nodes.hpp"

namespace ridgelet {
namespace {

/// The error of what is chosen where nothing but the kernel is given, with rows of d inputs spread over [-5, 5]^d.
Certificate certificate_of_defaults(const std::string& kernel, Index d, Index rows) {
  ModelSettings model;
  model.kernel = kernel;
  const Matrix X = sobol_points_of(Box::cube(5, d), rows, 8);
  const Model built = build_model(model, {.domain = Box::cube(5, d), .margin = Vector::Ones(d)},
                                  {.inputs = X, .resolution = 0.1, .seed = 3});
  EXPECT_EQ(built.settings.nodes, "data");
  return certify(built.prior, X, {.replicates = 2, .seed = 3});
}

// One or two nodes tell all about a process of rank one or two, and next to nothing about a network.
TEST(DefaultModel, FollowsProcessesOfLowRankInOneInput) {
  EXPECT_LT(certificate_of_defaults("linear()", 1, 80).worst(), 0.001);
  EXPECT_LT(certificate_of_defaults("cosine(period=3)", 1, 80).worst(), 0.01);
  EXPECT_LT(certificate_of_defaults("outer(sin(x))", 1, 80).worst(), 0.01);
  EXPECT_LT(certificate_of_defaults("outer(sin(5*x))", 1, 80).worst(), 0.01);
}

TEST(DefaultModel, FollowsPeriodicProcesses) {
  EXPECT_LT(certificate_of_defaults("periodic(period=3)", 1, 80).worst(), 0.03);
  EXPECT_LT(certificate_of_defaults("periodic(period=3) + linear()", 1, 80).worst(), 0.02);
  EXPECT_LT(certificate_of_defaults("se(lengthscale=3) * periodic(period=1) + linear()", 1, 80).worst(),
            0.05);
  EXPECT_LT(certificate_of_defaults("periodic(period=3, active=[1]) + se(lengthscale=3)", 2, 100).worst(),
            0.05);
}

TEST(DefaultModel, LeavesOutInputsThatTheProcessDoesNotSee) {
  EXPECT_LT(certificate_of_defaults("periodic(period=3, active=[1])", 5, 150).worst(), 0.04);
  EXPECT_LT(certificate_of_defaults("linear(active=[2])", 3, 100).worst(), 0.001);
  EXPECT_LT(certificate_of_defaults("constant()", 2, 50).worst(), 0.001);
}

TEST(DefaultModel, FollowsProcessesOfLowRankInSeveralInputs) {
  EXPECT_LT(certificate_of_defaults("linear()", 2, 100).worst(), 0.001);
  EXPECT_LT(certificate_of_defaults("linear() + se(lengthscale=4)", 2, 100).worst(), 0.01);
  EXPECT_LT(certificate_of_defaults("linear()", 5, 150).worst(), 0.04);
  EXPECT_LT(certificate_of_defaults("linear()", 10, 150).worst(), 0.06);
}

}  // namespace
}  // namespace ridgelet
