#include "export_facts.hpp"

#include <fmt/format.h>

#include <bit>

#include "activation_formula.hpp"

namespace ridgelet {

namespace {

using Json = nlohmann::ordered_json;
using ErrorHandler = Json::error_handler_t;

/// Bytes that are not UTF-8 become U+FFFD: names may hold any bytes.
std::string valid_utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, ErrorHandler::replace)).get<std::string>();
}

Json valid_utf8(const std::vector<std::string>& texts) {
  Json valid = Json::array();
  for (const std::string& text : texts) valid.push_back(valid_utf8(text));
  return valid;
}

Json column(const ColumnEncoding& encoding) {
  Json fact{{"name", valid_utf8(encoding.name)}};
  if (encoding.kind == ColumnKind::number) fact["kind"] = "number";
  if (encoding.kind == ColumnKind::logarithm) fact["kind"] = "logarithm";
  if (encoding.kind == ColumnKind::date) fact["kind"] = "days since 1970-01-01";
  if (encoding.kind == ColumnKind::levels) {
    fact["kind"] = "levels";
    fact["levels"] = valid_utf8(encoding.levels);
  }
  return fact;
}

Json output(const ResponseEncoding& encoding, ClassLink link) {
  if (link != ClassLink::none)
    return {{"name", valid_utf8(encoding.column)},
            {"fitted", name_of(link)},
            {"classes", valid_utf8(encoding.levels)}};
  return {{"name", valid_utf8(encoding.column)},
          {"fitted", encoding.transform == ResponseTransform::log ? "logarithm" : "itself"}};
}

Json domain(const Box& box) {
  Json ranges = Json::array();
  for (Index k = 0; k < box.dimension(); ++k) ranges.push_back({box.lower(k), box.upper(k)});
  return ranges;
}

Json units(const HiddenLayers& hidden) {
  Json each = Json::array();
  for (std::size_t l = 0; l < hidden.depth(); ++l) each.push_back(hidden[l].units());
  return each;
}

template <class Real>
std::string bytes_of(const MatrixView& values) {
  using RowMajor = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  static_assert(std::endian::native == std::endian::little);
  std::string bytes(static_cast<std::size_t>(values.size()) * sizeof(Real), '\0');
  Eigen::Map<RowMajor>(reinterpret_cast<Real*>(bytes.data()), values.rows(), values.cols()) =
      values.cast<Real>();
  return bytes;
}

}  // namespace

Json export_facts(const ShippedNetwork& shipped, Precision precision) {
  const PredictiveNetwork& network = shipped.network;
  const Vector noise = network.noise.cwiseProduct(network.outputs.scale);
  Json facts{{"ridgelet", RIDGELET_VERSION},
             {"precision", precision == Precision::float64 ? "float64" : "float32"},
             {"kernel", valid_utf8(shipped.kernel)},
             {"likelihood", shipped.likelihood},
             {"quantity", shipped.quantity},
             {"certificate",
              {{"data", shipped.certificate.data},
               {"between", shipped.certificate.between},
               {"floor", shipped.certificate.floor}}},
             {"noise", std::vector<double>(noise.begin(), noise.end())},
             {"inputs", valid_utf8(shipped.columns.input_names())},
             {"outputs", Json::array()},
             {"columns", Json::array()},
             {"domain", domain(shipped.domain)},
             {"activation", network.activation.name()},
             {"formula", text(activation_formula(network.activation))},
             {"networks", network.components.size()},
             {"units", units(network.components.front().hidden)},
             {"rank", network.rank()}};
  for (const ColumnEncoding& each : shipped.columns.inputs) facts["columns"].push_back(column(each));
  for (const ResponseEncoding& each : shipped.columns.outputs)
    facts["outputs"].push_back(output(each, network.link));
  if (shipped.exposure) facts["exposure"] = valid_utf8(*shipped.exposure);
  if (shipped.loss)
    facts[shipped.loss_name()] = {{"largest", shipped.loss->largest},
                                  {"root_mean_square", shipped.loss->root_mean_square}};
  if (shipped.rate_differences) {
    const auto [data, outside] = *shipped.rate_differences;
    facts["rate_differences"] = {{"data", {{"mean", data.mean}, {"sd", data.sd}}},
                                 {"outside", {{"mean", outside.mean}, {"sd", outside.sd}}}};
  }
  return facts;
}

std::string fact_text(const Json& fact) {
  return fact.is_string() ? fact.get<std::string>() : fact.dump();
}

std::string comment_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool ends =
        !result.empty() && ((result.back() == '*' && c == '/') || (result.back() == '/' && c == '*'));
    // A question mark may begin a trigraph, and a backslash at the end of a line continues it.
    if (c < ' ' || c > '~' || c == '\\' || c == '?' || ends)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result;
}

std::string number_bytes(const MatrixView& values, Precision precision) {
  return precision == Precision::float64 ? bytes_of<double>(values) : bytes_of<float>(values);
}

std::string python_literal(const Json& json) {
  // Once ASCII JSON is quoted again, its only escapes are \" and \\, and Python reads those in the same way.
  return Json(json.dump(-1, ' ', true)).dump(-1, ' ', true);
}

}  // namespace ridgelet
