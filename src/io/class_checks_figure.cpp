#include <fmt/format.h>

#include <algorithm>

#include "axis_tics.hpp"
#include "class_looks.hpp"
#include "figure_parts.hpp"
#include "ridgelet/fitting/class_picture.hpp"
#include "short_names.hpp"

namespace ridgelet {

namespace {

constexpr std::size_t longest_tic = 11;

std::size_t longest_of(const std::vector<std::string>& names) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, letters_of(name));
  return longest;
}

/// "'setosa' 0, 'versicolor' 1": where gnuplot writes the names of classes.
std::string tics_of(const std::vector<std::string>& names) {
  std::string tics;
  for (std::size_t k = 0; k < names.size(); ++k)
    tics += fmt::format("{}{} {}", k == 0 ? "" : ", ", plain_text(names[k]), k);
  return tics;
}

/// Numbers of rows, each cell shaded by its share of the rows of the class that was observed.
std::string confusion(const ClassChecks& fit) {
  const Index K = fit.confusion.rows();
  Matrix cells(K * K, 4);
  for (Index i = 0; i < K; ++i)
    for (Index j = 0; j < K; ++j)
      cells.row(i * K + j) << static_cast<double>(j), static_cast<double>(i), fit.confusion(i, j),
          fit.confusion(i, j) / std::max(1.0, fit.confusion.row(i).sum());
  const std::vector<std::string> names =
      K <= most_looks ? distinct_short_names(fit.classes, longest_tic) : std::vector<std::string>{""};
  const std::string tics = tics_of(names);
  const std::size_t longest = longest_of(names);
  const bool crowded = names.size() * longest > 33;
  std::string script = data_block("confusion", cells);
  script += fmt::format(
      "set xrange [-0.5:{0}]\nset yrange [{0}:-0.5]\nset cbrange [0:1]\nunset colorbox\nunset grid\n"
      "set palette defined (0 '#ffffff', 1 '#0072B2')\n"
      "set xtics ({1}) scale 0 noenhanced {2}\nset ytics ({1}) scale 0 noenhanced\n",
      static_cast<double>(K) - 0.5, tics, crowded ? "rotate by 35 right" : "");
  script += label_below(shortened_within("likeliest " + fit.data.output, room_of_panel)) +
            fmt::format("set xlabel offset 0,{}\n", crowded ? 2.2 : 0.6) +
            label_beside("observed", static_cast<int>(longest), size_of_panel);
  script += fmt::format("set title {} noenhanced\nplot $confusion using 1:2:4 with image pixels notitle",
                        plain_text(fmt::format("{}: accuracy {:.3f}", source_title(fit.data), fit.accuracy)));
  if (K <= most_looks)
    script += fmt::format(
        ",\\\n  $confusion using 1:2:($4 < 0.6 ? sprintf('%d', $3) : '') with labels font ',{0}' notitle,\\\n"
        "  $confusion using 1:2:($4 < 0.6 ? '' : sprintf('%d', $3)) with labels font ',{0}' tc rgb '#ffffff' "
        "notitle",
        K > 6 ? 7 : 10);
  return script + "\nset xtics autofreq scale 1 norotate center\nset ytics autofreq scale 1\n" +
         std::string(panel_style) + std::string(plain_style);
}

/// Shares that were observed, on bars within which they would lie in 95 % of all cases if the probabilities were right;
/// larger points have more probabilities in their bins.
std::string calibration(const ClassChecks& fit, std::string_view colour) {
  const CalibrationCurve& curve = fit.calibration;
  const Vector reach = 1.96 * curve.chance;
  const Vector size = 0.4 + 0.8 * (curve.count / curve.count.maxCoeff()).array().sqrt();
  std::string script =
      columns("calibration", {curve.predicted, curve.observed, curve.predicted - reach, 2 * reach, size});
  script += "set xrange [-0.03:1.03]\nset yrange [-0.03:1.03]\nset xtics 0,0.2,1\nset ytics 0,0.2,1\n";
  script +=
      label_below("predicted " + (fit.classes.size() == 2 ? probability_of(fit.classes[1]) : "probability")) +
      label_beside("share observed", letters_of_share, size_of_panel);
  script += fmt::format("set title 'log loss {:.3f}, ECE {:.3f}' noenhanced\n", fit.log_loss, fit.ece);
  return script +
         fmt::format(
             "plot $calibration using 1:3:(0):4 with vectors nohead lw 6 lc rgb '#d8d8d8' notitle,\\\n"
             "  x with lines lw 1 dt 2 lc rgb '#000000' notitle,\\\n"
             "  $calibration using 1:2:5 with points pt 7 ps variable lc rgb '{}' notitle\n",
             colour);
}

/// Classes that have a look of their own.
std::vector<Look> own_looks(const ClassChecks& fit) {
  std::vector<Look> looks = looks_of(fit.classes, fit.data.y);
  std::erase_if(looks, [](const Look& look) { return look.classes.size() > 1; });
  return looks;
}

/// The key, in the space that the panels leave on the right of the page.
std::string key_of(const std::vector<Look>& looks, double left) {
  std::string script = fmt::format(
      "set lmargin at screen {}\nset rmargin at screen 1\nset tmargin at screen 0.97\n"
      "set bmargin at screen 0\nunset border\nunset tics\nunset label\nunset xlabel\nunset ylabel\n"
      "set key inside left top vertical Left reverse samplen 1.5 font ',11' noenhanced\nplot NaN notitle",
      left);
  for (const Look& look : looks)
    script += fmt::format(",\\\n  keyentry with lines lw 2 lc rgb '{}' title {}", look.colour,
                          plain_text(look.name));
  return script + "\n";
}

}  // namespace

Page page_of(const ClassChecks& fit) {
  const bool two = fit.classes.size() == 2;
  constexpr double key_width = 205;  // pixels
  Panels panels{.count = panels_of(fit.data, fit.effects)};
  if (!two) panels.share = panels.width() / (panels.width() + key_width);
  const std::string colour(colour_of_operator(fit.data.operator_name));
  std::string script = "set multiplot\n" + std::string(plain_style) + std::string(panel_style);
  script += panels.margins(0, 0.38) + confusion(fit);
  script += panels.margins(1) + calibration(fit, colour);
  const std::vector<Look> looks = own_looks(fit);
  std::vector<EffectLine> lines;
  if (two) lines.push_back({.column = 1, .colour = colour});
  for (const Look& look : looks)
    if (!two) lines.push_back({.column = look.classes[0], .colour = look.colour});
  for (std::size_t k = 0; k < fit.effects.size(); ++k) {
    if (k + 1 == fit.effects.size()) script += note_on_effects(fit.data, fit.effects, panels);
    script +=
        panels.margins(2 + static_cast<Index>(k)) +
        label_beside(two ? probability_of(fit.classes[1]) : "probability", letters_of_share, size_of_panel) +
        effect_panel(fit.data, fit.effects[k], lines, {0, 1});
  }
  if (!two) script += key_of(looks, panels.share);
  return {script + "unset multiplot\n", panels.width(), panels.height()};
}

}  // namespace ridgelet
