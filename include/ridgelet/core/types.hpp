/// Matrices, vectors and views, in double precision and column-major throughout.
///
/// Points are rows: M points of R^d are an M x d Matrix. Letters follow the mathematics: X data inputs,
/// W and b the hidden layer, K a covariance matrix, L a factor of it, z standard normal coordinates.
#pragma once

#include <Eigen/Core>

namespace ridgelet {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Read-only views, passed by value or const reference; a block of a larger matrix is viewed without a copy.
using MatrixView = Eigen::Ref<const Matrix>;
using VectorView = Eigen::Ref<const Vector>;

/// A view that the callee writes to.
using MatrixSpan = Eigen::Ref<Matrix>;

}  // namespace ridgelet
