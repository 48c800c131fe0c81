/// Pieces of gnuplot's script that pictures of a fit share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridgelet/fitting/picture_parts.hpp"
#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet {

/// gnuplot refuses an axis without length.
inline constexpr double smallest_span = 1e-12;

/// The range of an axis.
struct Range {
  double low, high;

  Range with(const Matrix& values) const;
  Range padded(double share) const;
  std::string of(std::string_view axis) const;
};

Range range_of(const Matrix& values);

/// How large the texts beside an axis are: pixels of a letter of its tics, the font of its name, and the width of the
/// plot in pixels, by which gnuplot measures.
struct TextSize {
  double letter;
  std::string_view font;
  double plot_width;
};

inline constexpr TextSize size_of_panel{.letter = 8.3, .font = ",12", .plot_width = 213};
inline constexpr TextSize size_of_map{.letter = 11.5, .font = ",13", .plot_width = 330};

/// A script and the size of its page.
struct Page {
  std::string script;
  int width, height;
};

std::string labels(const std::string& x, const std::string& y);
std::string label_below(const std::string& x);

/// The name of an upright axis, beside tics of so many letters. gnuplot's own label would stand far from long numbers,
/// beyond the edge of the page.
std::string label_beside(const std::string& name, int tic_letters, const TextSize& size);

/// Data blocks: columns side by side, and the same on a grid whose first column is slowest.
std::string columns(std::string_view name, const std::vector<Vector>& values);
std::string grid(std::string_view name, const Matrix& X, const Vector& values);

/// "data" or the name of the rows; if not all are shown, with how many of how many.
std::string rows_title(const ShownData& data);

/// "in the fit" or the name of the rows; if not all are checked, with how many of how many.
std::string source_title(const ShownData& data);

inline constexpr std::string_view plain_style =
    "set border 3 lw 0.8\nset tics out nomirror\nset grid back lt 1 lw 0.5 lc rgb '#e4e4e4'\n"
    "set style fill noborder\n";

/// Both axes of a map over the two columns of the inputs.
std::string map_axes(const Matrix& X, const ShownData& data);

/// Two maps side by side, each with its colours beside it, and how far apart they stand in pixels: the numbers beside
/// the colours of the first must not reach those of the upright axis of the second, so longer ones make a wider page.
struct MapPair {
  double map;         ///< width of either
  int axis_letters;   ///< of the longest number beside the upright axis
  int first_letters;  ///< and beside the colours of either map
  int second_letters;
  double beyond;  ///< room right of all, for a key

  std::string first_margins() const { return margins(first()); }
  std::string second_margins() const { return margins(second()); }

  /// Where the key begins.
  double key() const;

  /// That of the page.
  int width() const;

 private:
  double room_of_axis() const;
  static double room_of_bar(int letters);
  double first() const;
  double second() const;
  std::string margins(double left) const;
};

/// The letters of the longest number beside the upright axis of a map.
int upright_letters(const Matrix& X, const ShownData& data);

/// The colours of a map: their range and tics beside them, and the letters of the longest of these.
std::string colour_axis(const Range& range);
int colour_letters(const Range& range);

/// A standard deviation over two inputs, $map's column 4, with its colours beside it and $data in it.
std::string sd_map(const Range& range, const std::string& title);

/// Panels in rows and columns, which take up `share` of the width of the page.
struct Panels {
  Index count;
  double share = 1;

  Index columns() const;
  Index rows() const;
  std::string margins(Index index, double left_margin = 0.34) const;

  /// A text in place of a panel, drawn with the next one that is plotted.
  std::string note(Index index, const std::string& text) const;

  /// Size of the page.
  int width() const;
  int height() const;
};

inline constexpr std::string_view panel_style =
    "unset key\nset title offset 0,-0.5\nset tics font ',10'\nset xtics offset 0,0.3\n"
    "set xlabel font ',12' offset 0,0.6\nset ylabel '' font ',12' offset 0\nset title font ',12'\n"
    "set errorbars 0\n";

/// A column of an effect, and how it is drawn.
struct EffectLine {
  Index column;
  std::string colour;
};

/// The effect of a column. For numbers and dates: lines, with bands if there are only a few, and a tick for each row of
/// the data. For text: a point with a bar for each level.
std::string effect_panel(const ShownData& data, const Effect& effect, const std::vector<EffectLine>& lines,
                         const Range& y);

/// Two checks, the effects, and a note where some columns have no panel.
Index panels_of(const ShownData& data, const std::vector<Effect>& effects);

/// The note, in the last of the panels, on how many columns have none; nothing if all have one. It is drawn once if it
/// comes before the last of the effects.
std::string note_on_effects(const ShownData& data, const std::vector<Effect>& effects, const Panels& panels);

/// Pictures of classes (class_figure.cpp).
struct ClassCurve;
struct ClassMap;
struct ClassChecks;
Page page_of(const ClassCurve& fit);
Page page_of(const ClassMap& fit);
Page page_of(const ClassChecks& fit);

}  // namespace ridgelet
