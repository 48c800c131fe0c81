/// A fitted network as an ONNX model: opset 13, standard operators only.
///
/// Input `x` is rows x inputs with any number of rows; outputs `mean` and `sd` are rows x outputs. All tensors are
/// double or float. What a person must know (export_facts) is in the model's metadata_props.
///
/// Where onnxruntime has no double kernel for an operator, the function is composed of operators for which it has one:
/// max(z, a z) for LeakyRelu, max(z, 0 z) + log(1 + e^-|z|) for Softplus, e^{-z^2} times a polynomial for Erf (in
/// double precision only), and (e^v + 1) tanh(v / 2) for the e^v - 1 of a log-normal variance, which keeps its digits
/// for small v.
#pragma once

#include <iosfwd>

#include "ridgelet/fitting/shipped_network.hpp"
#include "ridgelet/io/precision.hpp"

namespace ridgelet {

/// Throws InvalidArgument about "mean" or "activation", or about "rank" if the model would be larger than the 2 GB that
/// the format allows.
void write_onnx(std::ostream& out, const ShippedNetwork& shipped, Precision precision);

}  // namespace ridgelet
