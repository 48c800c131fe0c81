/// A fitted network as a Python file for PyTorch: RidgeletNetwork, an nn.Module whose forward(x) is (mean, sd), rows x
/// outputs each. Its weights are buffers, in the file as base64 of little-endian numbers.
#pragma once

#include <iosfwd>

#include "ridgelet/fitting/shipped_network.hpp"
#include "ridgelet/io/precision.hpp"

namespace ridgelet {

/// Throws InvalidArgument about "mean" or "activation".
void write_torch(std::ostream& out, const ShippedNetwork& shipped, Precision precision);

}  // namespace ridgelet
