/// Where the process is looked at, chosen by name: a rule turns a request into nodes.
///
///   grid   the left-endpoint grid with its mollifier (grid.hpp); `number` is per axis, by default 200 for one
///          input and about 900 nodes in all for more. With two or more inputs at least three nodes on every
///          axis must have weight: the mollifier leaves none on the edge of the box, and fewer than three
///          cannot follow any function.
///   sobol  scrambled Sobol points (sobol_nodes.hpp); `number` is in all, by default 256 for one input, 512 for two
///          and 1024 for more. Weights are volume / D times the mollifier for an operator that integrates over the
///          nodes, otherwise 1: in many inputs most of a box lies where the mollifier is small.
///   data   rows of the data, inputs that further rows might have, or points of the box, that tell most about the
///          kernel's process and pin a network that turns as fast as it does (data_nodes.hpp); `number` is the most
///          there may be, by default 1000, and with data in three inputs or more 300 more than there are rows if that
///          is less. Weights are 1: it is no cubature rule.
///
/// To add one: a header, a test, and a line in the registry (src/cubature/node_rules.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/cubature/box.hpp"
#include "ridgelet/cubature/nodes.hpp"
#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct NodeRequest {
  Box domain;                                  ///< where the network must resemble the process
  Vector margin;                               ///< how far the nodes reach past it, for each input
  Matrix inputs = {};                          ///< of the data, a row each, if there are any
  std::optional<Index> number = std::nullopt;  ///< the rule's default if not given
  Index refinement = 1;                        ///< multiplies `number`, on each axis if the rule has axes
  std::uint64_t seed = 0;
  std::optional<Kernel> kernel = std::nullopt;  ///< of the process, for rules that look at it
  double tolerance = 1e-6;  ///< for `data`: the part of the mean variance that may be left
  bool integrates = false;  ///< the nodes are for an operator that takes a sum over them for an integral
};

std::vector<std::string> node_rule_names();

/// Throws InvalidArgument about "nodes" for an unknown rule or one without the cubature weights that are asked for, and
/// about "kernel", "points" or "domain" for a request that the rule cannot serve.
Nodes make_nodes(const std::string& rule, const NodeRequest& request);

/// The rule to take where none is named: `data` if there are data and the operator does not integrate; otherwise `grid`
/// in one or two inputs and `sobol` in more. Data nodes find their own number. A grid that leaves as little unknown
/// (node_coverage.hpp) would hardly be cheaper, even if its number were searched for: it has 0 to 11 % fewer nodes in
/// one input, and from 12 % fewer to 42 % more in two, for squared exponential and Matern kernels with data that fill
/// the domain or two corners of it (tests/cubature/node_rules_test.cpp).
std::string default_node_rule(Index inputs, bool with_data, bool integrates);

/// Points at which to see how well nodes of the request cover its process (node_coverage.hpp):
///   without data              `count` Sobol points of the domain
///   data, one or two inputs   the same, and up to `count` rows of the data
///   data, more inputs         `count` points, half of them rows and half between rows: rows say nothing where all of
///                             them are nodes
Matrix coverage_points(const NodeRequest& request, Index count = 1000);

}  // namespace ridgelet
