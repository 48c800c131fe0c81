#include "ridgelet/fitting/remedies.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "expectations.hpp"

namespace ridgelet {
namespace {

RegressionTable monthly() {
  const Vector t = Vector::LinSpaced(144, 1949, 1960.9);
  return {
      .inputs = {"year"}, .outputs = {"y"}, .X = t, .Y = (6 * t.array()).sin() + 0.3 * (t.array() - 1955)};
}

RegressionSettings rough(const std::string& operator_name) {
  RegressionSettings settings;
  settings.model.kernel = "se(lengthscale=0.1) + linear()";
  settings.model.noise = Vector::Constant(1, 0.1);
  settings.model.standardise = true;
  settings.model.operator_name = operator_name;
  return settings;
}

std::vector<Remedy> remedies_of(const RegressionSettings& settings) {
  return measure_remedies(settings, Regression(settings, monthly()), {.replicates = 2, .seed = 1});
}

TEST(Remedies, FindThatGivenBandwidthsAreToBlame) {
  RegressionSettings settings = rough("least-squares");
  settings.model.sigma_w = 0.5;
  settings.model.sigma_b = 1;
  settings.model.units = 100;
  const Regression chosen(settings, monthly());
  const Certificate now = certify(chosen.prior(), chosen.data().X, {.replicates = 2, .seed = 1});
  EXPECT_GT(now.worst(), large_relative_error);
  const std::vector<Remedy> remedies = remedies_of(settings);
  EXPECT_EQ(remedies.front().flags, "--sigma-w auto --sigma-b auto --ridge auto");
  EXPECT_LT(remedies.front().certificate.worst(), 0.3 * now.worst());
  EXPECT_TRUE(
      std::ranges::is_sorted(remedies, {}, [](const Remedy& remedy) { return remedy.certificate.worst(); }));
}

TEST(Remedies, FindThatLeastSquaresCarriesWhatTheRidgeletOperatorCannot) {
  const std::vector<Remedy> remedies = remedies_of(rough("ridgelet"));
  EXPECT_EQ(remedies.front().flags, "--operator least-squares");
  EXPECT_LT(remedies.front().certificate.worst(), large_relative_error);
}

TEST(Remedies, AreThoseThatTheirNetworksHave) {
  RegressionSettings settings = rough("least-squares");
  settings.model.units = 20;
  const Regression chosen(settings, monthly());
  RegressionSettings wider = settings;
  wider.model.units = 60;
  const Regression measured(wider, monthly());
  const Certificate expected = certify(measured.prior(), measured.data().X, {.replicates = 2, .seed = 1});
  const std::vector<Remedy> remedies = remedies_of(settings);
  const auto units = std::ranges::find(remedies, "--units 60", &Remedy::flags);
  ASSERT_NE(units, remedies.end());
  EXPECT_EQ(units->certificate.worst(), expected.worst());
  EXPECT_EQ(
      std::ranges::count_if(remedies, [](const Remedy& each) { return each.flags.starts_with("--sigma-w"); }),
      0);
}

TEST(Remedies, AskForNoMoreNodesThanThereAreToFind) {
  RegressionSettings settings = rough("least-squares");
  settings.model.units = 20;
  for (const Remedy& remedy : remedies_of(settings)) EXPECT_FALSE(remedy.flags.starts_with("--points"));
  settings.model.points = 10;
  const std::vector<Remedy> of_few = remedies_of(settings);
  EXPECT_NE(std::ranges::find(of_few, "--points 30", &Remedy::flags), of_few.end());
}

TEST(Remedies, TryAnotherRuleForNodes) {
  RegressionSettings settings = rough("least-squares");
  settings.model.nodes = "sobol";
  settings.model.points = 10;
  const std::vector<Remedy> remedies = remedies_of(settings);
  for (const char* flags : {"--nodes grid --points auto", "--nodes data --points auto"}) {
    const auto remedy = std::ranges::find(remedies, flags, &Remedy::flags);
    ASSERT_NE(remedy, remedies.end()) << flags;
    EXPECT_LT(remedy->certificate.worst(), large_relative_error) << flags;
  }
}

TEST(Remedies, AreNamedBeforeTheyAreMeasuredAndLeftOutWhereTheyAreTooMuchWork) {
  RegressionSettings settings = rough("ridgelet");
  settings.model.points = 400;
  settings.model.units = 6000;
  std::vector<std::string> named;
  measure_remedies(settings, Regression(settings, monthly()), {.replicates = 1, .seed = 1},
                   [&](const std::string& flags) { named.push_back(flags); });
  EXPECT_NE(std::ranges::find(named, "--operator least-squares"), named.end());
  for (const std::string& flags : named) {
    EXPECT_NE(flags, "--units 18000");
    EXPECT_NE(flags, "--points 1200");
  }
}

TEST(Remedies, HaveTheirNetworksWhereTheyChangeOnlyWhatWasOpen) {
  RegressionSettings settings = rough("least-squares");
  const auto is_open = [&](const std::string& part) {
    const std::vector<Remedy> remedies = remedies_of(settings);
    const auto remedy = std::ranges::find_if(
        remedies, [&](const Remedy& each) { return each.flags.find(part) != std::string::npos; });
    EXPECT_NE(remedy, remedies.end()) << part;
    return remedy->network != nullptr;
  };
  EXPECT_TRUE(is_open("--units"));
  EXPECT_TRUE(is_open("--nodes"));
  settings.model.units = 20;
  EXPECT_FALSE(is_open("--units"));
  EXPECT_TRUE(is_open("--nodes"));
  settings.model.nodes = "sobol";
  settings.model.sigma_w = 0.5;
  EXPECT_FALSE(is_open("--nodes"));
  EXPECT_FALSE(is_open("--sigma-w"));
  EXPECT_TRUE(is_open("--points"));
  settings.model.points = 10;
  EXPECT_FALSE(is_open("--points"));
}

TEST(TakeRemedy, TakesTheBestThatWasOpenIfItIsGoodOrCarriesWhatNothingElseDoes) {
  const auto network = std::make_shared<const Regression>(rough("least-squares"), monthly());
  const std::vector<Remedy> measured = {{"--operator least-squares", {.data = 0.01}, nullptr},
                                        {"--units 900", {.data = 0.09}, network},
                                        {"--nodes grid", {.data = 0.3}, network}};
  std::vector<Remedy> left = measured;
  const std::optional<Remedy> taken = take_remedy(left, {.data = 0.2});
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->flags, "--units 900");
  EXPECT_EQ(left.size(), 2u);
  std::vector<Remedy> hardly_better = measured;
  EXPECT_FALSE(take_remedy(hardly_better, {.data = 0.12}));
  std::vector<Remedy> poor = {measured[0], measured[2]};
  EXPECT_FALSE(take_remedy(poor, {.data = 0.6}));
  EXPECT_EQ(poor.size(), 2u);
  EXPECT_EQ(take_remedy(poor, {.data = 0.1, .between = 1.2})->flags, "--nodes grid");
  EXPECT_FALSE(take_remedy(poor, {.data = 1.2}));
}

TEST(AdviceText, NamesWhatHelpsAndWhatItLeaves) {
  const std::vector<Remedy> remedies = {{"--units 900", {.data = 0.02, .between = 0.0214}, nullptr},
                                        {"--points 600", {.data = 0.5, .between = 0.2}, nullptr},
                                        {"--operator least-squares", {.data = 1.2, .between = 0.2}, nullptr}};
  EXPECT_EQ(advice_text(remedies, {.data = 1, .between = 1.1}),
            "--units 900 would make that 2.1 %, --points 600 50 %");
  EXPECT_EQ(
      advice_text({{"--units 900", {.data = 1}, nullptr}, {"--nodes grid", {.data = 1}, nullptr}},
                  {.data = 1, .between = 1.1}),
      "tried without much effect: --units 900, --nodes grid; the process is rougher than a network of this "
      "size "
      "can be");
  EXPECT_EQ(advice_text({}, {.data = 1, .between = 1.1}),
            "more --units or --points may help, and are too many to try at once");
}

}  // namespace
}  // namespace ridgelet
