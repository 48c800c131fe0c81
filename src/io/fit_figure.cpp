#include "ridgelet/io/fit_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axis_tics.hpp"
#include "figure_parts.hpp"
#include "short_names.hpp"

namespace ridgelet {

namespace {

Page page_of(const FitCurve& fit) {
  const std::string_view colour = colour_of_operator(fit.data.operator_name);
  std::string script =
      columns("fit", {fit.x, fit.mean, fit.half.lower, fit.half.upper, fit.most.lower, fit.most.upper});
  script += columns("data", {fit.data.X.col(0), fit.data.y});
  if (fit.exact)
    script += columns("exact", {fit.x, fit.exact->mean, fit.exact->most.lower, fit.exact->most.upper});
  script += plain_style;
  const Range x = range_of(fit.x);
  script += x.of("x") + column_tics("x", fit.data.columns[0], x.low, x.high, room_of_page);
  const Range y = range_of(fit.data.y).with(fit.most.lower).with(fit.most.upper).padded(0.04);
  script += y.of("y") + number_tics("y", y.low, y.high, room_beside);
  script += labels(column_name(fit.data.columns[0], x.low, x.high, room_of_page, room_of_page),
                   number_name(fit.data.output, y.low, y.high, room_beside, letters_beside_page));
  script += fmt::format(
      "set title {1} noenhanced\nset key outside right top vertical Left reverse samplen 2\n"
      "plot $fit using 1:5:6 with filledcurves fc rgb '{0}' fs transparent solid 0.15 title '95 %{2}',\\\n"
      "  $fit using 1:3:4 with filledcurves fc rgb '{0}' fs transparent solid 0.3 title '50 %{2}',\\\n"
      "  $fit using 1:2 with lines lw 2 lc rgb '{0}' title 'mean',\\\n",
      colour, plain_text(fit.data.label), fit.data.exposure.size() > 0 ? " of the rate" : "");
  if (fit.exact)
    script +=
        "  $exact using 1:2 with lines lw 1.6 dt 3 lc rgb '#000000' title 'exact process',\\\n"
        "  $exact using 1:3 with lines lw 1.2 dt 3 lc rgb '#000000' notitle,\\\n"
        "  $exact using 1:4 with lines lw 1.2 dt 3 lc rgb '#000000' notitle,\\\n";
  script += fmt::format("  $data using 1:2 with points pt 7 ps {} lc rgb '#303030' title {} noenhanced\n",
                        fit.data.y.size() > 300 ? 0.25 : 0.5, plain_text(rows_title(fit.data)));
  return {script, 860, 500};
}

/// What the points of a map are: it has no key that could say so.
std::string whose_points(const ShownData& data) {
  return data.source.empty() ? "" : "; points: " + rows_title(data);
}

Page page_of(const FitMap& fit) {
  std::string script = columns("map", {fit.X.col(0), fit.X.col(1), fit.mean, fit.sd});
  script += columns("data", {fit.data.X.col(0), fit.data.X.col(1)});
  script += "set multiplot\nset tics out nomirror\nunset key\n";
  // Data outside of the domain are left out of the picture.
  script += map_axes(fit.X, fit.data);
  constexpr int letters_of_title = 56;
  const std::string points = whose_points(fit.data);
  const Range mean = range_of(fit.mean).padded(0), sd = Range{0, fit.sd.maxCoeff()}.padded(0);
  const MapPair maps{.map = 312,
                     .axis_letters = upright_letters(fit.X, fit.data),
                     .first_letters = colour_letters(mean),
                     .second_letters = colour_letters(sd),
                     .beyond = 28};
  script += maps.first_margins() + colour_axis(mean);
  script += fmt::format(
      "set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')\n"
      "set title {} noenhanced\nplot $map using 1:2:3 with image notitle,\\\n"
      "  $data using 1:2 with points pt 7 ps 0.6 lc rgb '#ffffff' notitle,\\\n"
      "  $data using 1:2 with points pt 7 ps 0.35 lc rgb '#202020' notitle\n",
      plain_text(number_name("mean of " + fit.data.output, mean.low, mean.high, room_beside,
                             letters_of_title - static_cast<int>(letters_of(points))) +
                 points));
  script += "unset label 2\n" + maps.second_margins() + sd_map(sd, "its standard deviation, without noise");
  return {script + "unset multiplot\n", maps.width(), 470};
}

std::string observed_against_predicted(const FitChecks& fit, std::string_view colour) {
  const std::string predicted = "predicted ";
  const Range range = range_of(fit.data.y).with(fit.mean).padded(0.04);
  std::string script = columns("checked", {fit.mean, fit.data.y, fit.most.lower, fit.most.upper});
  script += range.of("x") + number_tics("x", range.low, range.high, room_of_panel) + range.of("y") +
            number_tics("y", range.low, range.high, room_beside) +
            label_below(predicted + number_name(fit.data.output, range.low, range.high, room_of_panel,
                                                room_of_panel - static_cast<int>(predicted.size()))) +
            label_beside(number_name("observed", range.low, range.high, room_beside, letters_beside_panel),
                         number_letters(range.low, range.high, room_beside), size_of_panel);
  script += fmt::format(
      "set title {} noenhanced\n",
      plain_text(fmt::format("{}: RMSE {:.3g}, R² {:.3f}", source_title(fit.data), fit.rmse, fit.r2)));
  return script + fmt::format(
                      "plot $checked using 1:2:3:4 with xerrorbars pt 0 lw 1 lc rgb '#B0{}' notitle,\\\n"
                      "  $checked using 1:2 with points pt 7 ps 0.35 lc rgb '{}' notitle,\\\n"
                      "  x with lines lw 1 dt 2 lc rgb '#000000' notitle\n",
                      colour.substr(1), colour);
}

/// The grey band is 1.96 sqrt(p (1 - p) / n) on either side: the coverage of correct intervals varies like a share of n
/// independent rows.
std::string calibration(const FitChecks& fit, std::string_view colour) {
  const double n = static_cast<double>(fit.data.y.size());
  std::string script = columns("calibration", {fit.level, fit.coverage});
  script += "set xrange [0:1]\nset yrange [0:1]\nset xtics 0.2\nset ytics 0.2\n" +
            label_below("level of the interval") +
            label_beside("rows inside of it", letters_of_share, size_of_panel);
  script += "set title 'calibration' noenhanced\n";
  return script + fmt::format(
                      "spread(p) = 1.96 * sqrt(p * (1 - p) / {})\n"
                      "plot '+' using 1:($1 - spread($1)):($1 + spread($1)) with filledcurves fc rgb "
                      "'#dddddd' notitle, x with "
                      "lines lw 1 dt 2 lc rgb '#000000' notitle, $calibration using 1:2 with linespoints pt "
                      "7 ps 0.5 lw 1.6 lc "
                      "rgb '{}' notitle\n",
                      n, colour);
}

Page page_of(const FitChecks& fit) {
  const std::string_view colour = colour_of_operator(fit.data.operator_name);
  const Panels panels{.count = panels_of(fit.data, fit.effects)};
  std::string script = "set multiplot\n" + std::string(plain_style) + std::string(panel_style);
  script += panels.margins(0) + observed_against_predicted(fit, colour);
  script += panels.margins(1) + calibration(fit, colour);
  Range y = range_of(fit.effects[0].mean);
  for (const Effect& each : fit.effects) y = y.with(each.lower).with(each.upper);
  y = y.padded(0.06);
  script += number_tics("y", y.low, y.high, room_beside);
  const std::string name =
      label_beside(number_name(fit.effect_on, y.low, y.high, room_beside, letters_beside_panel),
                   number_letters(y.low, y.high, room_beside), size_of_panel);
  const std::vector<EffectLine> line = {{.column = 0, .colour = std::string(colour)}};
  for (std::size_t k = 0; k < fit.effects.size(); ++k) {
    if (k + 1 == fit.effects.size()) script += note_on_effects(fit.data, fit.effects, panels);
    script +=
        panels.margins(2 + static_cast<Index>(k)) + name + effect_panel(fit.data, fit.effects[k], line, y);
  }
  return {script + "unset multiplot\n", panels.width(), panels.height()};
}

/// "value ± standard error", to two digits of the standard error.
std::string with_error(double value, double standard_error) {
  const int digits =
      standard_error > 0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(standard_error))), 0, 9) : 2;
  return fmt::format("{:.{}f} ± {:.{}f}", value, digits, standard_error, digits);
}

/// The range of all that has settled: steps far below it, as there may be at first, are left out.
Range range_of_trace(const ElboTrace& fit) {
  const Vector ends = Vector{{fit.elbo.value, fit.elbo.of_prior, fit.elbo.trace.maxCoeff()}};
  const Range settled = range_of(fit.average).with(ends);
  return Range{std::max(settled.padded(0.5).low, settled.with(fit.elbo.trace).low), settled.high}.padded(
      0.03);
}

Page page_of(const ElboTrace& fit) {
  const auto& [value, standard_error, of_prior, trace, settled] = fit.elbo;
  const std::string bound =
      fit.of_laplace ? "with Laplace's approximation" : "lower bound of the log evidence";
  const auto steps = static_cast<double>(trace.size()), window = static_cast<double>(fit.window);
  const std::string_view colour = colour_of_operator(fit.operator_name);
  std::string script = columns("trace", {Vector::LinSpaced(trace.size(), 1, steps), trace});
  script += columns("average", {Vector::LinSpaced(fit.average.size(), window, steps), fit.average});
  const Range range = range_of_trace(fit);
  const Index below = (trace.array() < range.low).count();
  script +=
      std::string(plain_style) + Range{0, steps}.of("x") + range.of("y") + labels("step", "ELBO, " + bound);
  script += fmt::format("set title {} noenhanced\n",
                        plain_text(fit.label + (settled ? "" : "; the ELBO was still rising")));
  script += fmt::format(
      "set key outside bottom center horizontal Left reverse samplen 2 maxcols 2 maxrows 2\n"
      "plot $trace using 1:2 with lines lw 0.8 lc rgb '#A0{}' title 'each step{}',\\\n"
      "  $average using 1:2 with lines lw 2 lc rgb '{}' title 'mean of {} steps',\\\n",
      colour.substr(1), below > 0 ? fmt::format(" ({} below)", below) : "", colour, fit.window);
  script += fmt::format(
      "  {} with lines lw 1.2 dt 2 lc rgb '#000000' title 'of the fit: {}',\\\n"
      "  {} with lines lw 1.2 dt 3 lc rgb '#4D4D4D' title 'of the prior: {:.2f}'\n",
      value, with_error(value, standard_error), of_prior, of_prior);
  return {script, 860, 500};
}

}  // namespace

void plot_fit(const FitPicture& picture, const std::filesystem::path& path) {
  validate_figure_path(path, "out");
  const Page page = std::visit([](const auto& each) { return page_of(each); }, picture);
  render_figure(page.script, path, page.width, page.height);
}

}  // namespace ridgelet
