/// A page of panels for gnuplot: each panel has its place, its axes and its curves, and a legend stands in a
/// strip of its own, never over data.
#pragma once

#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "experiments/panels.hpp"

namespace ridgelet::experiments {

/// Columns of `rows` drawn in a gnuplot style: "using 1:2 with lines lw 2".
struct Curve {
  Matrix rows;
  std::string style;
};

struct Panel {
  std::string title = "";
  Place place = {};
  std::string axes = "";  ///< gnuplot: ranges, labels, tics
  std::vector<Curve> curves = {};
};

/// "with lines dt 2" and what it means; a broad line is a band of a colour instead.
struct LegendEntry {
  std::string style;
  std::string text;
  bool band = false;  ///< `style` is a colour
};

class FigurePage {
 public:
  FigurePage(int width, int height) : width_(width), height_(height) {}

  void add(const Panel& panel);

  /// Entries along rows, `columns` in each, every column as wide as its longest text.
  void add_legend(const Place& place, const std::vector<LegendEntry>& entries, int columns);

  FigureScript script() const;

 private:
  int width_;
  int height_;
  int blocks_ = 0;
  std::string data_;
  std::string panels_;
};

}  // namespace ridgelet::experiments
