#include "ridgelet/io/export_c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <ostream>

#include "activation_formula.hpp"
#include "c_program.hpp"
#include "export_facts.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

/// 0x1.8p+0, exact to the last bit; a format would take its decimal point from the locale of the caller.
std::string in_double(double value) {
  std::array<char, 40> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), std::abs(value), std::chars_format::hex).ptr;
  return (std::signbit(value) ? "-0x" : "0x") + std::string(digits.begin(), end);
}

std::string in_float(double value) {
  return in_double(static_cast<double>(static_cast<float>(value))) + "f";
}

std::string c_function(const std::string& name) {
  return name == "abs" || name == "max" ? "f" + name : name;
}

class CFile {
 public:
  CFile(std::ostream& out, const ShippedNetwork& shipped, Precision precision)
      : out_(out),
        shipped_(shipped),
        network_(shipped.network),
        mean_(affine_mean(network_)),
        precision_(precision),
        depth_(network_.components.front().hidden.depth()) {}

  void write() {
    const Formula phi = activation_formula(network_.activation);
    write_comment();
    write_sizes();
    write_constants();
    for (std::size_t s = 0; s < network_.components.size(); ++s) write_tables(s);
    write_networks();
    out_ << fmt::format(
        "\nstatic real phi(real z)\n{{\n    return {};\n}}\n",
        text(phi, {.number = single() ? in_float : in_double,
                   .function = single() ? [](const std::string& name) { return c_function(name) + "f"; }
                                        : c_function}));
    const bool logarithms = has_logarithm();
    out_ << c_program::predict << (logarithms ? c_program::of_logarithms : "") << c_program::of_mixture
         << (logarithms ? c_program::in_units_unless_logarithm : c_program::in_units) << "    }\n}\n";
    if (has_classes())
      out_ << (network_.link == ClassLink::logistic ? c_program::by_logistic : c_program::by_softmax)
           << c_program::of_classes;
  }

 private:
  bool single() const { return precision_ == Precision::float32; }

  bool has_logarithm() const {
    return std::ranges::find(network_.transforms, ResponseTransform::log) != network_.transforms.end();
  }

  bool has_classes() const { return network_.link != ClassLink::none; }

  /// How many numbers the features up to layer l are multiplied out to.
  Index width(std::size_t l) const {
    const PredictiveComponent& component = network_.components.front();
    return l + 1 < depth_ ? component.bridges[l].cols() : component.heads.cols();
  }

  /// How many numbers the tables of all networks have.
  Index numbers() const {
    Index count = 0;
    for (const PredictiveComponent& component : network_.components) {
      count += component.hidden.parameters() + component.heads.size();
      for (const Matrix& bridge : component.bridges) count += bridge.size();
    }
    return count;
  }

  Index widest() const {
    Index most = 0;
    for (std::size_t l = 0; l < depth_; ++l) most = std::max(most, width(l));
    return most;
  }

  void write_comment() {
    const Index bytes = single() ? 4 : 8;
    const Index K = network_.output_count(), S = static_cast<Index>(network_.components.size());
    const Index stack =
        bytes * (static_cast<Index>(depth_) * widest() + network_.input_count()) + 8 * 2 * K * S;
    if (has_classes())
      out_ << c_program::head_of_classes;
    else
      out_ << fmt::format(c_program::head_of_numbers, shipped_.quantity);
    Index i = 0;
    for (const std::string& name : shipped_.columns.input_names())
      out_ << fmt::format(" * x[{}]  {}\n", i++, comment_text(name));
    write_outputs();
    out_ << fmt::format(
        " *\n * Tables: {} bytes. Stack: about {} bytes. Allocates nothing, keeps nothing.\n *\n",
        bytes * numbers(), stack);
    const nlohmann::ordered_json facts = export_facts(shipped_, precision_);
    for (const auto& [key, fact] : facts.items())
      out_ << fmt::format(" * {}: {}\n", key, comment_text(fact_text(fact)));
    out_ << " */\n#include <math.h>\n\n";
  }

  void write_outputs() {
    Index i = 0;
    if (has_classes()) {
      for (const std::string& level : shipped_.columns.outputs.front().levels)
        out_ << fmt::format(" * probability[{}]  {}\n", i++, comment_text(level));
    } else {
      for (const ResponseEncoding& output : shipped_.columns.outputs)
        out_ << fmt::format(" * mean[{0}], sd[{0}]  {1}\n", i++, comment_text(output.column));
    }
  }

  void write_sizes() {
    out_ << fmt::format("typedef {} real;\n\n", single() ? "float" : "double")
         << fmt::format(
                "enum {{ INPUTS = {}, OUTPUTS = {}, LAYERS = {}, NETWORKS = {}, RANK = {}, WIDEST = {}, SKIP "
                "= {} }};\n\n",
                network_.input_count(), network_.output_count(), depth_, network_.components.size(),
                network_.rank(), widest(), network_.skip ? 1 : 0);
    if (has_classes()) out_ << fmt::format("enum {{ CLASSES = {} }};\n\n", network_.class_count());
    const HiddenLayers& hidden = network_.components.front().hidden;
    std::vector<std::string> units, widths, firsts;
    for (std::size_t t = 0; t < depth_; ++t) {
      units.push_back(std::to_string(hidden[t].units()));
      widths.push_back(std::to_string(width(t)));
      // A layer's own features come first, then those of the layer before it.
      std::vector<std::string> row(depth_, "0");
      Index before = 0;
      for (std::size_t l = t + 1; l-- > 0; before += hidden[l].units()) row[l] = std::to_string(before);
      firsts.push_back("{" + join(row) + "}");
    }
    out_ << fmt::format("static const int units[LAYERS] = {{{}}};\n", join(units))
         << fmt::format("static const int width[LAYERS] = {{{}}};\n", join(widths))
         << fmt::format("static const int first[LAYERS][LAYERS] = {{{}}};\n\n", join(firsts));
  }

  void write_constants() {
    write_doubles("input_centre[INPUTS]", network_.inputs.centre);
    write_doubles("input_scale[INPUTS]", network_.inputs.scale);
    write_doubles("mean_slope[INPUTS]", mean_.slope);
    out_ << fmt::format("static const double mean_constant = {};\n", in_double(mean_.constant));
    write_doubles("output_centre[OUTPUTS]", network_.outputs.centre);
    write_doubles("output_scale[OUTPUTS]", network_.outputs.scale);
    write_doubles("noise[OUTPUTS]", network_.noise);
    if (has_classes())
      out_ << fmt::format("static const double root_of_rank = {};\n",
                          in_double(std::sqrt(static_cast<double>(network_.rank()))));
    if (!has_logarithm()) return;
    std::vector<std::string> flags;
    for (const ResponseTransform transform : network_.transforms)
      flags.emplace_back(transform == ResponseTransform::log ? "1" : "0");
    out_ << fmt::format("static const int logarithm[OUTPUTS] = {{{}}};\n", join(flags));
  }

  void write_doubles(const std::string& name, const Vector& values) {
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(in_double(value));
    out_ << fmt::format("static const double {} = {{{}}};\n", name, join(texts));
  }

  /// Row by row, one line for each.
  void write_table(const std::string& name, const MatrixView& values) {
    out_ << fmt::format("static const real {}[{}] = {{\n", name, values.size());
    std::string line;
    for (Index i = 0; i < values.rows(); ++i) {
      line.clear();
      for (Index k = 0; k < values.cols(); ++k)
        line += (single() ? in_float(values(i, k)) : in_double(values(i, k))) + ",";
      out_ << line << '\n';
    }
    out_ << "};\n";
  }

  std::string table(const std::string& name, std::size_t s, std::size_t l) const {
    return fmt::format("{}_{}_{}", name, s, l);
  }

  void write_tables(std::size_t s) {
    const PredictiveComponent& component = network_.components[s];
    for (std::size_t l = 0; l < depth_; ++l) {
      write_table(table("W", s, l), component.hidden[l].W);
      write_table(table("b", s, l), component.hidden[l].b);
      write_table(table("next", s, l), l + 1 < depth_ ? component.bridges[l] : component.heads);
    }
  }

  void write_networks() {
    out_ << "\ntypedef struct {\n    const real *W[LAYERS], *b[LAYERS], *next[LAYERS];\n} network;\n\n"
            "static const network networks[NETWORKS] = {\n";
    for (std::size_t s = 0; s < network_.components.size(); ++s) {
      std::vector<std::string> W, b, next;
      for (std::size_t l = 0; l < depth_; ++l) {
        W.push_back(table("W", s, l));
        b.push_back(table("b", s, l));
        next.push_back(table("next", s, l));
      }
      out_ << fmt::format("    {{{{{}}}, {{{}}}, {{{}}}}},\n", join(W), join(b), join(next));
    }
    out_ << "};\n";
  }

  std::ostream& out_;
  const ShippedNetwork& shipped_;
  const PredictiveNetwork& network_;
  AffineFunction mean_;
  Precision precision_;
  std::size_t depth_;
};

}  // namespace

void write_c(std::ostream& out, const ShippedNetwork& shipped, Precision precision) {
  CFile(out, shipped, precision).write();
}

}  // namespace ridgelet
