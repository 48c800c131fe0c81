/// How classes are told apart in pictures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridgelet/fitting/picture_parts.hpp"

namespace ridgelet {

/// Colour and mark of a class; several classes share one look where there are more of them than colours.
struct Look {
  std::string name;
  std::string colour;
  int mark;  ///< gnuplot's number of a point
  std::vector<Index> classes;
};

inline constexpr Index most_looks = 12;

/// The look of each class, in their order; if there are too many, of the most frequent ones and then of all others
/// together.
std::vector<Look> looks_of(const std::vector<std::string>& classes, const Vector& y);

/// Inputs of the rows that are of the look's classes.
Matrix inputs_of(const ShownData& data, const Look& look);

/// Red, green and blue, from 0 to 255, of the colour mixed with white: `strength` runs from 0, white, to 1, which is
/// still paler than the colour itself, so that points of that colour can be seen on it.
Vector tint(std::string_view colour, double strength);

/// "P(setosa)".
std::string probability_of(const std::string& name);

}  // namespace ridgelet
