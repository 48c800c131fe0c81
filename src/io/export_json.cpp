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
Json scaling_json(const Scaling& scaling) {
  return {{"centre", list<Json>(scaling.centre)}, {"scale", list<Json>(scaling.scale)}};
}

/// Objects and arrays as text, with only one row in memory at a time: as a tree, the numbers of a wide network would
/// take several times the memory of the network itself.
template <class Json>
class JsonText {
 public:
  explicit JsonText(std::ostream& out) : out_(out) {}

  void write(const PredictiveNetwork& network, const PredictiveComponent& component) {
    const Index K = network.output_count(), R = network.rank();
    out_ << R"({"layers":)";
    array(component.hidden.depth(), [&](std::size_t l) {
      out_ << R"({"W":)";
      rows(component.hidden[l].W);
      out_ << R"(,"b":)" << list<Json>(component.hidden[l].b).dump() << '}';
    });
    out_ << R"(,"bridges":)";
    array(component.bridges.size(), [&](std::size_t l) { rows(component.bridges[l]); });
    out_ << R"(,"w":)";
    rows(component.heads.leftCols(K));
    out_ << R"(,"V":)";
    array(static_cast<std::size_t>(K),
          [&](std::size_t k) { rows(component.heads.middleCols(K + static_cast<Index>(k) * R, R)); });
    out_ << '}';
  }

  template <class Write>
  void array(std::size_t count, Write&& write_entry) {
    out_ << '[';
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out_ << ',';
      write_entry(i);
    }
    out_ << ']';
  }

 private:
  void rows(const MatrixView& values) {
    array(static_cast<std::size_t>(values.rows()),
          [&](std::size_t i) { out_ << list<Json>(values.row(static_cast<Index>(i)).transpose()).dump(); });
  }

  std::ostream& out_;
};

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
            {"link", name_of(network.link)}};
  for (const ResponseTransform transform : network.transforms)
    json["logarithm"].push_back(transform == ResponseTransform::log);
  std::string head = json.dump();
  head.pop_back();  // The networks come before its closing brace.
  out << head << R"(,"networks":)";
  JsonText<Json> text(out);
  text.array(network.components.size(), [&](std::size_t i) { text.write(network, network.components[i]); });
  out << "}\n";
}

}  // namespace

void write_json(std::ostream& out, const ShippedNetwork& shipped, Precision precision) {
  if (precision == Precision::float64)
    write<double>(out, shipped, precision);
  else
    write<float>(out, shipped, precision);
}

}  // namespace ridgelet
