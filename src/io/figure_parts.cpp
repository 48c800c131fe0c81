#include "figure_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axis_tics.hpp"
#include "ridgelet/core/text.hpp"
#include "short_names.hpp"

namespace ridgelet {

namespace {

constexpr std::size_t longest_source = 20;

/// Two maps with shorter numbers stand as far apart as if these were their letters.
constexpr int usual_axis_letters = 4, usual_bar_letters = 3;

/// Pixels before the colours of a map, of their bar, and between its numbers and those of the next map.
constexpr double before_bar = 12, bar_width = 19, between_maps = 14;

/// More bands than this would hide one another.
constexpr std::size_t most_bands = 4;

}  // namespace

Range Range::with(const Matrix& values) const {
  return {std::min(low, values.minCoeff()), std::max(high, values.maxCoeff())};
}

Range Range::padded(double share) const {
  const double span = std::max({high - low, smallest_span, 1e-9 * std::max(std::abs(low), std::abs(high))});
  return {low - share * span, high + share * span};
}

std::string Range::of(std::string_view axis) const {
  return fmt::format("set {}range [{}:{}]\n", axis, low, high);
}

Range range_of(const Matrix& values) {
  return {values.minCoeff(), values.maxCoeff()};
}

std::string labels(const std::string& x, const std::string& y) {
  return label_below(x) + fmt::format("set ylabel {} noenhanced\n", plain_text(y));
}

std::string label_below(const std::string& x) {
  return fmt::format("set xlabel {} noenhanced\n", plain_text(x));
}

std::string label_beside(const std::string& name, int tic_letters, const TextSize& size) {
  constexpr double beside_axis = 37;  // pixels: of the tics' marks, of half the name, and between
  const double left = (beside_axis + size.letter * tic_letters) / size.plot_width;
  return fmt::format("set label 2 {} at graph {},0.5 center rotate by 90 noenhanced font '{}'\n",
                     plain_text(name), -left, size.font);
}

std::string columns(std::string_view name, const std::vector<Vector>& values) {
  Matrix table(values[0].size(), static_cast<Index>(values.size()));
  for (std::size_t j = 0; j < values.size(); ++j) table.col(static_cast<Index>(j)) = values[j];
  return data_block(name, table);
}

std::string grid(std::string_view name, const Matrix& X, const Vector& values) {
  std::string block = fmt::format("${} << EOD\n", name);
  for (Index i = 0; i < X.rows(); ++i) {
    if (i > 0 && X(i, 0) != X(i - 1, 0)) block += '\n';
    block += fmt::format("{} {} {}\n", X(i, 0), X(i, 1), values(i));
  }
  return block + "EOD\n";
}

std::string rows_title(const ShownData& data) {
  const std::string name = data.source.empty() ? "data" : shortened(data.source, longest_source);
  return data.y.size() < data.rows ? fmt::format("{} ({} of {} rows)", name, data.y.size(), data.rows) : name;
}

std::string source_title(const ShownData& data) {
  if (data.y.size() >= data.rows)
    return data.source.empty() ? "in the fit" : shortened(data.source, longest_source);
  constexpr std::size_t longest_beside_rows = 11;
  return fmt::format("{}, {} of {} rows",
                     data.source.empty() ? "in the fit" : shortened(data.source, longest_beside_rows),
                     data.y.size(), data.rows);
}

std::string map_axes(const Matrix& X, const ShownData& data) {
  const Range x = range_of(X.col(0)), y = range_of(X.col(1));
  return x.of("x") + column_tics("x", data.columns[0], x.low, x.high, room_of_map) + y.of("y") +
         column_tics("y", data.columns[1], y.low, y.high, room_of_page) +
         label_below(column_name(data.columns[0], x.low, x.high, room_of_map, letters_below_map)) +
         label_beside(column_name(data.columns[1], y.low, y.high, room_of_page, letters_beside_page),
                      upright_letters(X, data), size_of_map);
}

int upright_letters(const Matrix& X, const ShownData& data) {
  const Range y = range_of(X.col(1));
  return column_letters(data.columns[1], y.low, y.high, room_of_page);
}

double MapPair::room_of_axis() const {
  constexpr double mark = 18;
  return mark + size_of_map.letter * std::max(axis_letters, usual_axis_letters);
}

double MapPair::room_of_bar(int letters) {
  constexpr double mark = 22;
  return before_bar + bar_width + mark + size_of_map.letter * std::max(letters, usual_bar_letters);
}

double MapPair::first() const {
  constexpr double name_of_axis = 56;
  return name_of_axis + room_of_axis();
}

double MapPair::second() const {
  return first() + map + room_of_bar(first_letters) + between_maps + room_of_axis();
}

double MapPair::key() const {
  return second() + map + room_of_bar(second_letters) + between_maps;
}

int MapPair::width() const {
  return static_cast<int>(std::ceil(key() + beyond));
}

std::string MapPair::margins(double left) const {
  const double all = width();
  return fmt::format(
      "set lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen 0.16\n"
      "set tmargin at screen 0.91\nset colorbox user origin {},0.16 size {},0.75\n",
      left / all, (left + map) / all, (left + map + before_bar) / all, bar_width / all);
}

std::string colour_axis(const Range& range) {
  return range.of("cb") + number_tics("cb", range.low, range.high, room_beside);
}

int colour_letters(const Range& range) {
  return number_letters(range.low, range.high, room_beside);
}

std::string sd_map(const Range& range, const std::string& title) {
  return colour_axis(range) +
         fmt::format(
             "set palette defined (0 '#fffdf5', 1 '#fec44f', 2 '#d95f0e', 3 '#662506')\n"
             "set title {} noenhanced\nplot $map using 1:2:4 with image notitle,\\\n"
             "  $data using 1:2 with points pt 7 ps 0.6 lc rgb '#ffffff' notitle,\\\n"
             "  $data using 1:2 with points pt 7 ps 0.35 lc rgb '#202020' notitle\n",
             plain_text(number_name(title, range.low, range.high, room_beside, letters_above_map)));
}

Index Panels::columns() const {
  if (count == 4) return 2;
  return count <= 9 ? 3 : 4;
}

Index Panels::rows() const {
  return (count + columns() - 1) / columns();
}

std::string Panels::margins(Index index, double left_margin) const {
  const double width = share / static_cast<double>(columns()), height = 1.0 / static_cast<double>(rows());
  const double left = width * static_cast<double>(index % columns());
  const double top = 1 - height * static_cast<double>(index / columns());
  return fmt::format(
      "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen "
      "{}\n",
      left + left_margin * width, left + 0.95 * width, top - 0.12 * height, top - 0.75 * height);
}

std::string Panels::note(Index index, const std::string& text) const {
  const double width = share / static_cast<double>(columns()), height = 1.0 / static_cast<double>(rows());
  return fmt::format("set label 1 {} at screen {},{} left noenhanced font ',12'\n", plain_text(text),
                     width * (static_cast<double>(index % columns()) + 0.15),
                     1 - height * (static_cast<double>(index / columns()) + 0.4));
}

int Panels::width() const {
  constexpr double panel = 350;
  return static_cast<int>(panel * static_cast<double>(columns()) / share);
}

int Panels::height() const {
  return static_cast<int>(270 * rows());
}

namespace {

/// The first input of a column.
Index first_input(const ShownData& data, std::size_t k) {
  Index first = 0;
  for (std::size_t j = 0; j < k; ++j) first += data.columns[j].width();
  return first;
}

std::string effect_name(std::size_t k, const EffectLine& line) {
  return fmt::format("effect{}_{}", k, line.column);
}

/// A point with a bar for each level; if there are several lines, their points stand side by side.
std::string effect_of_levels(std::size_t k, const std::vector<EffectLine>& lines) {
  constexpr double apart = 0.15;
  std::vector<std::string> plots;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double shift = apart * (static_cast<double>(i) - 0.5 * static_cast<double>(lines.size() - 1));
    plots.push_back(
        fmt::format("${} using ($1 + {}):2:3:4 with yerrorbars pt 7 ps 0.7 lw 2 lc rgb '{}' notitle",
                    effect_name(k, lines[i]), shift, lines[i].colour));
  }
  return join(plots, ",\\\n");
}

std::string effect_of_numbers(std::size_t k, const std::vector<EffectLine>& lines) {
  std::string bands, means;
  for (const EffectLine& line : lines) {
    const std::string name = effect_name(k, line);
    if (lines.size() <= most_bands)
      bands +=
          fmt::format("${} using 1:3:4 with filledcurves fc rgb '{}' fs transparent solid {} notitle,\\\n",
                      name, line.colour, lines.size() > 1 ? 0.12 : 0.2);
    means += fmt::format("${} using 1:2 with lines lw 2 lc rgb '{}' notitle,\\\n", name, line.colour);
  }
  return bands + means +
         fmt::format("$rug{} using 1:2:(0):3 with vectors nohead lw 0.4 lc rgb '#606060' notitle", k);
}

}  // namespace

std::string effect_panel(const ShownData& data, const Effect& effect, const std::vector<EffectLine>& lines,
                         const Range& y) {
  const std::size_t k = effect.column;
  const ColumnEncoding& column = data.columns[k];
  const bool text = column.kind == ColumnKind::levels;
  std::string script;
  for (const EffectLine& line : lines)
    script += columns(effect_name(k, line), {effect.x, effect.mean.col(line.column),
                                             effect.lower.col(line.column), effect.upper.col(line.column)});
  if (!text) {
    const Vector x = data.X.col(first_input(data, k));
    script += columns(fmt::format("rug{}", k), {x, Vector::Constant(x.size(), y.low),
                                                Vector::Constant(x.size(), 0.03 * (y.high - y.low))});
  }
  const Range range =
      text ? Range{-0.5, static_cast<double>(column.levels.size()) - 0.5} : range_of(effect.x).padded(0.02);
  script += range.of("x") + column_tics("x", column, range.low, range.high, room_of_panel) + y.of("y") +
            label_below(column_name(column, range.low, range.high, room_of_panel, room_of_panel));
  return script + "unset title\nplot " + (text ? effect_of_levels(k, lines) : effect_of_numbers(k, lines)) +
         "\n";
}

std::string note_on_effects(const ShownData& data, const std::vector<Effect>& effects, const Panels& panels) {
  const std::size_t left_out = data.columns.size() - effects.size();
  if (left_out == 0) return "";
  return panels.note(panels.count - 1, fmt::format("not shown: {} column{} of less effect", left_out,
                                                   left_out == 1 ? "" : "s"));
}

Index panels_of(const ShownData& data, const std::vector<Effect>& effects) {
  constexpr Index checks = 2;
  return checks + static_cast<Index>(effects.size()) + (effects.size() < data.columns.size() ? 1 : 0);
}

}  // namespace ridgelet
