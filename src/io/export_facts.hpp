/// What a person elsewhere must know of a network, the same in every format.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "ridgelet/fitting/shipped_network.hpp"
#include "ridgelet/io/precision.hpp"

namespace ridgelet {

/// Version, kernel, certificate, noise, columns and so on (docs/export.md), with all texts valid UTF-8.
nlohmann::ordered_json export_facts(const ShippedNetwork& shipped, Precision precision);

/// A fact as one line of text: a text unchanged, anything else as JSON.
std::string fact_text(const nlohmann::ordered_json& fact);

/// The text made safe inside a C comment: nothing in it can end the comment, begin another one or continue a line.
/// Whatever is not a printable character of ASCII is written as \xNN.
std::string comment_text(std::string_view text);

/// A string literal of Python, which json.loads() turns into what `json` holds.
std::string python_literal(const nlohmann::ordered_json& json);

/// The numbers of a matrix row by row, each in little-endian order.
std::string number_bytes(const MatrixView& values, Precision precision);

}  // namespace ridgelet
