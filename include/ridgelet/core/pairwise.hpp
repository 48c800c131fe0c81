/// Sums of many terms in a fixed order, whoever adds them: along a binary tree over the indices of the terms.
///
/// Node (level, index) is the sum of the terms index 2^level .. (index + 1) 2^level - 1, and is made of its two halves:
///   node(l, i) = node(l - 1, 2 i) + node(l - 1, 2 i + 1).
/// Terms that follow one another are held as the few largest nodes that they fill. Neighbouring parts join where two
/// nodes are halves of one. So the sum of terms 0 .. n - 1 is the same to the last bit, however they were shared out,
/// and its rounding error grows with log n instead of n.
///
/// Memory: at most 2 log2(n) sums; log2(n) if the part begins at term 0.
#pragma once

#include <utility>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// `Sum` has add(const Sum& later).
template <class Sum>
class PairwiseSum {
 public:
  struct Node {
    int level = 0;
    Index index = 0;
    Sum sum;
  };

  /// Adds term `index`, which must follow the terms added so far.
  void add(Index index, Sum term) { add(Node{0, index, std::move(term)}); }

  /// Adds the terms of `later`, which must follow those added so far.
  void join(PairwiseSum later) {
    for (Node& node : later.nodes_) add(std::move(node));
  }

  /// Adds a node, which must follow the nodes added so far.
  void add(Node node) {
    nodes_.push_back(std::move(node));
    while (nodes_.size() > 1 && halves_of_one(nodes_[nodes_.size() - 2], nodes_.back())) {
      Node later = std::move(nodes_.back());
      nodes_.pop_back();
      Node& earlier = nodes_.back();
      earlier.sum.add(later.sum);
      ++earlier.level;
      earlier.index /= 2;
    }
  }

  const std::vector<Node>& nodes() const { return nodes_; }

  /// The sum of all terms: the nodes that are left, added from the last to the first. There must be at least one.
  Sum total() && {
    Sum sum = std::move(nodes_.back().sum);
    for (nodes_.pop_back(); !nodes_.empty(); nodes_.pop_back()) {
      nodes_.back().sum.add(sum);
      sum = std::move(nodes_.back().sum);
    }
    return sum;
  }

 private:
  static bool halves_of_one(const Node& earlier, const Node& later) {
    return earlier.level == later.level && earlier.index % 2 == 0 && later.index == earlier.index + 1;
  }

  std::vector<Node> nodes_;
};

}  // namespace ridgelet
