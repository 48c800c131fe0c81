/// An axis-aligned box of R^d: the domain X on which the network must resemble its process, and the larger
/// box that the cubature rule covers.
#pragma once

#include <string>
#include <string_view>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

struct Box {
  Vector lower;
  Vector upper;

  Index dimension() const { return lower.size(); }
  double volume() const { return (upper - lower).prod(); }

  /// The box that reaches `margin` further on every side.
  Box widened(const VectorView& margin) const;

  /// [-half_width, half_width]^d.
  static Box cube(double half_width, Index dimension);
};

/// Points of the unit cube, a row each, moved and scaled to the box.
Matrix from_unit_cube(const Matrix& points, const Box& box);

/// Throws InvalidArgument about `argument` unless lower < upper, all finite, on every axis.
void validate(const Box& box, const std::string& argument);

/// "-5:5" or "-5:5,0:1", one LO:HI for each input.
Box parse_box(std::string_view text, const std::string& argument);

/// "-5:5,0:1".
std::string text(const Box& box);

}  // namespace ridgelet
