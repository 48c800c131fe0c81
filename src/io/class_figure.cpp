#include "ridgelet/fitting/class_picture.hpp"

#include <fmt/format.h>

#include <cmath>

#include "axis_tics.hpp"
#include "class_looks.hpp"
#include "figure_parts.hpp"
#include "short_names.hpp"

namespace ridgelet {

namespace {

constexpr std::string_view key_on_the_right =
    "set key outside right top vertical maxcols 1 Left reverse samplen 2 noenhanced\n";

std::string curve_block(const ClassCurve& fit, Index k) {
  return columns(fmt::format("curve{}", k),
                 {fit.x, fit.probability.col(k), fit.half_lower.col(k), fit.half_upper.col(k),
                  fit.most_lower.col(k), fit.most_upper.col(k)});
}

std::string axes_of_curve(const ClassCurve& fit, const Range& y, const std::string& y_label) {
  const Range x = range_of(fit.x);
  return std::string(plain_style) + x.of("x") +
         column_tics("x", fit.data.columns[0], x.low, x.high, room_of_page) + y.of("y") +
         "set ytics 0,0.2,1\n" +
         labels(column_name(fit.data.columns[0], x.low, x.high, room_of_page, room_of_page),
                shortened_within(y_label, letters_beside_page)) +
         fmt::format("set title {} noenhanced\n", plain_text(fit.data.label)) + std::string(key_on_the_right);
}

/// A tick for each row of a look, from y upwards: the data block, and the line of the script that plots it. Both are
/// empty if there are no such rows.
struct Ticks {
  std::string data, plot;
};

Ticks ticks_of(const ShownData& data, const Look& look, double y, double height, std::string_view colour) {
  const Matrix X = inputs_of(data, look);
  if (X.rows() == 0) return {};
  const std::string name = fmt::format("ticks{}", look.classes[0]);
  return {data_block(name, X), fmt::format("  ${} using 1:({}):(0):({}) with vectors nohead lw 0.8 lc rgb "
                                           "'{}' notitle,\\\n",
                                           name, y, height, colour)};
}

/// Two classes: the probability of the second, and rows of each on their side.
Page two_class_curve(const ClassCurve& fit) {
  constexpr std::string_view ink = "#303030";
  constexpr double height = 0.04;
  const std::vector<Look> looks = looks_of(fit.classes, fit.data.y);
  const Ticks first = ticks_of(fit.data, looks[0], -0.055, height, ink),
              second = ticks_of(fit.data, looks[1], 1.015, height, ink);
  std::string script = curve_block(fit, 1) + first.data + second.data;
  script += axes_of_curve(fit, {-0.07, 1.07}, probability_of(fit.classes[1]));
  script += fmt::format(
      "plot $curve1 using 1:5:6 with filledcurves fc rgb '{0}' fs transparent solid 0.15 title '95 %',\\\n"
      "  $curve1 using 1:3:4 with filledcurves fc rgb '{0}' fs transparent solid 0.3 title '50 %',\\\n"
      "  $curve1 using 1:2 with lines lw 2 lc rgb '{0}' title 'mean',\\\n",
      colour_of_operator(fit.data.operator_name));
  script += first.plot + second.plot;
  script += fmt::format("  keyentry title {},\\\n  keyentry title {},\\\n  keyentry title {}\n",
                        plain_text(rows_title(fit.data) + ":"), plain_text(looks[1].name + " above"),
                        plain_text(looks[0].name + " below"));
  return {script, 860, 500};
}

/// More than two classes: the probability of each, and below it their rows in the order of the key.
Page many_class_curve(const ClassCurve& fit) {
  constexpr double strip = 0.03;
  std::string script, bands, means, ticks;
  double y = -0.02;
  for (const Look& look : looks_of(fit.classes, fit.data.y)) {
    y -= strip;
    const Ticks rows = ticks_of(fit.data, look, y, 0.8 * strip, look.colour);
    script += rows.data;
    ticks += rows.plot;
    if (look.classes.size() > 1) {
      means += fmt::format("  keyentry with lines lw 2 lc rgb '{}' title {},\\\n", look.colour,
                           plain_text(look.name));
      continue;
    }
    const Index k = look.classes[0];
    script += curve_block(fit, k);
    bands += fmt::format(
        "  $curve{} using 1:5:6 with filledcurves fc rgb '{}' fs transparent solid 0.15 "
        "notitle,\\\n",
        k, look.colour);
    means += fmt::format("  $curve{} using 1:2 with lines lw 2 lc rgb '{}' title {},\\\n", k, look.colour,
                         plain_text(look.name));
  }
  script += axes_of_curve(fit, {y - 0.01, 1.02}, "probability of each " + fit.data.output);
  script += "plot " + bands + means + ticks;
  script += "  keyentry with boxes fc rgb '#808080' fs transparent solid 0.3 title '95 %',\\\n";
  return {script + fmt::format("  keyentry title {}\n", plain_text("below: " + rows_title(fit.data))), 860,
          500};
}

/// A column for each look; for a look of several classes, the largest of their probabilities.
Matrix probabilities_of(const ClassMap& fit, const std::vector<Look>& looks) {
  Matrix P(fit.X.rows(), static_cast<Index>(looks.size()));
  for (std::size_t j = 0; j < looks.size(); ++j)
    P.col(static_cast<Index>(j)) = fit.probability(Eigen::all, looks[j].classes).rowwise().maxCoeff();
  return P;
}

/// The standard deviation of the probability of the likeliest class at each place.
Vector sd_of_likeliest(const ClassMap& fit) {
  Vector sd(fit.X.rows());
  for (Index i = 0; i < sd.size(); ++i) {
    Index k = 0;
    fit.probability.row(i).maxCoeff(&k);
    sd(i) = fit.sd(i, k);
  }
  return sd;
}

/// Lines along which a quantity equals `level`: the script that finds them, and the part of the plot that draws them.
struct Contours {
  std::string script, plot;

  void add(const std::string& name, const Matrix& X, const Vector& values, double level,
           std::string_view line) {
    if (values.minCoeff() >= level || values.maxCoeff() <= level) return;
    script += grid("surface_" + name, X, values);
    script += fmt::format(
        "set cntrparam levels discrete {1}\nset table ${0}\nsplot $surface_{0} using 1:2:3\nunset table\n",
        name, level);
    plot += fmt::format("  ${} using 1:2 with lines {} lc rgb '#202020' notitle,\\\n", name, line);
  }
};

/// Where a look is as likely as the likeliest other one, and where the likeliest has probability 0.9.
Contours borders(const Matrix& X, const Matrix& P) {
  Contours contours{.script = "set contour base\nunset surface\n", .plot = ""};
  for (Index j = P.cols() == 2 ? 1 : 0; j < P.cols(); ++j) {
    Matrix others = P;
    others.col(j).setConstant(-1);
    contours.add(fmt::format("border{}", j), X, P.col(j) - others.rowwise().maxCoeff(), 0, "lw 1.6");
  }
  contours.add("sure", X, P.rowwise().maxCoeff(), 0.9, "lw 1 dt 2");
  contours.script += "unset contour\nset surface\n";
  return contours;
}

/// At each place the colour of the likeliest class, the stronger the more probable it is: white where all classes are
/// equally likely.
std::string decisions(const ClassMap& fit, const Matrix& P, const std::vector<Look>& looks) {
  const double least = 1 / static_cast<double>(fit.classes.size());
  Matrix table(P.rows(), 5);
  for (Index i = 0; i < P.rows(); ++i) {
    Index j = 0;
    const double p = P.row(i).maxCoeff(&j);
    const Vector rgb = tint(looks[static_cast<std::size_t>(j)].colour, (p - least) / (1 - least));
    table.row(i) << fit.X.row(i), rgb.transpose().array().round().matrix();
  }
  return data_block("decisions", table);
}

std::string hexadecimal(const Vector& rgb) {
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(rgb(0)), std::lround(rgb(1)), std::lround(rgb(2)));
}

/// The ground of the map: for two classes, the probability of the second, with its colours beside the map; for more,
/// the decisions.
std::string ground(const ClassMap& fit, const std::vector<Look>& looks) {
  if (looks.size() > 2)
    return fmt::format("set title {} noenhanced\nplot $decisions using 1:2:3:4:5 with rgbimage notitle,\\\n",
                       plain_text(shortened_within("likeliest " + fit.data.output, letters_below_map)));
  return fmt::format(
      "set cbrange [0:1]\nset palette defined (0 '{}', 0.5 '#ffffff', 1 '{}')\nset title {} noenhanced\n"
      "plot $map using 1:2:3 with image notitle,\\\n",
      hexadecimal(tint(looks[0].colour, 1)), hexadecimal(tint(looks[1].colour, 1)),
      plain_text(probability_of(fit.classes[1])));
}

}  // namespace

Page page_of(const ClassCurve& fit) {
  return fit.classes.size() == 2 ? two_class_curve(fit) : many_class_curve(fit);
}

Page page_of(const ClassMap& fit) {
  const bool two = fit.classes.size() == 2;
  const std::vector<Look> looks = looks_of(fit.classes, fit.data.y);
  const Matrix P = probabilities_of(fit, looks);
  const Vector sd = sd_of_likeliest(fit);
  const Contours contours = borders(fit.X, P);
  std::string script = contours.script;
  script += columns("map", {fit.X.col(0), fit.X.col(1), fit.probability.col(1), sd});
  script += columns("data", {fit.data.X.col(0), fit.data.X.col(1)});
  if (!two) script += decisions(fit, P, looks);
  const double size = fit.data.y.size() > 200 ? 0.4 : 0.55;
  std::string points, key;
  for (const Look& look : looks) {
    const Matrix rows = inputs_of(fit.data, look);
    const std::string name = fmt::format("rows{}", look.classes[0]);
    key += fmt::format("  keyentry with points pt {} ps 0.8 lc rgb '{}' title {},\\\n", look.mark,
                       look.colour, plain_text(look.name));
    if (rows.rows() == 0) continue;
    script += data_block(name, rows);
    points += fmt::format(
        "  ${0} using 1:2 with points pt {1} ps {2} lc rgb '#ffffff' notitle,\\\n"
        "  ${0} using 1:2 with points pt {1} ps {3} lc rgb '{4}' notitle,\\\n",
        name, look.mark, size + 0.25, size, look.colour);
  }
  const Range sds = Range{0, sd.maxCoeff()}.padded(0);
  const MapPair maps{.map = 341,
                     .axis_letters = upright_letters(fit.X, fit.data),
                     .first_letters = letters_of_share,
                     .second_letters = colour_letters(sds),
                     .beyond = 152};
  script += "set multiplot\nset tics out nomirror\n";
  script += fmt::format(
      "set key at screen {},0.93 left top vertical maxcols 1 Left reverse samplen 1.5 noenhanced\n",
      maps.key() / maps.width());
  // Data outside of the domain are left out of the picture.
  script += map_axes(fit.X, fit.data) + maps.first_margins();
  script += ground(fit, looks) + contours.plot + points;
  script += fmt::format("  keyentry title {},\\\n{}", plain_text(rows_title(fit.data) + ":"), key);
  script += fmt::format(
      "  keyentry with lines lw 1.6 lc rgb '#202020' title '{}',\\\n"
      "  keyentry with lines lw 1 dt 2 lc rgb '#202020' title '{}'\n",
      two ? "P = 0.5" : "boundary", two ? "P = 0.1, 0.9" : "P = 0.9");
  script += "unset key\nunset label 2\n" + maps.second_margins() +
            sd_map(sds, two ? "its standard deviation" : "standard deviation of its probability");
  return {script + "unset multiplot\n", maps.width(), 470};
}

}  // namespace ridgelet
