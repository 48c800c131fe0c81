#include "ridgelet/io/fit_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet {

namespace {

/// gnuplot refuses an axis without length.
constexpr double smallest_span = 1e-12;

struct Range {
  double low, high;

  Range with(const Vector& values) const {
    return {std::min(low, values.minCoeff()), std::max(high, values.maxCoeff())};
  }
  Range padded(double share) const {
    const double span = std::max({high - low, smallest_span, 1e-9 * std::max(std::abs(low), std::abs(high))});
    return {low - share * span, high + share * span};
  }
  std::string of(std::string_view axis) const {
    return fmt::format("set {}range [{}:{}]\n", axis, low, high);
  }
};

Range range_of(const Vector& values) {
  return {values.minCoeff(), values.maxCoeff()};
}

std::string labels(const std::string& x, const std::string& y) {
  return fmt::format("set xlabel {} noenhanced\nset ylabel {} noenhanced\n", plain_text(x), plain_text(y));
}

std::string columns(std::string_view name, const std::vector<Vector>& values) {
  Matrix table(values[0].size(), static_cast<Index>(values.size()));
  for (std::size_t j = 0; j < values.size(); ++j) table.col(static_cast<Index>(j)) = values[j];
  return data_block(name, table);
}

std::string rows_title(const ShownData& data) {
  return data.y.size() < data.rows ? fmt::format("data ({} of {} rows)", data.y.size(), data.rows) : "data";
}

constexpr std::string_view style =
    "set border 3 lw 0.8\nset tics out nomirror\nset grid back lt 1 lw 0.5 lc rgb '#e4e4e4'\n"
    "set style fill noborder\n";

std::string curve(const FitCurve& fit) {
  const std::string_view colour = colour_of_operator(fit.data.operator_name);
  std::string script =
      columns("fit", {fit.x, fit.mean, fit.half.lower, fit.half.upper, fit.most.lower, fit.most.upper});
  script += columns("data", {fit.data.X.col(0), fit.data.y});
  if (fit.exact)
    script += columns("exact", {fit.x, fit.exact->mean, fit.exact->most.lower, fit.exact->most.upper});
  script += style;
  script += range_of(fit.x).of("x");
  script += range_of(fit.data.y).with(fit.most.lower).with(fit.most.upper).padded(0.04).of("y");
  script += labels(fit.data.inputs[0], fit.data.output);
  script += fmt::format(
      "set title {1} noenhanced\nset key outside right top vertical Left reverse samplen 2\n"
      "plot $fit using 1:5:6 with filledcurves fc rgb '{0}' fs transparent solid 0.15 title '95 %',\\\n"
      "  $fit using 1:3:4 with filledcurves fc rgb '{0}' fs transparent solid 0.3 title '50 %',\\\n"
      "  $fit using 1:2 with lines lw 2 lc rgb '{0}' title 'mean',\\\n",
      colour, plain_text(fit.data.label));
  if (fit.exact)
    script +=
        "  $exact using 1:2 with lines lw 1.6 dt 3 lc rgb '#000000' title 'exact process',\\\n"
        "  $exact using 1:3 with lines lw 1.2 dt 3 lc rgb '#000000' notitle,\\\n"
        "  $exact using 1:4 with lines lw 1.2 dt 3 lc rgb '#000000' notitle,\\\n";
  return script + fmt::format("  $data using 1:2 with points pt 7 ps {} lc rgb '#303030' title '{}'\n",
                              fit.data.y.size() > 300 ? 0.25 : 0.5, rows_title(fit.data));
}

/// A map between these sides of the page, as shares of its width.
std::string map_panel(double left, double right, const std::string& title, const std::string& palette,
                      int column) {
  return fmt::format(
             "set lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen 0.16\n"
             "set tmargin at screen 0.91\nset colorbox user origin {},0.16 size 0.018,0.75\n",
             left, right, right + 0.012) +
         fmt::format(
             "set palette {}\nset title {} noenhanced\nplot $map using 1:2:{} with image notitle,\\\n"
             "  $data using 1:2 with points pt 7 ps 0.6 lc rgb '#ffffff' notitle,\\\n"
             "  $data using 1:2 with points pt 7 ps 0.35 lc rgb '#202020' notitle\n",
             palette, plain_text(title), column);
}

std::string map(const FitMap& fit) {
  std::string script = columns("map", {fit.X.col(0), fit.X.col(1), fit.mean, fit.sd});
  script += columns("data", {fit.data.X.col(0), fit.data.X.col(1)});
  script += "set multiplot\nset tics out nomirror\nunset key\n";
  // Data outside of the domain are left out of the picture.
  script += range_of(fit.X.col(0)).of("x") + range_of(fit.X.col(1)).of("y");
  script += labels(fit.data.inputs[0], fit.data.inputs[1]);
  const Range mean = range_of(fit.mean).padded(0), sd = Range{0, fit.sd.maxCoeff()}.padded(0);
  script += mean.of("cb");
  script += map_panel(0.09, 0.42, "mean of " + fit.data.output,
                      "defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')", 3);
  script += sd.of("cb") + "unset ylabel\n";
  script += map_panel(0.57, 0.9, "its standard deviation, without noise",
                      "defined (0 '#fffdf5', 1 '#fec44f', 2 '#d95f0e', 3 '#662506')", 4);
  return script + "unset multiplot\n";
}

/// Where a panel stands: `columns` to a row, of a page that many rows high.
struct Place {
  Index index, columns, rows;

  std::string margins() const {
    const double width = 1.0 / static_cast<double>(columns), height = 1.0 / static_cast<double>(rows);
    const double left = width * static_cast<double>(index % columns);
    const double top = 1 - height * static_cast<double>(index / columns);
    return fmt::format(
        "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen "
        "{}\n",
        left + 0.25 * width, left + 0.95 * width, top - 0.12 * height, top - 0.75 * height);
  }
};

std::string observed_against_predicted(const FitChecks& fit, std::string_view colour) {
  const Range range = range_of(fit.data.y).with(fit.mean).padded(0.04);
  std::string script = columns("checked", {fit.mean, fit.data.y, fit.most.lower, fit.most.upper});
  script += range.of("x") + range.of("y") + labels("predicted " + fit.data.output, "observed");
  script += fmt::format("set title 'in the fit: RMSE {:.3g}, R² {:.3f}' noenhanced\n", fit.rmse, fit.r2);
  return script + fmt::format(
                      "plot $checked using 1:2:3:4 with xerrorbars pt 0 lw 1 lc rgb '#B0{}' notitle,\\\n"
                      "  $checked using 1:2 with points pt 7 ps 0.35 lc rgb '{}' notitle,\\\n"
                      "  x with lines lw 1 dt 2 lc rgb '#000000' notitle\n",
                      colour.substr(1), colour);
}

/// The coverage of right intervals varies like a share of that many independent rows.
std::string calibration(const FitChecks& fit, std::string_view colour) {
  const double n = static_cast<double>(fit.data.y.size());
  std::string script = columns("calibration", {fit.level, fit.coverage});
  script += "set xrange [0:1]\nset yrange [0:1]\n" + labels("level of the interval", "rows inside of it");
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

std::string effect(const FitChecks& fit, std::size_t k, const Range& y, std::string_view colour) {
  const FitChecks::Effect& of = fit.effects[k];
  const std::string name = fmt::format("effect{}", k), rug = fmt::format("rug{}", k);
  std::string script = columns(name, {of.x, of.mean, of.most.lower, of.most.upper});
  const Vector x = fit.data.X.col(static_cast<Index>(k));
  script += columns(
      rug, {x, Vector::Constant(x.size(), y.low), Vector::Constant(x.size(), 0.03 * (y.high - y.low))});
  script += range_of(of.x).padded(0.02).of("x") + y.of("y") + labels(fit.data.inputs[k], fit.data.output);
  script += "unset title\n";
  return script + fmt::format(
                      "plot ${0} using 1:3:4 with filledcurves fc rgb '{1}' fs transparent solid 0.2 "
                      "notitle, ${0} using 1:2 "
                      "with lines lw 2 lc rgb '{1}' notitle, ${2} using 1:2:(0):3 with vectors nohead lw 0.4 "
                      "lc rgb '#606060' "
                      "notitle\n",
                      name, colour, rug);
}

constexpr Index most_columns = 4;

Place place_of_checks(const FitChecks& fit, Index index) {
  const Index panels = 2 + static_cast<Index>(fit.effects.size());
  const Index columns = panels <= 9 ? 3 : most_columns;
  return {index, columns, (panels + columns - 1) / columns};
}

std::string checks(const FitChecks& fit) {
  const std::string_view colour = colour_of_operator(fit.data.operator_name);
  std::string script = "set multiplot\n" + std::string(style) +
                       "unset key\nset title offset 0,-0.5\n"
                       "set tics font ',10'\nset xtics offset 0,0.3\nset xlabel font ',12' offset 0,0.6\nset "
                       "ylabel font ',12' offset 1\nset title font ',12'\n"
                       "set errorbars 0\n";
  script += place_of_checks(fit, 0).margins() + observed_against_predicted(fit, colour);
  script += place_of_checks(fit, 1).margins() + calibration(fit, colour);
  Range y = range_of(fit.effects[0].mean);
  for (const FitChecks::Effect& each : fit.effects) y = y.with(each.most.lower).with(each.most.upper);
  for (std::size_t k = 0; k < fit.effects.size(); ++k)
    script +=
        place_of_checks(fit, 2 + static_cast<Index>(k)).margins() + effect(fit, k, y.padded(0.06), colour);
  return script + "unset multiplot\n";
}

}  // namespace

void plot_fit(const FitPicture& picture, const std::filesystem::path& path) {
  validate_figure_path(path, "out");
  if (const auto* one = std::get_if<FitCurve>(&picture)) return render_figure(curve(*one), path, 860, 500);
  if (const auto* two = std::get_if<FitMap>(&picture)) return render_figure(map(*two), path, 1040, 470);
  const FitChecks& many = std::get<FitChecks>(picture);
  const Place last = place_of_checks(many, 0);
  render_figure(checks(many), path, static_cast<int>(310 * last.columns), static_cast<int>(270 * last.rows));
}

}  // namespace ridgelet
