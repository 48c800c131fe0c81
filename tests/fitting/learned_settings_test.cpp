#include "ridgelet/fitting/learned_settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/core/random.hpp"
#include "ridgelet/fitting/latent_response.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/relevance.hpp"

namespace ridgelet {
namespace {

/// Learned with the second lengthscale at its upper bound.
LearnedSettings with_long_lengthscale(const std::vector<Index>& irrelevant) {
  LearnedSettings learned;
  learned.target =
      LearnedTarget{.process = {.kernel = parse_kernel("se(lengthscale=[1, 1000])")},
                    .noise = {},
                    .rows = {},
                    .starts = {},
                    .at_bounds = {{.parameter = "se.lengthscale[2]", .value = 1000, .upper = true}}};
  learned.irrelevant = irrelevant;
  return learned;
}

/// Inputs a, b, whose logarithms are `spread` times normal numbers.
RegressionTable two_inputs(double spread) {
  const Matrix X = (spread * RandomStream{.seed = 3}.normals(300, 2)).array().exp();
  return {.inputs = {"a", "b"}, .outputs = {"y"}, .X = X, .Y = X.rowwise().sum()};
}

TEST(Findings, NameColumnsWhoseLogarithmsWouldServeBetter) {
  LearnedSettings learned = with_long_lengthscale({});
  learned.target->at_bounds.clear();
  EXPECT_EQ(findings(learned, two_inputs(2)),
            std::vector<std::string>{"columns a, b are positive and strongly skewed: their logarithms would "
                                     "serve better, log(a) in --x and so on"});
  EXPECT_EQ(findings(learned, two_inputs(0.3)), std::vector<std::string>{});
}

TEST(Findings, NameALengthscaleAtItsUpperBoundOrTheInputThatHardlyMatters) {
  const RegressionTable table = two_inputs(0.3);
  EXPECT_EQ(findings(with_long_lengthscale({1}), table), std::vector<std::string>{"b hardly matters"});
  LearnedSettings learned = with_long_lengthscale({});
  EXPECT_EQ(findings(learned, table),
            std::vector<std::string>{
                "learning ended with se.lengthscale[2] at its upper bound, 1e+03 in the units of the table"});
  learned.settings.model.standardise = true;
  EXPECT_EQ(findings(learned, table),
            std::vector<std::string>{
                "learning ended with se.lengthscale[2] at its upper bound, 1e+03 in standardised columns"});
}

/// Starts that ended so far below the best, which is the first.
LearnedSettings with_starts_below(const std::vector<double>& below) {
  LearnedSettings learned = with_long_lengthscale({});
  learned.target->at_bounds.clear();
  learned.target->starts.push_back({.process = learned.target->process, .noise = {}, .message = {}});
  for (const double each : below) {
    learned.target->starts.push_back(learned.target->starts.front());
    learned.target->starts.back().objective = -each;
  }
  return learned;
}

TEST(Findings, SpeakOfSeveralExplanationsOnlyWhereOneIsNearlyAsGoodAsTheBest) {
  const RegressionTable table = two_inputs(0.3);
  const auto of_starts = [&](const std::vector<double>& below) {
    return findings(with_starts_below(below), table);
  };
  using Sentences = std::vector<std::string>;
  EXPECT_EQ(of_starts({0, 0.4, 0}), Sentences{});
  EXPECT_EQ(of_starts({0, 437.8, 0}), Sentences{});
  const std::string several =
      "2 of 4 starts ended up to 5.4 below the best in log evidence: there are several explanations of the "
      "data";
  EXPECT_EQ(of_starts({5.4, 2, 0}), Sentences{several});
  EXPECT_EQ(of_starts({437.8, 105, 0}),
            Sentences{"2 of 4 starts ended more than 10 below the best in log evidence; the best is taken"});
  EXPECT_EQ(of_starts({437.8, 105, 2}).size(), 2u);
}

TEST(Findings, NameAWildResponseOfGaussianNoiseAlone) {
  LearnedSettings learned = with_starts_below({});
  RegressionTable table = two_inputs(0.3);
  table.Y(17, 0) = 1e4;
  ASSERT_EQ(findings(learned, table).size(), 1u);
  EXPECT_TRUE(findings(learned, table)[0].starts_with("10000 in row 18 of column y lies far from all"));
  learned.settings.model.likelihood = "student";
  EXPECT_EQ(findings(learned, table), std::vector<std::string>{});
}

TEST(Findings, SayThatATextHardlyMattersOnlyIfNoneOfItsLevelsMatters) {
  const RegressionTable table{
      .inputs = {"region=east", "region=west", "a"},
      .outputs = {"y"},
      .X = Matrix::Identity(3, 3),
      .Y = Matrix::Ones(3, 1),
      .encoding = {.inputs = {{.name = "region", .kind = ColumnKind::levels, .levels = {"east", "west"}},
                              {.name = "a"}}}};
  LearnedSettings learned = with_long_lengthscale({1});
  EXPECT_TRUE(irrelevant_columns(learned, table.encoding).empty());
  EXPECT_TRUE(findings(learned, table).empty());
  learned.irrelevant = {0, 1};
  EXPECT_EQ(findings(learned, table), std::vector<std::string>{"region hardly matters"});
  learned.irrelevant = {1, 2};
  EXPECT_EQ(irrelevant_columns(learned, table.encoding), std::vector<std::string>{"a"});
}

/// y = 10 a + b + 0.05 e, with two more inputs.
TEST(LearnedSettings, KeepSilentAboutAnInputWhoseEffectIsLargeBesideTheNoise) {
  RegressionTable table;
  table.X = RandomStream{.seed = 1}.normals(200, 4);
  table.Y = 10 * table.X.col(0) + table.X.col(1) + 0.05 * RandomStream{.seed = 2}.normals(200);
  table.inputs = {"a", "b", "c", "d"};
  table.outputs = {"y"};
  const LearnedSettings learned = learn_settings(table, {}, {});
  EXPECT_EQ(irrelevant_columns(learned, encoding_of(table)), (std::vector<std::string>{"c", "d"}));
}

/// A linear function of `inputs` inputs, a few rows of it.
RegressionTable few_rows(Index rows, Index inputs) {
  RegressionTable table;
  table.X = RandomStream{.seed = 1}.normals(rows, inputs);
  table.Y = table.X.rowwise().sum() + 0.3 * RandomStream{.seed = 2}.normals(rows);
  for (Index k = 0; k < inputs; ++k) table.inputs.push_back("x" + std::to_string(k + 1));
  table.outputs = {"y"};
  return table;
}

TEST(LearnedSettings, ShareALengthscaleAmongMoreInputsThanRowsAndSaySo) {
  const RegressionTable table = few_rows(15, 20);
  const LearnedSettings learned = learn_settings(table, {}, {});
  EXPECT_EQ(learned.by_default->lengthscales, Lengthscales::shared);
  EXPECT_EQ(learned.target->learned, 3);
  EXPECT_EQ(learned.relevance.size(), 0);
  EXPECT_EQ(
      findings(learned, table).front(),
      "15 rows are too few to tell 20 lengthscales apart, so all inputs share one, in standard deviations "
      "of each");
}

/// Numbers from 0 to 16 in every column, as pixels have them: bright ones by turns in the first three columns, which
/// make up the response, and hardly ever in the others.
RegressionTable pixels() {
  const Index rows = 40, inputs = 12;
  RegressionTable table = few_rows(rows, inputs);
  const Matrix bright = (RandomStream{.seed = 4}.normals(rows, 3).array() / 4 + 0.5).max(0).min(1);
  table.X.setZero();
  table.X.leftCols(3) = (16 * bright.array()).round();
  for (Index k = 3; k < inputs; ++k) table.X(k, k) = 1;
  table.X.row(0).setZero();
  table.X.row(1).setConstant(16);
  table.Y = (table.X.leftCols(3).rowwise().sum().array() / 8).sin().matrix() +
            0.05 * RandomStream{.seed = 5}.normals(rows);
  return table;
}

TEST(LearnedSettings, ShareALengthscaleInTheUnitOfColumnsThatHaveOneAndSaySo) {
  const RegressionTable table = pixels();
  const LearnedSettings learned = learn_settings(table, {}, {});
  ASSERT_EQ(learned.by_default->lengthscales, Lengthscales::common);
  EXPECT_EQ(learned.target->learned, 3);
  EXPECT_EQ(learned.relevance.size(), 0);
  EXPECT_TRUE(
      findings(learned, table)
          .front()
          .starts_with("40 rows are too few to tell 12 lengthscales apart, so all inputs share one, in the "
                       "unit that the columns have in common (log evidence"));
  const Vector scale = table.standardised_inputs().scale;
  const std::vector<KernelParameter> parameters = learned.target->process.kernel.parameters();
  for (Index k = 1; k < 12; ++k)
    EXPECT_NEAR(parameters[static_cast<std::size_t>(k + 1)].value * scale(k), parameters[1].value * scale(0),
                1e-9 * parameters[1].value * scale(0));
}

TEST(LearnedSettings, SayWhereTheInputsExplainNothing) {
  RegressionTable table = few_rows(40, 12);
  const std::string sentence =
      "the inputs explain hardly anything of the response: nearly all of it is noise";
  const auto says = [&] {
    const std::vector<std::string> all = findings(learn_settings(table, {}, {}), table);
    return std::ranges::find(all, sentence) != all.end();
  };
  EXPECT_FALSE(says());
  table.Y = 1e-6 * RandomStream{.seed = 3}.normals(40, 1);
  EXPECT_TRUE(says());
}

TEST(LearnedSettings, CompareLengthscalesByTheRowsThatAreLearnedFrom) {
  const RegressionTable table = few_rows(120, 4);
  EXPECT_FALSE(learn_settings(table, {}, {}).by_default->other_score);
  EXPECT_TRUE(learn_settings(table, {}, {.rows = 30}).by_default->other_score);
}

/// Counts whose logarithm depends on the first of three inputs; their rates vary by a factor of `spread` besides.
RegressionTable counts(double spread, Index rows = 150) {
  const RandomStream stream{.seed = 12};
  const Matrix normals = stream.normals(rows, 4);
  const LikelihoodPointer poisson = parse_likelihood("poisson");
  RegressionTable table{
      .inputs = {"a", "b", "c"}, .outputs = {"n"}, .X = normals.leftCols(3), .Y = Matrix(rows, 1)};
  for (Index i = 0; i < rows; ++i) {
    const double f = 2 + std::sin(2 * normals(i, 0)) + spread * normals(i, 3);
    poisson->draw(&f, stream.uniform(1000 + static_cast<std::uint64_t>(i)), &table.Y(i, 0));
  }
  return table;
}

LearnedSettings learned_counts(const RegressionTable& table, std::optional<Index> rows = std::nullopt) {
  RegressionSettings settings;
  settings.model.likelihood = "poisson";
  LearnSettings how;
  how.rows = rows;
  return learn_settings(table, settings, how);
}

TEST(LearnedSettings, NameInputsThatHardlyMatterForCounts) {
  const RegressionTable table = counts(0, 400);
  const LearnedSettings learned = learned_counts(table);
  EXPECT_EQ(irrelevant_columns(learned, encoding_of(table)), (std::vector<std::string>{"b", "c"}));
  EXPECT_GT(learned.relevance(0), hardly_relevant);
}

TEST(LearnedSettings, SayThatCountsVaryMoreThanPoissonsWhereTheyDo) {
  const auto says_so = [](double spread) {
    const RegressionTable table = counts(spread);
    const std::vector<std::string> said = findings(learned_counts(table), table);
    return std::ranges::any_of(said, [](const std::string& each) {
      return each.starts_with("counts vary more than poisson allows: --likelihood negative-binomial is ");
    });
  };
  EXPECT_FALSE(says_so(0));
  EXPECT_TRUE(says_so(0.7));
}

TEST(LearnedSettings, LearnCountsOnAsManyRowsAsWereAskedFor) {
  const RegressionTable table = counts(0);
  EXPECT_EQ(learned_counts(table, 40).target->rows.size(), 40);
  EXPECT_EQ(learned_counts(table).target->rows.size(), 150);
  Matrix many = table.X.replicate(5, 1);
  many.col(2) += 0.1 * RandomStream{.seed = 4}.normals(many.rows(), 1);
  const RegressionTable large{
      .inputs = table.inputs, .outputs = table.outputs, .X = many, .Y = table.Y.replicate(5, 1)};
  EXPECT_EQ(learned_counts(large).target->rows.size(), 500);
  EXPECT_EQ(learned_counts(large, 600).target->rows.size(), 600);
}

TEST(LearnedSettings, RaiseANoiseThatRoundingWouldShowThroughAndSaySo) {
  const Matrix X = RandomStream{.seed = 3}.normals(200, 2);
  const RegressionTable sum{.inputs = {"a", "b"}, .outputs = {"y"}, .X = X, .Y = X.rowwise().sum()};
  const LearnedSettings learned = learn_settings(sum, {}, {});
  ASSERT_TRUE(learned.noise_raised);
  const double variance = learned.target->process.kernel.diagonal(X(learned.target->rows, Eigen::all)).mean();
  EXPECT_DOUBLE_EQ(learned.target->noise(0), noise_above_rounding(variance, 200));
  const std::vector<std::string> said = findings(learned, sum);
  EXPECT_TRUE(std::ranges::any_of(said, [](const std::string& each) {
    return each.starts_with("the noise is raised to ") &&
           each.ends_with(" in standardised columns: below, rounding would show in predictions");
  }));
}

TEST(Findings, SayWhatALikelihoodIsWhoseNumberIsAsLargeAsCanBe) {
  LearnedSettings learned = with_long_lengthscale({1});
  learned.target->at_bounds = {{.parameter = "shape", .value = 10000, .upper = true},
                               {.parameter = "degrees", .value = 200, .upper = true},
                               {.parameter = "degrees", .value = 2.1, .upper = false}};
  const std::vector<std::string> said = findings(learned, two_inputs(0.3));
  EXPECT_EQ(
      said[0],
      "learning ended with shape at its upper bound, 1e+04: the counts hardly vary more than poisson has "
      "them");
  EXPECT_EQ(said[1],
            "learning ended with degrees at its upper bound, 200: the noise is hardly other than gaussian");
  EXPECT_EQ(said[2], "learning ended with degrees at its lower bound, 2.1");
}

TEST(LearnedSettings, LeaveAKernelThatIsGivenItsLengthscales) {
  RegressionSettings settings;
  settings.model.kernel = "se(lengthscale=[1, 1, 1, 1])";
  const LearnedSettings learned = learn_settings(few_rows(6, 4), settings, {.learn = true});
  EXPECT_FALSE(learned.by_default);
  EXPECT_EQ(learned.target->learned, 6);
}

}  // namespace
}  // namespace ridgelet
