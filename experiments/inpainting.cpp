// Section 6.2, in-painting: the middle of a noisy picture is missing and is to be filled in.
//
//   pixels    50 x 50 on [-5, 5]^2, edges included, of (cos(pi x1 / 2) + 1) (cos(pi x2 / 2) + 1)
//   missing   the 576 with |x1|, |x2| <= 2.5; the other 1924 are seen with noise of standard deviation 0.1
//   process   mean 0; the kernel knows the picture's shape but not its height, and adds a rough part
//   networks  sigma_w = 2, sigma_b = 12, 2,000 units; 30 x 30 nodes, without a mollifier
// Scores are of the picture itself, without noise, on the missing pixels.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "experiments/contest.hpp"
#include "experiments/panels.hpp"
#include "experiments/paragraph.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::experiments {

namespace {

constexpr double half_width = 5, missing_half_width = 2.5, noise = 0.1;
constexpr const char* kernel =
    "se(amplitude=0.1, lengthscale=0.1) + outer((cos(pi*x1/2)+1)*(cos(pi*x2/2)+1))";

struct Sizes {
  Index pixels;  ///< along an edge
  Index nodes;   ///< along an axis
  Index units;
  Index prior_error_points;
  SamplingOptions sampling;
};

Sizes sizes(const ExperimentOptions& options) {
  if (options.fast) return {20, 12, 300, 100, {.chains = 2, .warmup = 5, .draws = 10, .seed = options.seed}};
  return {50, 30, 2000, 400, {.chains = 2, .warmup = 20, .draws = 20, .seed = options.seed}};
}

double picture_at(double x1, double x2) {
  const auto wave = [](double x) { return std::cos(std::numbers::pi * x / 2) + 1; };
  return wave(x1) * wave(x2);
}

struct Picture {
  Index edge = 0;        ///< pixels along an edge; x2 runs fastest
  Matrix pixels = {};    ///< their places
  Vector truth = {};     ///< without noise
  Vector observed = {};  ///< with noise, also where it is not shown
  std::vector<Index> known = {};
  std::vector<Index> missing = {};
};

Picture make_picture(Index edge, std::uint64_t seed) {
  Picture picture{.edge = edge, .pixels = evaluation_points(Box::cube(half_width, 2), edge * edge, 0)};
  picture.truth.resize(edge * edge);
  for (Index i = 0; i < edge * edge; ++i) {
    const auto x = picture.pixels.row(i);
    picture.truth(i) = picture_at(x(0), x(1));
    (x.cwiseAbs().maxCoeff() > missing_half_width ? picture.known : picture.missing).push_back(i);
  }
  const RandomStream stream{.seed = seed, .purpose = Purpose::predictive_noise};
  picture.observed = picture.truth + noise * stream.normals(edge * edge);
  return picture;
}

Contest contest_of(const Picture& picture, const Sizes& size, const ExperimentOptions& options) {
  return {.options = options,
          .process = {.kernel = parse_kernel(kernel), .mean = MeanFunction("0")},
          .nodes = grid(half_width, size.nodes, 2, half_width),
          .few_nodes = grid(half_width, size.nodes, 2, half_width),
          .few_ridge = 1e-6,
          .hidden = {.sigma_w = 2, .sigma_b = 12},
          .data = {.X = picture.pixels(picture.known, Eigen::all),
                   .Y = picture.observed(picture.known),
                   .noise = Vector::Constant(1, noise)},
          .asked = picture.pixels,
          .held_out = picture.missing,
          .truth = picture.truth(picture.missing),
          .monitored = picture.pixels.rows(),
          .place =
              [&picture](Index i) {
                return fmt::format("at ({:.1f}, {:.1f})", picture.pixels(i, 0), picture.pixels(i, 1));
              },
          .domain_points = evaluation_points(Box::cube(half_width, 2), size.prior_error_points, 0)};
}

LongTable table(const Picture& picture, const std::vector<Answer>& answers) {
  LongTable table{
      .header = {"model", "part", "x1", "x2", "picture", "observed", "mean", "sd", "lower", "upper"},
      .rows = {}};
  const auto append = [&](const Answer& answer, const char* part, const std::vector<Index>& pixels) {
    const PredictiveSummary& at = answer.predicted;
    const bool known = part == std::string("known");
    for (const Index i : pixels)
      table.rows.push_back({answer.key, part, picture.pixels(i, 0), picture.pixels(i, 1), picture.truth(i),
                            known ? Cell(picture.observed(i)) : Cell(""), at.mean(i), at.sd(i), at.lower(i),
                            at.upper(i)});
  };
  for (const Answer& answer : answers) {
    append(answer, "known", picture.known);
    append(answer, "missing", picture.missing);
  }
  return table;
}

nlohmann::ordered_json result_json(const Picture& picture, const Sizes& size,
                                   const std::vector<Answer>& answers, const ExperimentOptions& options) {
  auto json = contest_json(answers, options.seed);
  json["task"] = {{"pixels", {picture.edge, picture.edge}},
                  {"known", picture.known.size()},
                  {"missing", picture.missing.size()},
                  {"nodes", {size.nodes, size.nodes}},
                  {"kernel", kernel},
                  {"noise", noise},
                  {"fast", options.fast},
                  {"seed", options.seed}};
  return json;
}

/// Rows of the matrix are x2 from the bottom up: what gnuplot's `matrix with image` wants.
std::string image_block(const std::string& name, const Picture& picture, const VectorView& values) {
  return data_block(name, Eigen::Map<const Matrix>(values.data(), picture.edge, picture.edge));
}

std::string image_title(const Answer& answer) {
  const std::string name = answer.key == "gp" ? "exact process" : answer.name;
  return fmt::format("{}: rmse {:#.2g}", name, answer.scores.rmse);
}

/// One picture; the square is what was missing.
std::string image(std::size_t number, const std::string& title, const std::string& block, Index edge,
                  const Place& place, bool lowest, bool leftmost) {
  const double step = 2 * half_width / static_cast<double>(edge - 1);
  return place.script() + panel_title(number, title) +
         fmt::format("set format x '{}'\nset format y '{}'\nset xlabel '{}'\nset ylabel '{}'\n",
                     lowest ? "%g" : "", leftmost ? "%g" : "", lowest ? "x_1" : "", leftmost ? "x_2" : "") +
         fmt::format(
             "plot ${} matrix using (-5+$1*{}):(-5+$2*{}):3 with image, \\\n"
             "     $square using 1:2 with lines lw 2 lc rgb '#ffffff'\n",
             block, step, step);
}

FigureScript figure(const Picture& picture, const std::vector<Answer>& answers) {
  Matrix square(5, 2);
  const double a = missing_half_width;
  square << -a, -a, a, -a, a, a, -a, a, -a, -a;
  Vector shown = picture.observed;
  for (const Index i : picture.missing) shown(i) = std::nan("");
  std::string script = data_block("square", square) + image_block("picture", picture, picture.truth) +
                       image_block("shown", picture, shown);
  const std::vector<std::string> keys = {"gp", "ridgelet", "least-squares", "iid"};
  for (std::size_t i = 0; i < keys.size(); ++i)
    script += image_block(fmt::format("answer{}", i), picture, find_answer(answers, keys[i]).predicted.mean);

  const PanelGrid cells{.page = {.left = 0.07, .right = 0.905, .bottom = 0.1, .top = 0.955},
                        .rows = 2,
                        .columns = 3,
                        .gap_x = 0.025,
                        .gap_y = 0.075};
  script +=
      "set multiplot\n" + panel_style() +
      "unset grid\nset border 15\nset xrange [-5:5]\nset yrange [-5:5]\nset cbrange [-0.5:4.5]\n"
      // From dark blue to pale yellow, always brighter, so that the order is the same in grey.
      "set palette defined (0 '#0d0887', 1 '#6a00a8', 2 '#b12a90', 3 '#e16462', 4 '#fca636', 5 '#f0f921')\n"
      "unset colorbox\n"
      // Pixels without a value stay grey.
      "set object rectangle from graph 0,0 to graph 1,1 behind fs solid 1 noborder fc rgb '#bbbbbb'\n";
  const auto place = [&](int number) { return cells.cell(number / 3, number % 3); };
  script += image(0, "the picture", "picture", picture.edge, place(0), false, true) +
            image(1, "what is seen", "shown", picture.edge, place(1), false, false);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const int number = 2 + static_cast<int>(i);
    if (i + 1 == keys.size())
      script += fmt::format(
          "set colorbox user origin screen 0.92,{:.3f} size screen 0.018,{:.3f}\nset cblabel 'brightness'\n",
          cells.page.bottom, cells.page.top - cells.page.bottom);
    script += image(static_cast<std::size_t>(number), image_title(find_answer(answers, keys[i])),
                    fmt::format("answer{}", i), picture.edge, place(number), number > 2, number % 3 == 0);
  }
  return {.script = script + "unset multiplot\n", .width = 1000, .height = 700};
}

ExperimentResult run(const ExperimentOptions& options) {
  const Sizes size = sizes(options);
  const Picture picture = make_picture(size.pixels, options.seed);
  const std::vector<Answer> answers = run_contest(
      contest_of(picture, size, options), {{"ridgelet", "ridgelet", size.units, size.sampling},
                                           {"least-squares", "least-squares", size.units, size.sampling},
                                           {"iid", "iid", size.units, size.sampling}});
  return {.table = table(picture, answers),
          .json = result_json(picture, size, answers, options),
          .figure = figure(picture, answers),
          .report = paragraph(fmt::format("In-painting: {} pixels are seen with noise {}, {} are missing and "
                                          "scored without noise.",
                                          picture.known.size(), noise, picture.missing.size())) +
                    contest_report(answers)};
}

}  // namespace

Experiment inpainting() {
  return {.name = "inpainting",
          .description = "Section 6.2: the missing middle of a picture of 50 x 50 pixels",
          .run = run};
}

}  // namespace ridgelet::experiments
