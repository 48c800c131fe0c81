// Section 4.3: a function, the mollifier that is 1 on X = (-5, 5) and 0 outside [-7.5, 7.5], and their
// product.
#include "ridgelet/cubature/mollifier.hpp"

#include <fmt/format.h>

#include <cmath>

#include "experiments/draws.hpp"
#include "experiments/experiment.hpp"
#include "experiments/panels.hpp"
#include "experiments/paragraph.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::experiments {

namespace {

constexpr double domain_edge = 5, box_edge = 7.5, shown = 10;

struct Mollified {
  Vector x;
  Vector function;
  Vector mollifier;
  Vector product;
};

Vector mollifier_at(const VectorView& x) {
  return ridgelet::mollifier(x, Box::cube(domain_edge, 1), Box::cube(box_edge, 1));
}

/// The function is a path of the process that most figures use, shown here far beyond the domain.
Mollified mollify(const ExperimentOptions& options) {
  const Index points = options.fast ? 201 : 801;
  const GaussianProcess process{.kernel = parse_kernel(squared_exponential)};
  Mollified result;
  result.x = Vector::LinSpaced(points, -shown, shown);
  result.function = process_draws(process, result.x, 1, options.seed);
  result.mollifier = mollifier_at(result.x);
  result.product = result.function.cwiseProduct(result.mollifier);
  return result;
}

LongTable table(const Mollified& curves) {
  LongTable table{.header = {"curve", "x", "value"}, .rows = {}};
  const auto append = [&](const char* name, const Vector& values) {
    for (Index i = 0; i < values.size(); ++i) table.rows.push_back({name, curves.x(i), values(i)});
  };
  append("function", curves.function);
  append("mollifier", curves.mollifier);
  append("product", curves.product);
  return table;
}

/// Where the mollifier is one half: x^2 is halfway between a^2 and S^2.
double half_way() {
  return std::sqrt((domain_edge * domain_edge + box_edge * box_edge) / 2);
}

nlohmann::ordered_json json(const Mollified& curves, const ExperimentOptions& options) {
  const Vector at = (Vector(5) << 0, domain_edge, half_way(), 7, box_edge).finished();
  const Vector values = mollifier_at(at);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (Index i = 0; i < at.size(); ++i) list.push_back({{"x", at(i)}, {"value", values(i)}});
  const Vector change =
      (curves.x.array().abs() <= domain_edge).select((curves.product - curves.function).array().abs(), 0.0);
  return {{"domain", {-domain_edge, domain_edge}},
          {"box", {-box_edge, box_edge}},
          {"mollifier", list},
          {"largest_change_on_domain", change.maxCoeff()},
          {"fast", options.fast},
          {"seed", options.seed}};
}

/// The edges of the domain (dashed) and of the box (dotted), and which is which.
std::string edges() {
  std::string script;
  const auto line = [&](double x, int dash) {
    script += fmt::format(
        "set arrow from {0},graph 0 to {0},graph 1 nohead lw 1.2 dt {1} lc rgb '#333333' back\n", x, dash);
  };
  for (const double sign : {-1.0, 1.0}) {
    line(sign * domain_edge, 2);
    line(sign * box_edge, 3);
  }
  return script;
}

FigureScript figure(const Mollified& curves) {
  const PanelGrid cells = {.page = {.left = 0.055, .right = 0.985, .bottom = 0.25, .top = 0.9},
                           .rows = 1,
                           .columns = 3,
                           .gap_x = 0.075,
                           .gap_y = 0};
  const double reach = 1.1 * curves.function.cwiseAbs().maxCoeff();
  const auto panel = [&](int number, const char* title, const char* label, const char* curve, double low,
                         double high) {
    return cells.cell(0, number).script() + panel_title(static_cast<std::size_t>(number), title) +
           fmt::format("set ylabel '{}' offset 1,0\nset yrange [{}:{}]\nplot {}\n", label, low, high, curve);
  };
  Matrix columns(curves.x.size(), 4);
  columns << curves.x, curves.function, curves.mollifier, curves.product;
  const std::string process = fmt::format("lc rgb '{}'", colour::gaussian_process);
  const std::string foot = fmt::format(
      "set arrow from screen 0.06,0.055 to screen 0.1,0.055 nohead lw 1.2 dt 2 lc rgb '#333333'\n"
      "set label 'edge of the domain, |x| = {}' at screen 0.11,0.055 left\n"
      "set arrow from screen 0.4,0.055 to screen 0.44,0.055 nohead lw 1.2 dt 3 lc rgb '#333333'\n"
      "set label 'edge of the box, |x| = {}' at screen 0.45,0.055 left\n"
      "set arrow from screen 0.72,0.055 to screen 0.76,0.055 nohead lw 1.2 dt 4 lc rgb '{}'\n"
      "set label 'the function of (a)' at screen 0.77,0.055 left\n",
      domain_edge, box_edge, colour::gaussian_process);
  const std::string script =
      data_block("curves", columns) + "set multiplot\n" + panel_style() + edges() + foot +
      fmt::format("set xrange [{}:{}]\nset xtics 5\nset ytics 1\nset xlabel 'x' offset 0,0.6\n", -shown,
                  shown) +
      panel(0, "a function", "f(x)", ("$curves using 1:2 with lines lw 2 " + process).c_str(), -reach,
            reach) +
      "unset label\nunset arrow\n" + edges() +
      panel(1, "the mollifier", "1(x)", "$curves using 1:3 with lines lw 2 lc rgb '#009E73'", -0.05, 1.1) +
      panel(2, "their product", "f(x) 1(x)",
            ("$curves using 1:2 with lines lw 1.2 dt 4 " + process +
             ", $curves using 1:4 with lines lw 2 lc rgb '#009E73'")
                .c_str(),
            -reach, reach) +
      "unset multiplot\n";
  return {.script = script, .width = 1000, .height = 340};
}

std::string report() {
  return paragraph(fmt::format(
      "The mollifier is 1 on the domain [-{0}, {0}], one half at |x| = {1:.3f} and 0 from |x| = {2} on: the "
      "product is the function on the domain and nothing outside of the box, without a corner between.",
      domain_edge, half_way(), box_edge));
}

}  // namespace

Experiment mollifier() {
  return {.name = "mollifier",
          .description = "Section 4.3: a function is cut off at the edge of the box without a corner",
          .run = [](const ExperimentOptions& options) -> ExperimentResult {
            const Mollified curves = mollify(options);
            return {.table = table(curves),
                    .json = json(curves, options),
                    .figure = figure(curves),
                    .report = report()};
          }};
}

}  // namespace ridgelet::experiments
