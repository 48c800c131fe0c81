/// A fitted network as JSON: every number that the formulas of network/predictive_network.hpp need, matrices as lists
/// of rows. docs/export.md describes the keys and has an evaluation in a few lines of Python.
#pragma once

#include <iosfwd>

#include "ridgelet/fitting/shipped_network.hpp"
#include "ridgelet/io/precision.hpp"

namespace ridgelet {

/// Throws InvalidArgument about "mean" or "activation".
void write_json(std::ostream& out, const ShippedNetwork& shipped, Precision precision);

}  // namespace ridgelet
