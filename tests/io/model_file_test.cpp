#include "ridgelet/io/model_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <set>

#include "expectations.hpp"
#include "ridgelet/core/text.hpp"
#include "scratch.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

using Flags = std::initializer_list<std::pair<std::string, std::string>>;

/// Applies --name text, one after the other.
void apply(ModelSettings& settings, Flags flags) {
  for (const auto& [name, text] : flags)
    for (const ModelOption& option : model_options())
      if (option.name == name) option.set(settings, text);
}

/// A model with a kernel, and these flags.
ModelSettings with(Flags flags) {
  ModelSettings settings;
  settings.kernel = "se()";
  apply(settings, flags);
  return settings;
}

std::string complaint_about_flags(Flags flags) {
  ModelSettings settings;
  return complaint_of([&] { apply(settings, flags); });
}

std::string complaint_about_model(Flags flags) {
  const ModelSettings settings = with(flags);
  return complaint_of([&] { build_model(settings); });
}

class ModelFile : public testing::WithDirectory {
 protected:
  ModelFile() : path(directory / "model.toml") {}

  void read(const std::string& text) {
    std::ofstream(path) << text;
    read_model_file(path, settings);
  }

  std::string complaint(const std::string& text) const {
    std::ofstream(path) << text;
    ModelSettings unused;
    return complaint_of([&] { read_model_file(path, unused); });
  }

  std::filesystem::path path;
  ModelSettings settings;
};

TEST(ModelOptions, HaveTheNamesOfTheContract) {
  std::set<std::string> names;
  for (const ModelOption& option : model_options()) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_FALSE(option.placeholder.empty()) << option.name;
    names.insert(option.name);
  }
  EXPECT_EQ(names.size(), model_options().size());
  for (const char* name : {"mean", "kernel", "activation", "units", "layers", "operator", "ridge", "sigma-w",
                           "sigma-b", "units-from", "order", "domain", "margin", "nodes", "points"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(ModelOptions, SetWhatTheyName) {
  const ModelSettings s = with({{"kernel", "rq()"},       {"mean", "x"},
                                {"activation", "relu"},   {"units", "12"},
                                {"layers", "3"},          {"layer-scale", "2"},
                                {"layer-bias", "1.5"},    {"skip", "yes"},
                                {"operator", "ridgelet"}, {"ridge", "1e-3"},
                                {"sigma-w", "2.5"},       {"sigma-b", "7"},
                                {"density", "logistic"},  {"units-from", "independent"},
                                {"order", "6"},           {"domain", "0:1"},
                                {"margin", "0.25"},       {"nodes", "data"},
                                {"points", "31"},         {"noise", "0.1,0.2"},
                                {"standardise", "yes"},   {"range", "0:1"},
                                {"centre", "2,3"},        {"scale", "0.5,4"}});
  EXPECT_EQ(s.kernel, "rq()");
  EXPECT_EQ(s.mean, "x");
  EXPECT_EQ(s.activation, "relu");
  EXPECT_EQ(s.units, 12);
  EXPECT_EQ(s.layers, 3);
  EXPECT_EQ(s.layer_scale, 2);
  EXPECT_EQ(s.layer_bias, 1.5);
  EXPECT_TRUE(s.skip);
  EXPECT_EQ(s.operator_name, "ridgelet");
  EXPECT_EQ(s.ridge, 1e-3);
  EXPECT_EQ(s.sigma_w, Bandwidth(2.5));
  EXPECT_EQ(s.sigma_b, 7);
  EXPECT_EQ(s.density, Density::logistic);
  EXPECT_EQ(s.units_from, UnitsFrom::independent);
  EXPECT_EQ(s.order, 6);
  EXPECT_EQ(s.domain, "0:1");
  EXPECT_EQ(s.margin, 0.25);
  EXPECT_EQ(s.nodes, "data");
  EXPECT_EQ(s.points, 31);
  EXPECT_EQ(*s.noise, (Vector{{0.1, 0.2}}));
  EXPECT_EQ(s.standardise, true);
  EXPECT_EQ(s.range, "0:1");
  EXPECT_EQ(s.inputs.centre, (Vector{{2, 3}}));
  EXPECT_EQ(s.inputs.scale, (Vector{{0.5, 4}}));
}

TEST(ModelOptions, TakeAutoBack) {
  for (const char* name : {"units", "ridge", "sigma-w", "sigma-b", "nodes", "points"})
    EXPECT_EQ(model_file_text(with({{name, name == std::string("nodes") ? "grid" : "7"}, {name, "auto"}})),
              model_file_text(with({})))
        << name;
}

TEST(ModelOptions, ReadBackWhatTheyWrite) {
  const ModelSettings all = with({{"kernel", "outer(sin(x)) + se(lengthscale=[1, 2])"},
                                  {"mean", "x1^2 - 0.1"},
                                  {"ridge", "1e-07"},
                                  {"sigma-w", "0.30000000000000004"},
                                  {"layers", "2"},
                                  {"layer-bias", "2.5"},
                                  {"skip", "yes"},
                                  {"density", "logistic"},
                                  {"order", "6"},
                                  {"domain", "-5:5,0:1"},
                                  {"margin", "0"},
                                  {"points", "7"},
                                  {"range", "0:1,2:3"},
                                  {"centre", "0.1,2"},
                                  {"scale", "1e-07,3"}});
  for (const ModelSettings& settings : {all, with({{"kernel", "se()"}})}) {
    ModelSettings again;
    read_model_text(model_file_text(settings), "text", again);
    for (const ModelOption& option : model_options())
      EXPECT_EQ(option.get(again), option.get(settings)) << option.name;
    EXPECT_EQ(again.sigma_w, settings.sigma_w);
    EXPECT_EQ(again.order, settings.order);
    EXPECT_EQ(again.domain, settings.domain);
  }
}

/// The value of an option once a file with this setting has been written and read back.
std::string read_back(const std::string& name, const std::string& text) {
  const ModelSettings settings = with({{name, text}});
  ModelSettings again;
  read_model_text(model_file_text(settings), "text", again);
  for (const ModelOption& option : model_options())
    if (option.name == name) return option.get(again);
  return "no such option";
}

TEST(ModelOptions, ReadBackTextThatLooksLikeANumber) {
  for (const char* text : {".5",    "5.",  "007",  "-.5",   "+5",   "1.50",      "-0",
                           "1e5",   "1E5", "0x10", "1_000", "inf",  "nan",       "9223372036854775808",
                           "1e-06", "0.1", "12",   "-3",    "true", "2021-01-01"})
    for (const char* name : {"mean", "kernel", "domain"}) EXPECT_EQ(read_back(name, text), text) << name;
}

TEST(ModelOptions, ReadBackTextOverSeveralLines) {
  for (const char* text :
       {"se() +\n  white()", "a\r\nb", "\ttab", "\x01\x1f\x7f", "\"quoted\" \\ '''", "# no comment"})
    for (const char* name : {"mean", "kernel", "domain"}) EXPECT_EQ(read_back(name, text), text) << name;
}

RC_GTEST_PROP(ModelOptions, ReadBackAnyText, ()) {
  // What numbers, quotes and escapes are made of, more often than other characters.
  const std::string frequent = "0123456789.+-eEx_\"'\\\n\r\t #=[]";
  const auto characters = rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::elementOf(frequent), rc::gen::inRange<char>(1, 127)));
  const auto number = rc::gen::map(rc::gen::arbitrary<double>(), [](double x) { return shortest(x); });
  const auto accented =
      rc::gen::map(characters, [](const std::string& text) { return text + "\xc3\xa9" + text; });
  const auto text = *rc::gen::oneOf(characters, number, accented);
  const auto name = *rc::gen::element<std::string>("mean", "kernel", "domain");
  RC_PRE(!text.empty());
  RC_ASSERT(read_back(name, text) == text);
}

TEST(ModelText, RefusesAnEmptyValueThatItCouldNotWriteAgain) {
  for (const std::string name : {"mean", "kernel", "domain", "nodes"}) {
    ModelSettings settings;
    EXPECT_EQ(complaint_of([&] { read_model_text(name + " = \"\"\n", "m.toml", settings); }),
              name + ": must not be empty in the model file; leave it out for the default");
  }
}

TEST(ModelText, IsRefusedInOneLineWhateverStandsInIt) {
  for (const std::string text :
       {"skip = t\nue", "units = 1\n\n=", "mean = \"\"\"\nx", "\x01\r\n", "mean = \"\\q\n\""}) {
    ModelSettings settings;
    const std::string line = complaint_of([&] { read_model_text(text, "m.toml", settings); });
    EXPECT_TRUE(line.starts_with("model: 'm.toml' is not a TOML file: ")) << line;
    EXPECT_EQ(line.find_first_of("\r\n\x01"), std::string::npos) << line;
  }
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(ModelText, IsRefusedWhereItsKeysWouldFillTheStack) {
  const std::string dots = repeated("a.", 200'000);
  for (const std::string& text :
       {dots + "a = 1", "[" + dots + "a]", "[[" + dots + "a]]", "\n\nmean = {" + dots + "a = 1}",
        repeated("\"#\" . ", 100'000) + "a = 1", "mean = {a = \"\"\"\\\"\"\"\"\", " + dots + "a = 1}",
        "mean = '''\n\"'''\n" + dots + "a = 1"}) {
    ModelSettings settings;
    const std::string line = complaint_of([&] { read_model_text(text, "m.toml", settings); });
    EXPECT_NE(line.find("has a key of more than 20 parts in line "), std::string::npos) << text.substr(0, 20);
  }
}

TEST(ModelText, MayHaveDotsInTextsCommentsAndNumbers) {
  ModelSettings settings;
  const std::string dots(100, '.');
  read_model_text("# " + dots + "\nsigma-w = [" + repeated("0.5, ", 50) + "0.5]\nmean = \"x1\"  # " + dots +
                      "\nnodes = \"a\\\"" + dots + "\"\ndomain = '''" + dots + "'''\n",
                  "m.toml", settings);
  EXPECT_EQ(settings.mean, "x1");
  EXPECT_EQ(settings.nodes, "a\"" + dots);
  EXPECT_EQ(settings.domain, dots);
}

TEST(ModelOptions, RefuseTextThatIsNoNumber) {
  for (const char* text : {"", "many", "1.5", "12 ", "1e3", "0x10", "99999999999999999999"})
    EXPECT_EQ(complaint_about_flags({{"units", text}}),
              "units: must be a whole number, or auto, got '" + std::string(text) + "'");
  for (const char* text : {"", "wide", "1,5", "2 ", "1e999"})
    EXPECT_EQ(complaint_about_flags({{"sigma-b", text}}),
              "sigma-b: must be a number, or auto, got '" + std::string(text) + "'");
}

TEST(BuildModel, HasTheDefaultsOfTheHelp) {
  const Model model = build_model(with({}));
  const PriorOptions& options = model.prior.options();
  EXPECT_EQ(model.domain.lower(0), -5);
  EXPECT_EQ(model.domain.upper(0), 5);
  EXPECT_EQ(options.nodes.size(), 200);
  EXPECT_EQ(options.nodes.points(0, 0), -6);
  EXPECT_EQ(options.units, width_for(model.prior.rank()));
  EXPECT_EQ(options.layers, 1);
  EXPECT_EQ(options.activation.name(), "tanh");
  EXPECT_EQ(options.op.name, "least-squares");
  EXPECT_EQ(options.hidden.density, Density::gaussian);
}

TEST(BuildModel, LeavesThePapersOperatorThePapersNumbers) {
  const PriorOptions options = build_model(with({{"operator", "ridgelet"}})).prior.options();
  EXPECT_EQ(options.units, 300);
  EXPECT_EQ(options.hidden.sigma_w, 3);
  EXPECT_EQ(options.hidden.sigma_b, 12);
}

TEST(BuildModel, ChoosesWhatIsAutoAndKeepsWhatIsGiven) {
  const Model chosen = build_model(with({}));
  const Model given = build_model(with({{"sigma-w", "0.7"}, {"ridge", "1e-5"}, {"units", "80"}}));
  EXPECT_EQ(given.prior.options().hidden.sigma_w, 0.7);
  EXPECT_EQ(given.prior.options().op.ridge, 1e-5);
  EXPECT_EQ(given.prior.units(), 80);
  EXPECT_FALSE(chosen.trials.empty());
  // What was chosen is written back, and then nothing is left to choose.
  const Model again = build_model(chosen.settings);
  EXPECT_TRUE(again.trials.empty());
  EXPECT_EQ(again.prior.options().hidden.sigma_w, chosen.prior.options().hidden.sigma_w);
  EXPECT_EQ(again.prior.options().op.ridge, chosen.prior.options().op.ridge);
  EXPECT_EQ(again.prior.units(), chosen.prior.units());
}

TEST(BuildModel, PutsAboutNineHundredNodesInMoreInputs) {
  EXPECT_EQ(build_model(with({{"domain", "-5:5,-5:5"}})).prior.options().nodes.size(), 30 * 30);
  EXPECT_EQ(build_model(with({{"domain", "-5:5,0:1,0:1"}, {"nodes", "grid"}})).prior.options().nodes.size(),
            10 * 10 * 10);
  EXPECT_EQ(build_model(with({{"domain", "-5:5,0:1,0:1"}})).settings.nodes, "sobol");
}

TEST(BuildModel, WidensEachAxisByATenthOrByTheMargin) {
  const Model tenth = build_model(with({{"domain", "0:10,0:1"}, {"points", "5"}}));
  EXPECT_DOUBLE_EQ(tenth.prior.options().nodes.points(0, 0), -1);
  EXPECT_DOUBLE_EQ(tenth.prior.options().nodes.points(0, 1), -0.1);
  const Model margin = build_model(with({{"domain", "0:10,0:1"}, {"points", "5"}, {"margin", "2"}}));
  EXPECT_DOUBLE_EQ(margin.prior.options().nodes.points(0, 0), -2);
  EXPECT_DOUBLE_EQ(margin.prior.options().nodes.points(0, 1), -2);
}

TEST(BuildModel, WithoutMarginWeighsEveryNodeAlike) {
  const Vector weights = build_model(with({{"margin", "0"}, {"points", "40"}})).prior.options().nodes.weights;
  EXPECT_EQ(weights, Vector::Constant(40, 0.25));
}

TEST(BuildModel, DrawsUnitsFromSobolPointsUnlessToldOtherwise) {
  EXPECT_EQ(build_model(with({})).prior.options().hidden.units_from, UnitsFrom::sobol);
  EXPECT_EQ(build_model(with({{"units-from", "independent"}})).prior.options().hidden.units_from,
            UnitsFrom::independent);
}

TEST(BuildModel, TakesNodesByTheirRuleAndWeightsByTheOperator) {
  const auto nodes = [](Flags flags) { return build_model(with(flags)).prior.options().nodes; };
  const Nodes equal = nodes({{"nodes", "sobol"}, {"points", "64"}});
  EXPECT_EQ(equal.weights, Vector::Ones(64));
  EXPECT_NEAR(nodes({{"nodes", "sobol"}, {"points", "64"}, {"operator", "ridgelet"}}).weights.sum(), 11, 0.5);
  EXPECT_LT(nodes({{"nodes", "data"}}).size(), 40);
}

TEST(ModelOptions, RefuseCountsBelowOneAndSayThatTheyMayBeAuto) {
  for (const char* name : {"units", "points"})
    for (const char* text : {"0", "-3"})
      EXPECT_EQ(complaint_of([&] {
                  validate(with({{name, text}}), 1);
                }),
                std::string(name) + ": must be at least 1, or auto, got " + text);
}

TEST(BuildModel, RefusesASettingByItsName) {
  EXPECT_TRUE(complaint_about_model({{"kernel", ""}}).starts_with("kernel: is required"));
  EXPECT_EQ(complaint_about_model({{"nodes", "gird"}}),
            "nodes: must be one of grid, sobol, data, got 'gird'; did you mean 'grid'?");
  EXPECT_EQ(complaint_about_model({{"margin", "-1"}}), "margin: must be at least 0 and finite, got -1");
  EXPECT_EQ(complaint_about_model({{"margin", "inf"}}), "margin: must be at least 0 and finite, got inf");
  EXPECT_TRUE(complaint_about_model({{"domain", "5:-5"}}).starts_with("domain: "));
  EXPECT_TRUE(complaint_about_model({{"points", "0"}}).starts_with("points: "));
  EXPECT_TRUE(complaint_about_flags({{"density", "cauchy"}}).starts_with("density: "));
  EXPECT_TRUE(complaint_about_flags({{"units-from", "halton"}}).starts_with("units_from: "));
  EXPECT_TRUE(complaint_about_model({{"nodes", "data"}, {"operator", "ridgelet"}}).starts_with("nodes: "));
}

TEST_F(ModelFile, SetsWhatItNamesAndLeavesTheRest) {
  settings.mean = "x";
  settings.units = 5;
  read("kernel = 'se()'\nunits = 40\nridge = 1e-3\nsigma_w = 2\n");
  EXPECT_EQ(settings.kernel, "se()");
  EXPECT_EQ(settings.units, 40);
  EXPECT_EQ(settings.ridge, 1e-3);
  EXPECT_EQ(settings.sigma_w, Bandwidth(2));
  EXPECT_EQ(settings.mean, "x");
}

TEST_F(ModelFile, ReadsUnderscoresAsHyphens) {
  read("sigma_b = 4");
  EXPECT_EQ(settings.sigma_b, 4);
  read("sigma-b = 5");
  EXPECT_EQ(settings.sigma_b, 5);
}

TEST_F(ModelFile, KeepsEveryDigitOfANumber) {
  read("ridge = 0.1234567890123456789");
  EXPECT_EQ(settings.ridge, 0.1234567890123456789);
}

TEST_F(ModelFile, MayBeEmpty) {
  settings.units = 5;
  EXPECT_NO_THROW(read(""));
  EXPECT_EQ(settings.units, 5);
}

TEST_F(ModelFile, SuggestsAKeyForAMistypedOne) {
  const std::string refusal = complaint("unts = 3");
  EXPECT_TRUE(refusal.starts_with("model: keys of '" + path.string() + "' must be one of kernel, mean"));
  EXPECT_TRUE(refusal.ends_with("got 'unts'; did you mean 'units'?"));
}

TEST_F(ModelFile, NamesTheLineThatIsNotToml) {
  const std::string refusal = complaint("units = 3\n\nmargin =\n");
  EXPECT_TRUE(refusal.starts_with("model: '" + path.string() + "' is not a TOML file: "));
  EXPECT_TRUE(refusal.ends_with("in line 3"));
}

TEST_F(ModelFile, HoldsABandwidthForEachInput) {
  read("kernel = 'se()'\nsigma-w = '3,0.5'\ndomain = '0:1,0:1'\n");
  EXPECT_EQ(settings.sigma_w, Bandwidth({3, 0.5}));
  ModelSettings again;
  read_model_text(model_file_text(settings), "again", again);
  EXPECT_EQ(again.sigma_w, settings.sigma_w);
  settings = {};
  read("kernel = 'se()'\nsigma-w = [3, 0.5]\n");
  EXPECT_EQ(settings.sigma_w, again.sigma_w);
  EXPECT_EQ(complaint("sigma-w = '3;1'"),
            "sigma-w: must be a number, or one for each input such as 3,1, got '3;1'");
}

TEST_F(ModelFile, RefusesAValueThatIsNeitherNumberNorText) {
  for (const char* value : {"true", "[]", "['1']", "[[1]]", "{a = 1}", "2021-01-01"})
    EXPECT_EQ(complaint("units = " + std::string(value)),
              "units: must be a number, a list of numbers or a text in quotes in the model file, of the form "
              "N|auto");
  EXPECT_EQ(
      complaint("skip = true"),
      "skip: must be a number, a list of numbers or a text in quotes in the model file, of the form yes|no");
  EXPECT_EQ(complaint("units = [1, 2]"), "units: must be a whole number, or auto, got '1,2'");
}

TEST_F(ModelFile, ThatIsNotThereIsAnIoError) {
  EXPECT_THROW(read_model_file(path, settings), IoError);
  EXPECT_THROW(read_model_file(path.parent_path(), settings), IoError);
}

TEST_F(ModelFile, RefusesTwoSpellingsOfOneKey) {
  EXPECT_EQ(complaint("sigma-w = 2\nsigma_w = 3\n"),
            "sigma-w: stands twice in '" + path.string() + "', as sigma-w and as sigma_w; keep one of them");
}

TEST_F(ModelFile, RefusesATableThatCannotBeWhereItIsRead) {
  EXPECT_EQ(complaint("centre = 1\nscale = -1\n"), "scale: must be positive and finite, got -1");
  EXPECT_EQ(complaint("centre = 1\nscale = nan\n"), "scale: must be positive and finite, got nan");
  EXPECT_EQ(complaint("centre = inf\nscale = 1\n"), "centre: must be finite, got inf");
  EXPECT_EQ(complaint("centre = [1, 2]\nscale = 1\n"),
            "centre: must have as many numbers as scale, which has 1, got 2");
  EXPECT_EQ(complaint("range = \"1:0\"\n"),
            "range: must have LO below HI, both finite, for every input, got 1:0 for input 1");
  EXPECT_EQ(complaint("centre = 1\nscale = 2\nrange = \"0:1\"\n"), "");
}

}  // namespace
}  // namespace ridgelet
