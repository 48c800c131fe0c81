// Section 3: the covariance B K B^T of the output weights given the hidden layer, beside independent weights.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/experiment.hpp"
#include "experiments/panels.hpp"
#include "experiments/paragraph.hpp"
#include "experiments/prior_setting.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/linalg/svd.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet::experiments {

namespace {

using Json = nlohmann::ordered_json;

constexpr Index units = 50;
constexpr Index realisations = 3;  ///< of the hidden layer

struct WeightCovariance {
  std::string op;
  Index realisation = 0;
  Matrix covariance;   ///< N x N: to be looked at, nothing computes with it
  Vector eigenvalues;  ///< in descending order: squared singular values of B L

  /// The number of eigenvectors that hold 99 % of the trace.
  Index dimensions() const {
    double sum = 0;
    Index count = 0;
    while (sum < 0.99 * eigenvalues.sum()) sum += eigenvalues(count++);
    return count;
  }

  /// The number of eigenvalues above rounding.
  Index rank() const { return (eigenvalues.array() > 1e-14 * eigenvalues(0)).count(); }
};

WeightCovariance weight_covariance_of(const RidgeletPrior& prior, std::uint64_t seed, Index realisation) {
  const auto replicate = static_cast<std::uint32_t>(realisation);
  const Gaussian weights = GivenHidden(prior, seed, replicate).weights();
  return {.op = prior.name(),
          .realisation = realisation,
          .covariance = weights.covariance(),
          .eigenvalues = singular_values(weights.factor).cwiseAbs2()};
}

/// In the order of the figure, row by row: the same hidden layers for both operators.
std::vector<WeightCovariance> all_covariances(const ExperimentOptions& options) {
  std::vector<WeightCovariance> all;
  for (const char* op : {"ridgelet", "least-squares"}) {
    const RidgeletPrior prior = make_prior({.model = op, .units = units, .nodes = options.fast ? 50 : 200});
    for (Index r = 0; r < realisations; ++r) all.push_back(weight_covariance_of(prior, options.seed, r));
  }
  return all;
}

LongTable table(const std::vector<WeightCovariance>& all) {
  LongTable table{.header = {"operator", "realisation", "unit", "other", "covariance"}, .rows = {}};
  const auto append = [&](const std::string& op, Index realisation, const Matrix& covariance) {
    for (Index i = 0; i < covariance.rows(); ++i)
      for (Index j = 0; j < covariance.cols(); ++j)
        table.rows.push_back({op, static_cast<double>(realisation + 1), static_cast<double>(i + 1),
                              static_cast<double>(j + 1), covariance(i, j)});
  };
  append("iid", 0, Matrix::Identity(units, units));
  for (const WeightCovariance& each : all) append(each.op, each.realisation, each.covariance);
  return table;
}

Json json(const std::vector<WeightCovariance>& all, const ExperimentOptions& options) {
  Json list = Json::array();
  for (const WeightCovariance& each : all)
    list.push_back({{"operator", each.op},
                    {"realisation", each.realisation + 1},
                    {"trace", each.eigenvalues.sum()},
                    {"largest", each.covariance.cwiseAbs().maxCoeff()},
                    {"rank", each.rank()},
                    {"dimensions_of_99_percent", each.dimensions()},
                    {"eigenvalues", std::vector<double>(each.eigenvalues.begin(), each.eigenvalues.end())}});
  return {{"units", units}, {"results", list}, {"fast", options.fast}, {"seed", options.seed}};
}

/// Entries differ by orders of magnitude and in sign: the figure shows asinh(C_ij / small), which is linear
/// up to `small` and logarithmic beyond.
constexpr double small = 0.01;

double row_scale(const std::vector<WeightCovariance>& all, const std::string& op) {
  double largest = 1;
  for (const WeightCovariance& each : all)
    if (each.op == op) largest = std::max(largest, each.covariance.cwiseAbs().maxCoeff());
  return std::asinh(largest / small);
}

/// Marks at 0 and at powers of ten of either sign.
std::string colour_tics(double scale) {
  std::string tics = "set cbtics ('0' 0";
  for (int exponent = -1; std::asinh(std::pow(10, exponent) / small) <= scale; ++exponent)
    for (const char* sign : {"", "-"})
      tics += fmt::format(", '{0}10^{{{1}}}' {0}{2:.4f}", sign, exponent,
                          std::asinh(std::pow(10, exponent) / small));
  return tics + ")\n";
}

std::string map_axes(int row, bool labelled, double scale) {
  return fmt::format(R"(
set xrange [0.5:{0}.5]
set yrange [{0}.5:0.5]
set xtics (1,25,50) format '%g'
set ytics (1,25,50) format '{1}'
set xlabel '{2}' offset 0,0.6
set ylabel '{3}' offset 1,0
set cbrange [{4}:{5}]
)",
                     units, labelled ? "%g" : "", row == 1 ? "unit" : "", labelled ? "unit" : "", -scale,
                     scale) +
         colour_tics(scale);
}

std::string map(const std::string& block, const Matrix& values) {
  const Matrix shown = (values.array() / small).unaryExpr([](double v) { return std::asinh(v); });
  return data_block(block, shown) + "plot $" + block + " matrix using ($1+1):($2+1):3 with image\n";
}

/// Eigenvalues of the first realisation of each operator, and of independent weights.
std::string spectrum(const std::vector<WeightCovariance>& all, const Place& place, std::size_t number) {
  std::string blocks, plots;
  for (const WeightCovariance& each : all) {
    if (each.realisation > 0) continue;
    const std::string block = each.op == "ridgelet" ? "spectrum_ridgelet" : "spectrum_least_squares";
    blocks += data_block(block, each.eigenvalues);
    plots += fmt::format(", ${} using ($0+1):1 with linespoints pt {} ps 0.5 lw 1.2 lc rgb '{}' title '{}'",
                         block, each.op == "ridgelet" ? 7 : 5, colour_of_operator(each.op), each.op);
  }
  return blocks + place.script() + panel_title(number, "eigenvalues, draw 1") +
         fmt::format(R"(
set logscale y
set xrange [0:{0}]
set yrange [1e-12:1e8]
set xtics (1,25,50)
set ytics 1e-12,1e4,1e8 format '10^{{%T}}'
set xlabel 'number' offset 0,0.6
set ylabel '' offset 1,0
set key right top samplen 2 spacing 1.1 font ',11'
plot 1 with lines lw 2 dt 2 lc rgb '{1}' title 'independent'{2}
unset logscale y
unset key
)",
                     units, colour::iid, plots);
}

FigureScript figure(const std::vector<WeightCovariance>& all) {
  const PanelGrid cells = {.page = {.left = 0.065, .right = 0.88, .bottom = 0.11, .top = 0.945},
                           .rows = 2,
                           .columns = 1 + static_cast<int>(realisations),
                           .gap_x = 0.025,
                           .gap_y = 0.125};
  std::string script = "set multiplot\n" + panel_style() +
                       "set title font ',12'\nunset grid\nset border 15\n" +
                       fmt::format("set palette defined (-1 '{}', 0 '#ffffff', 1 '{}')\n",
                                   colour::least_squares, colour::ridgelet);
  const double scale = row_scale(all, "ridgelet");
  script += "unset colorbox\n" + cells.cell(0, 0).script() + map_axes(0, true, scale) +
            panel_title(0, "independent weights") + map("iid", Matrix::Identity(units, units));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const WeightCovariance& each = all[i];
    const int row = each.op == "ridgelet" ? 0 : 1, column = 1 + static_cast<int>(each.realisation);
    const Place place = cells.cell(row, column);
    const bool last = each.realisation == realisations - 1;
    if (row == 1 && column == 1) script += spectrum(all, cells.cell(1, 0), 4);
    script += place.script() + map_axes(row, false, row_scale(all, each.op)) +
              panel_title(static_cast<std::size_t>(4 * row + column),
                          fmt::format("{}, draw {}", each.op, each.realisation + 1));
    script += last ? fmt::format(
                         "set cblabel 'covariance' offset -0.2,0\n"
                         "set colorbox user origin screen {:.4f},{:.4f} size screen 0.015,{:.4f}\n",
                         place.right + 0.012, place.bottom, place.top - place.bottom)
                   : "unset colorbox\n";
    script += map(fmt::format("map{}", i), each.covariance);
  }
  return {.script = script + "unset multiplot\n", .width = 1000, .height = 540};
}

std::string report(const std::vector<WeightCovariance>& all) {
  std::string text = paragraph(fmt::format(
      "The covariance of {} output weights given the hidden layer. Independent weights have rank {}; these "
      "have that of the process at the nodes at most, and 99 % of their variance in fewer dimensions.",
      units, units));
  text += fmt::format("  {:<16}{:>12}{:>12}{:>12}{:>7}{:>8}\n", "operator", "realisation", "trace", "largest",
                      "rank", "99 %");
  for (const WeightCovariance& each : all)
    text += fmt::format("  {:<16}{:>12}{:>12.4g}{:>12.4g}{:>7}{:>8}\n", each.op, each.realisation + 1,
                        each.eigenvalues.sum(), each.covariance.cwiseAbs().maxCoeff(), each.rank(),
                        each.dimensions());
  return text;
}

}  // namespace

Experiment weight_covariance() {
  return {
      .name = "weight-covariance",
      .description = "Section 3: how the prior couples the output weights of 50 units",
      .run = [](const ExperimentOptions& options) -> ExperimentResult {
        const std::vector<WeightCovariance> all = all_covariances(options);
        return {
            .table = table(all), .json = json(all, options), .figure = figure(all), .report = report(all)};
      }};
}

}  // namespace ridgelet::experiments
