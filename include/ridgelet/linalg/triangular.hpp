/// Triangular systems, by LAPACK's dtrtrs: F <- T^{-1} F and F <- T^{-T} F, where one triangle of T is read.
///
/// Threads share the columns of F, `block` at a time, and T is walked through block by block along its diagonal:
///   F_p <- T_pp^{-1} F_p,   then   F_q <- F_q - T_qp F_p   for the rows q that are left.
/// So no single call takes long, work on thousands of rows can be cancelled between two of them, and results are the
/// same for any number of threads. A system of one block is one call. Cost n^2 for each column.
#pragma once

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// Rows of a block on the diagonal, and columns that a thread takes at a time.
inline constexpr Index triangular_block = 512;

enum class Triangle { lower, upper };

/// F <- T^{-1} F.
void solve_triangular(const MatrixView& T, Triangle triangle, MatrixSpan F, Index block = triangular_block);

/// F <- T^{-T} F.
void solve_transposed_triangular(const MatrixView& T, Triangle triangle, MatrixSpan F,
                                 Index block = triangular_block);

}  // namespace ridgelet
