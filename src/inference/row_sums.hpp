/// What rows y = G z + e add up to, by squares or by roots: terms of sums over tiles (core/tiles.hpp).
#pragma once

#include "ridgelet/core/packed.hpp"
#include "ridgelet/core/types.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/square_root.hpp"

namespace ridgelet {

/// Sums over some rows: G^T G (lower triangle), G^T r and |r|^2 of each output.
struct SquareSums {
  Matrix gram, projected, squares;

  static SquareSums of(const MatrixView& G, const MatrixView& r) {
    SquareSums sums{Matrix::Zero(G.cols(), G.cols()), Matrix::Zero(G.cols(), r.cols()),
                    r.colwise().squaredNorm()};
    accumulate_transposed_gram(sums.gram, G);
    accumulate_transposed_product(sums.projected, G, r);
    return sums;
  }

  void add(const SquareSums& later) {
    gram += later.gram;
    projected += later.projected;
    squares += later.squares;
  }

  void pack(Packer& packer) const {
    for (const Matrix* sum : {&gram, &projected, &squares}) packer.put_matrix(*sum);
  }

  static SquareSums unpack(Unpacker& unpacker) {
    SquareSums sums;
    for (Matrix* sum : {&sums.gram, &sums.projected, &sums.squares}) *sum = unpacker.get_matrix();
    return sums;
  }
};

/// The triangular factor of [G, r] at some rows.
struct RootSums {
  Matrix T;

  static RootSums of(const MatrixView& G, const MatrixView& r) {
    Matrix rows(G.rows(), G.cols() + r.cols());
    rows << G, r;
    StackedFactor stack;
    stack.start(rows.cols());
    stack.append(rows);
    return {stack.T()};
  }

  void add(RootSums later) {
    StackedFactor stack;
    stack.start(T.cols());
    stack.append_triangle(T);
    stack.append_triangle(later.T);
    T = stack.T();
  }

  void pack(Packer& packer) const { packer.put_matrix(T); }
  static RootSums unpack(Unpacker& unpacker) { return {unpacker.get_matrix()}; }
};

/// The gradient that some rows add, packed as hidden layers are.
struct GradientSum {
  Matrix slope;

  void add(const GradientSum& later) { slope += later.slope; }
  void pack(Packer& packer) const { packer.put_matrix(slope); }
  static GradientSum unpack(Unpacker& unpacker) { return {unpacker.get_matrix()}; }
};

}  // namespace ridgelet
