#include "ridgelet/io/export_json.hpp"

#include <ostream>

#include "export_facts.hpp"

namespace ridgelet {

namespace {

/// JSON whose numbers have the digits of Real and no more.
template <class Real>
using JsonOf = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t,
                                    std::uint64_t, Real>;

template <class Json>
Json list(const VectorView& values) {
  Json numbers = Json::array();
  for (const double value : values) numbers.push_back(static_cast<typename Json::number_float_t>(value));
  return numbers;
}

template <class Json>
Json rows(const MatrixView& values) {
  Json all = Json::array();
  for (Index i = 0; i < values.rows(); ++i) all.push_back(list<Json>(values.row(i).transpose()));
  return all;
}

template <class Json>
Json scaling_json(const Scaling& scaling) {
  return {{"centre", list<Json>(scaling.centre)}, {"scale", list<Json>(scaling.scale)}};
}

template <class Json>
Json component_json(const PredictiveNetwork& network, const PredictiveComponent& component) {
  const Index K = network.output_count(), R = network.rank();
  Json json{{"layers", Json::array()}, {"bridges", Json::array()}};
  for (std::size_t l = 0; l < component.hidden.depth(); ++l)
    json["layers"].push_back(
        {{"W", rows<Json>(component.hidden[l].W)}, {"b", list<Json>(component.hidden[l].b)}});
  for (const Matrix& bridge : component.bridges) json["bridges"].push_back(rows<Json>(bridge));
  json["w"] = rows<Json>(component.heads.leftCols(K));
  json["V"] = Json::array();
  for (Index k = 0; k < K; ++k) json["V"].push_back(rows<Json>(component.heads.middleCols(K + k * R, R)));
  return json;
}

template <class Real>
void write(std::ostream& out, const ShippedNetwork& shipped, Precision precision) {
  using Json = JsonOf<Real>;
  const PredictiveNetwork& network = shipped.network;
  const AffineFunction mean = affine_mean(network);
  Json json{{"format", "ridgelet network"},
            {"version", 1},
            {"facts", Json::parse(export_facts(shipped, precision).dump())},
            {"activation", network.activation.name()},
            {"skip", network.skip},
            {"input_scaling", scaling_json<Json>(network.inputs)},
            {"output_scaling", scaling_json<Json>(network.outputs)},
            {"mean", {{"constant", static_cast<Real>(mean.constant)}, {"slope", list<Json>(mean.slope)}}},
            {"noise", list<Json>(network.noise)},
            {"logarithm", Json::array()},
            {"link", name_of(network.link)},
            {"networks", Json::array()}};
  for (const ResponseTransform transform : network.transforms)
    json["logarithm"].push_back(transform == ResponseTransform::log);
  for (const PredictiveComponent& component : network.components)
    json["networks"].push_back(component_json<Json>(network, component));
  out << json.dump() << '\n';
}

}  // namespace

void write_json(std::ostream& out, const ShippedNetwork& shipped, Precision precision) {
  if (precision == Precision::float64)
    write<double>(out, shipped, precision);
  else
    write<float>(out, shipped, precision);
}

}  // namespace ridgelet
