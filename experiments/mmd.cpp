// Appendix "Alternative Error Measurement by MMD": the distance between networks and their process as
// distributions, where a draw at 50 inputs is one point of R^50.
#include "ridgelet/assess/mmd.hpp"

#include <fmt/format.h>

#include "experiments/approximation_panels.hpp"
#include "experiments/draws.hpp"
#include "experiments/paragraph.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::experiments {

namespace {

using Json = nlohmann::ordered_json;

struct Sizes {
  std::vector<Index> ridgelet_units = {100, 300, 1000, 3000, 10000, 30000};
  std::vector<Index> least_squares_units = {30, 100, 300, 1000};
  Index inputs = 50;
  Index draws = 1000;
  Index repeats = 10;
};

Sizes sizes(const ExperimentOptions& options) {
  if (!options.fast) return {};
  return {.ridgelet_units = {100, 300, 1000}, .least_squares_units = {30, 100}, .draws = 200, .repeats = 4};
}

/// MMD^2 over repeats; `model` is "gp" for the process against itself.
struct Distance {
  std::string model;
  Index units;
  Vector mmd2;

  Estimate over_repeats() const { return Estimate::of(mmd2); }
};

/// MMD^2 of networks from the process, for each repeat.
Vector measure(const PriorSetting& setting, const Matrix& X, const ProcessSamples& process, const Sizes& size,
               const ExperimentOptions& options) {
  const RidgeletPrior prior = make_prior(setting);
  const std::string stage = fmt::format("networks of {} with {} units", setting.model, setting.units);
  Index done = 0;
  const auto step = [&] {
    if (++done; options.progress) options.progress(stage, done, size.repeats * size.draws);
  };
  Vector mmd2(size.repeats);
  for (Index r = 0; r < size.repeats; ++r) {
    const Matrix networks = network_draws(
        prior, X, {.count = size.draws, .seed = options.seed, .first = r * size.draws, .step = step});
    mmd2(r) = sample_mmd2(networks.transpose(), process.samples[static_cast<std::size_t>(r)],
                          paper_inverse_alpha_squared);
  }
  return mmd2;
}

std::vector<Distance> run_all(const Sizes& size, const ExperimentOptions& options) {
  const Matrix X = Vector::LinSpaced(size.inputs, -paper_domain, paper_domain);
  const GaussianProcess target{.kernel = parse_kernel(squared_exponential)};
  const ProcessSamples process = process_samples(target.prior(X), size.draws, size.repeats, options.seed);
  std::vector<Distance> distances;
  const auto measure_networks = [&](const std::string& model, Index units) {
    distances.push_back({model, units, measure({.model = model, .units = units}, X, process, size, options)});
  };
  for (const Index N : size.ridgelet_units) measure_networks("ridgelet", N);
  for (const Index N : size.least_squares_units) measure_networks("least-squares", N);
  distances.push_back({"gp", 0, process.null});
  return distances;
}

LongTable table(const std::vector<Distance>& distances) {
  LongTable table{.header = {"operator", "units", "repeat", "mmd2"}, .rows = {}};
  for (const Distance& each : distances)
    for (Index r = 0; r < each.mmd2.size(); ++r)
      table.rows.push_back({each.model, each.model == "gp" ? Cell("") : Cell(static_cast<double>(each.units)),
                            static_cast<double>(r + 1), each.mmd2(r)});
  return table;
}

Json result_json(const std::vector<Distance>& distances, const Sizes& size,
                 const ExperimentOptions& options) {
  Json list = Json::array();
  for (const Distance& each : distances) {
    if (each.model == "gp") continue;
    Json entry = {{"operator", each.model}, {"units", each.units}};
    entry.update(estimate_json(each.over_repeats()));
    list.push_back(entry);
  }
  return {{"mmd2", list},
          {"null", estimate_json(distances.back().over_repeats())},
          {"task",
           {{"kernel", squared_exponential},
            {"inverse_alpha_squared", paper_inverse_alpha_squared},
            {"inputs", size.inputs},
            {"draws", size.draws},
            {"repeats", size.repeats},
            {"fast", options.fast},
            {"seed", options.seed}}}};
}

Matrix curve_of(const std::vector<Distance>& distances, const std::string& model) {
  std::vector<const Distance*> wanted;
  for (const Distance& each : distances)
    if (each.model == model) wanted.push_back(&each);
  Matrix rows(static_cast<Index>(wanted.size()), 3);
  for (Index i = 0; i < rows.rows(); ++i) {
    const Distance& each = *wanted[static_cast<std::size_t>(i)];
    const Estimate mean = each.over_repeats();
    rows.row(i) << static_cast<double>(each.units), mean.mean, 2 * mean.standard_error();
  }
  return rows;
}

/// The null as a band, from its smallest to its largest value over repeats.
Curve null_band(const Vector& null) {
  Matrix rows(2, 3);
  rows << 20, null.minCoeff(), null.maxCoeff(), 50000, null.minCoeff(), null.maxCoeff();
  return {.rows = rows, .style = "using 1:2:3 with filledcurves fs solid 1 noborder lc rgb '#c8c8c8'"};
}

FigureScript figure(const std::vector<Distance>& distances) {
  FigurePage page(760, 520);
  Panel panel{.title = "networks against their process",
              .place = {.left = 0.13, .right = 0.97, .bottom = 0.26, .top = 0.92}};
  panel.axes =
      "set logscale xy\nset xrange [20:50000]\nset format xy '10^{%T}'\nset xlabel 'units N'\n"
      "set ylabel 'MMD^2'\nset mxtics 10\n";
  panel.curves.push_back(null_band(distances.back().mmd2));
  for (const char* model : {"ridgelet", "least-squares"}) {
    const Matrix rows = curve_of(distances, model);
    panel.curves.push_back({rows, fmt::format("using 1:2:3 with yerrorbars pt 0 lw 1.2 lc rgb '{}'",
                                              colour_of_operator(model))});
    panel.curves.push_back({rows, "using 1:2 with linespoints " + line_style(model)});
  }
  page.add(panel);
  page.add_legend({.left = 0.1, .right = 0.98, .bottom = 0.03, .top = 0.09},
                  {error_legend("ridgelet", 0, "ridgelet"),
                   error_legend("least-squares", 0, "least-squares"),
                   {.style = "#c8c8c8", .text = "process against itself", .band = true}},
                  3);
  return page.script();
}

std::string report(const std::vector<Distance>& distances, const Sizes& size) {
  std::string text = paragraph(
      fmt::format("MMD^2 between {} networks and {} draws of the process at {} inputs, over {} repeats.",
                  size.draws, size.draws, size.inputs, size.repeats));
  text += fmt::format("  {:<26}{:>7}{:>14}\n", "against the process", "units", "MMD^2 +- s.e.");
  for (const Distance& each : distances) {
    const Estimate mean = each.over_repeats();
    const bool process = each.model == "gp";
    text +=
        fmt::format("  {:<26}{:>7}{:>10.3g} +- {:.1g}\n", process ? "the process itself (null)" : each.model,
                    process ? "-" : fmt::format("{}", each.units), mean.mean, mean.standard_error());
  }
  return text;
}

ExperimentResult run(const ExperimentOptions& options) {
  const Sizes size = sizes(options);
  const std::vector<Distance> distances = run_all(size, options);
  return {.table = table(distances),
          .json = result_json(distances, size, options),
          .figure = figure(distances),
          .report = report(distances, size)};
}

}  // namespace

Experiment mmd() {
  return {.name = "mmd",
          .description = "Appendix: maximum mean discrepancy of networks from their process",
          .run = run};
}

}  // namespace ridgelet::experiments
