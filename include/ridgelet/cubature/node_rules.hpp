/// Where the process is looked at, chosen by name: a rule turns a request into nodes.
///
///   grid   the left-endpoint grid with its mollifier (grid.hpp); `number` is per axis, by default 200 for one
///          input and about 900 nodes in all for more. With two or more inputs at least three nodes on every
///          axis must have weight: the mollifier leaves none on the edge of the box, and fewer than three
///          cannot follow any function.
///
/// To add one: a header, a test, and a line in the registry (src/cubature/node_rules.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/cubature/box.hpp"
#include "ridgelet/cubature/nodes.hpp"

namespace ridgelet {

struct NodeRequest {
  Box domain;                                  ///< where the network must resemble the process
  Vector margin;                               ///< how far the nodes reach past it, for each input
  Matrix inputs = {};                          ///< of the data, a row each, if there are any
  std::optional<Index> number = std::nullopt;  ///< the rule's default if not given
  Index refinement = 1;                        ///< times as many, on each axis if the rule has axes
  std::uint64_t seed = 0;
};

std::vector<std::string> node_rule_names();

/// Throws InvalidArgument about "nodes" for an unknown rule, and about "points" or "domain" for a request that
/// the rule cannot serve.
Nodes make_nodes(const std::string& rule, const NodeRequest& request);

}  // namespace ridgelet
