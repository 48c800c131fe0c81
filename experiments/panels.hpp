/// Figures of several panels: where they lie on the page, and panels of sample paths.
#pragma once

#include <string>
#include <string_view>

#include "ridgelet/core/types.hpp"

namespace ridgelet::experiments {

/// A rectangle on the page, in shares of it.
struct Place {
  double left = 0.1;
  double right = 0.9;
  double bottom = 0.1;
  double top = 0.9;

  /// Lines of a script that put the next panel's axes here.
  std::string script() const;
};

/// Equal cells in rows and columns with gaps between them; row 0 is the highest.
struct PanelGrid {
  Place page;
  int rows = 1;
  int columns = 1;
  double gap_x = 0.05;
  double gap_y = 0.08;

  /// The cell, or several in a row.
  Place cell(int row, int column, int span = 1) const;

  /// Cells counted along the rows, from 0.
  Place at(int number) const { return cell(number / columns, number % columns); }
  bool in_last_row(int number) const { return number / columns == rows - 1; }
  bool in_first_column(int number) const { return number % columns == 0; }
};

/// What panels have in common: thin frames, a pale grid, no key.
std::string panel_style();

/// "(a) words" and so on: the panel's letter and title. A backslash followed by n in the words breaks the line.
std::string panel_title(std::size_t number, const std::string& words);

/// A data block for path_plot: x, then a column for each path.
std::string path_block(std::string_view name, const Matrix& X, const Matrix& paths);

/// Plots the paths of a block in one colour, pale, with the first in full colour so that one path can be followed.
std::string path_plot(std::string_view block, Index paths, std::string_view colour);

}  // namespace ridgelet::experiments
