#include "class_looks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "short_names.hpp"

namespace ridgelet {

namespace {

/// The colours of Okabe and Ito without black, and five of P. Tol's (Colour schemes, SRON 2021).
constexpr std::array<std::string_view, most_looks> palette = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                              "#E69F00", "#56B4E9", "#882255", "#999933",
                                                              "#332288", "#F0E442", "#44AA99", "#AA4499"};
constexpr std::string_view grey = "#999999";
constexpr std::array marks = {7, 5, 9, 13, 11, 15};  ///< the filled ones

constexpr std::size_t longest_name = 15;

constexpr double deepest_tint = 0.65;

std::vector<Index> by_frequency(Index classes, const Vector& y) {
  std::vector<Index> order(static_cast<std::size_t>(classes));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](Index k) { return (y.array() == static_cast<double>(k)).count(); });
  return order;
}

}  // namespace

std::vector<Look> looks_of(const std::vector<std::string>& classes, const Vector& y) {
  const auto K = static_cast<Index>(classes.size());
  std::vector<Index> own = by_frequency(K, y), others;
  if (K > most_looks) {
    others.assign(own.begin() + most_looks - 1, own.end());
    own.resize(most_looks - 1);
  }
  std::ranges::sort(own);
  const std::vector<std::string> names = distinct_short_names(classes, longest_name);
  std::vector<Look> looks;
  for (std::size_t j = 0; j < own.size(); ++j)
    looks.push_back({.name = names[static_cast<std::size_t>(own[j])],
                     .colour = std::string(palette[j]),
                     .mark = marks[j % marks.size()],
                     .classes = {own[j]}});
  if (!others.empty())
    looks.push_back({.name = fmt::format("{} others", others.size()),
                     .colour = std::string(grey),
                     .mark = marks[0],
                     .classes = others});
  return looks;
}

Matrix inputs_of(const ShownData& data, const Look& look) {
  std::vector<Index> rows;
  for (Index i = 0; i < data.y.size(); ++i)
    if (std::ranges::find(look.classes, static_cast<Index>(data.y(i))) != look.classes.end())
      rows.push_back(i);
  return data.X(rows, Eigen::all);
}

Vector tint(std::string_view colour, double strength) {
  Vector rgb(3);
  for (Index c = 0; c < 3; ++c) {
    const std::string digits(colour.substr(static_cast<std::size_t>(1 + 2 * c), 2));
    rgb(c) = 255 + deepest_tint * strength * (std::stoi(digits, nullptr, 16) - 255);
  }
  return rgb;
}

std::string probability_of(const std::string& name) {
  return "P(" + shortened(name, longest_name) + ")";
}

}  // namespace ridgelet
