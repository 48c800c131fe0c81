/// A fitted network as one C99 file: tables of numbers and
///
///   void ridgelet_predict(const double *x, double *mean, double *sd);
///
/// It needs only a C compiler and a few functions of <math.h>: those of the activation, sqrt, and for logarithms and
/// classes exp and expm1. It allocates nothing, keeps nothing between calls and may be called from several threads.
/// Numbers are hexadecimal, so that every compiler reads the same ones. In single precision the tables and the sums
/// over units are float; scaling and the interface stay double.
#pragma once

#include <iosfwd>

#include "ridgelet/fitting/shipped_network.hpp"
#include "ridgelet/io/precision.hpp"

namespace ridgelet {

/// Throws InvalidArgument about "mean" or "activation".
void write_c(std::ostream& out, const ShippedNetwork& shipped, Precision precision);

}  // namespace ridgelet
