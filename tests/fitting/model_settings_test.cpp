#include "ridgelet/fitting/model_settings.hpp"

#include <gtest/gtest.h>

#include "ridgelet/assess/certificate.hpp"
#include "ridgelet/cubature/sobol_nodes.hpp"

namespace ridgelet {
namespace {

Matrix spread_rows(Index d, Index rows) {
  return sobol_points_of(Box::cube(5, d), rows, 8);
}

/// The model for these rows on [-5, 5]^d.
Model model_of(const ModelSettings& settings, const Matrix& X) {
  const Index d = X.cols();
  return build_model(settings, {.domain = Box::cube(5, d), .margin = Vector::Ones(d)},
                     {.inputs = X, .resolution = 0.1, .seed = 3});
}

/// The error of what is chosen where nothing but the kernel is given, with rows of d inputs spread over [-5, 5]^d.
Certificate certificate_of_defaults(const std::string& kernel, Index d, Index rows) {
  const Matrix X = spread_rows(d, rows);
  ModelSettings model;
  model.kernel = kernel;
  const Model built = model_of(model, X);
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

TEST(DefaultModel, TakesMoreNodesRatherThanManyUnitsOnEachOfThem) {
  const Matrix X = spread_rows(2, 300);
  const auto error_of = [&](const Model& built) {
    return certify(built.prior, X, {.replicates = 2, .seed = 3}).worst();
  };
  ModelSettings open;
  open.kernel = "se(lengthscale=2)";
  const Model built = model_of(open, X);
  const Index nodes = built.prior.options().nodes.size();
  EXPECT_LT(built.prior.units(), 4 * nodes);
  // With a number of units that a person gave, the nodes are the fewest that tell the process.
  ModelSettings wide = open;
  wide.units = 4 * built.prior.units();
  const Model on_few_nodes = model_of(wide, X);
  EXPECT_LT(on_few_nodes.prior.options().nodes.size(), nodes);
  EXPECT_LT(error_of(built), error_of(on_few_nodes));
}

TEST(DefaultModel, DoesNotLetRoundingChooseItsNodes) {
  // Nearly no noise: the fewest nodes already leave as little as doubles can tell.
  const auto nodes_of = [](std::optional<Index> units) {
    ModelSettings model;
    model.kernel = "se(lengthscale=1)";
    model.units = units;
    const Model built = build_model(model, {.domain = Box::cube(5, 1), .margin = Vector::Ones(1)},
                                    {.inputs = spread_rows(1, 200), .resolution = 1e-7, .seed = 3});
    return built.prior.options().nodes.size();
  };
  EXPECT_EQ(nodes_of(std::nullopt), nodes_of(100));
}

TEST(DefaultModel, TakesNoMoreNodesThanItMay) {
  ModelSettings model;
  model.kernel = "se(lengthscale=2)";
  model.points = 40;
  EXPECT_EQ(model_of(model, spread_rows(2, 300)).prior.options().nodes.size(), 40);
}

}  // namespace
}  // namespace ridgelet
