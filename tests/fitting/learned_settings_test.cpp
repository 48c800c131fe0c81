#include "ridgelet/fitting/learned_settings.hpp"

#include <gtest/gtest.h>

#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

/// Learned with the second lengthscale at its upper bound.
LearnedSettings with_long_lengthscale(const Vector& relevance) {
  LearnedSettings learned;
  learned.target =
      LearnedTarget{.process = {.kernel = parse_kernel("se(lengthscale=[1, 1000])")},
                    .noise = {},
                    .rows = {},
                    .starts = {},
                    .at_bounds = {{.parameter = "se.lengthscale[2]", .value = 1000, .upper = true}}};
  learned.relevance = relevance;
  return learned;
}

TEST(Findings, NameALengthscaleAtItsUpperBoundOrTheInputThatHardlyMatters) {
  const std::vector<std::string> inputs = {"a", "b"};
  EXPECT_EQ(findings(with_long_lengthscale(Vector{{0.5, 1e-4}}), inputs),
            std::vector<std::string>{"b hardly matters"});
  EXPECT_EQ(findings(with_long_lengthscale(Vector{{0.5, 0.2}}), inputs),
            std::vector<std::string>{"se.lengthscale[2] ended at its upper bound, 1e+03"});
}

TEST(Findings, NameALengthscaleAtItsUpperBoundWhereNoRelevanceIsKnown) {
  EXPECT_EQ(findings(with_long_lengthscale({}), {"a", "b"}),
            std::vector<std::string>{"se.lengthscale[2] ended at its upper bound, 1e+03"});
}

}  // namespace
}  // namespace ridgelet
