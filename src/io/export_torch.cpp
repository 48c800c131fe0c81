#include "ridgelet/io/export_torch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ostream>

#include "activation_formula.hpp"
#include "export_facts.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

/// A format, for what mean and sd are those of, and what is said of classes.
constexpr std::string_view head =
    R"("""A fitted network: RidgeletNetwork()(x) is (mean, sd) of {}.

Both are rows x outputs. x is rows x inputs, in the units of the columns that METADATA names.{}
"""
import base64
import json

import torch
from torch import nn

)";

constexpr std::string_view program = R"(

def numbers(shape, text):
    return torch.frombuffer(bytearray(base64.b64decode(text)), dtype=DTYPE).reshape(shape)


class RidgeletNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        for name, (shape, text) in WEIGHTS.items():
            self.register_buffer(name, numbers(shape, text))

    def heads(self, s, t):
        """The last layer of network s: means of all outputs, then the columns of their factors."""
        features = phi(t @ getattr(self, f"W_{s}_0").T + getattr(self, f"b_{s}_0"))
        for layer in range(1, LAYERS):
            c = features @ getattr(self, f"bridge_{s}_{layer - 1}")
            z = c[:, :1] + c[:, 1:] @ getattr(self, f"W_{s}_{layer}").T + getattr(self, f"b_{s}_{layer}")
            features = torch.cat([phi(z), features], 1) if SKIP else phi(z)
        return features @ getattr(self, f"heads_{s}")

    def forward(self, x):
        t = (x - self.input_centre) / self.input_scale
        mu = t @ self.mean_slope + self.mean_constant
        heads = [self.heads(s, t) for s in range(NETWORKS)]
        means, sds = [], []
        for k in range(OUTPUTS):
            first = OUTPUTS + k * RANK
            f = torch.stack([mu + h[:, k] for h in heads])
            v = torch.stack([(h[:, first:first + RANK] ** 2).sum(1) for h in heads]) + self.noise[k] ** 2
            centre, scale = self.output_centre[k], self.output_scale[k]
            if LOGARITHM[k]:
                variance = scale**2 * v
                f = torch.exp(centre + scale * f + variance / 2)
                v = f**2 * torch.expm1(variance)
                centre, scale = 0.0, 1.0
            mean = f.mean(0)
            means.append(centre + scale * mean)
            sds.append(scale * torch.sqrt(v.mean(0) + ((f - mean) ** 2).mean(0)))
        return torch.stack(means, 1), torch.stack(sds, 1)
)";

constexpr std::string_view head_of_classes = R"(
RidgeletNetwork().probability(x) is rows x classes, in the order of METADATA.)";

/// Where there are classes; `class_probabilities` is one of the two below.
constexpr std::string_view of_classes = R"(
    def probability(self, x):
        """rows x classes: the mean over all networks and the draws that their factors hold."""
        t = (x - self.input_centre) / self.input_scale
        mu = t @ self.mean_slope + self.mean_constant
        of_networks = []
        for s in range(NETWORKS):
            h = self.heads(s, t)
            draws = []
            for k in range(OUTPUTS):
                first = OUTPUTS + k * RANK
                f = mu[:, None] + h[:, k:k + 1] + RANK**0.5 * h[:, first:first + RANK]
                draws.append(self.output_centre[k] + self.output_scale[k] * f)
            of_networks.append(class_probabilities(torch.stack(draws, 2)).mean(1))
        return torch.stack(of_networks).mean(0)
)";

constexpr std::string_view by_logistic = R"(def class_probabilities(f):
    return torch.cat([1 / (1 + torch.exp(f)), 1 / (1 + torch.exp(-f))], 2)


)";

constexpr std::string_view by_softmax = R"(def class_probabilities(f):
    return torch.softmax(f, 2)


)";

/// A multiple of three, so that the digits of base 64 end where rows do: three bytes are four digits.
constexpr Index rows_at_a_time = 3 * 1024;

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(4 * ((bytes.size() + 2) / 3));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = i; j < i + 3; ++j)
      group = (group << 8) | (j < bytes.size() ? static_cast<unsigned char>(bytes[j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j <= bytes.size() ? digits[(group >> (18 - 6 * j)) & 63U] : '=';
  }
  return text;
}

std::string torch_function(const std::string& name) {
  return name == "max" ? "torch.maximum" : "torch." + name;
}

class TorchFile {
 public:
  TorchFile(std::ostream& out, const ShippedNetwork& shipped, Precision precision)
      : out_(out), shipped_(shipped), network_(shipped.network), precision_(precision) {}

  void write() {
    const Formula phi = activation_formula(network_.activation);
    const AffineFunction mean = affine_mean(network_);
    std::vector<std::string> logarithm;
    for (const ResponseTransform transform : network_.transforms)
      logarithm.emplace_back(transform == ResponseTransform::log ? "True" : "False");
    out_ << fmt::format(head, shipped_.quantity, shipped_.of_classes() ? head_of_classes : "")
         << fmt::format("METADATA = json.loads({})\n", python_literal(export_facts(shipped_, precision_)))
         << fmt::format("DTYPE = torch.{}\n", precision_ == Precision::float64 ? "float64" : "float32")
         << fmt::format("OUTPUTS, RANK = {}, {}\n", network_.output_count(), network_.rank())
         << fmt::format("LAYERS, NETWORKS = {}, {}\n", network_.components.front().hidden.depth(),
                        network_.components.size())
         << fmt::format("SKIP = {}\n", network_.skip ? "True" : "False")
         << fmt::format("LOGARITHM = [{}]\n\n\n", join(logarithm))
         << fmt::format("def phi(z):\n    return {}\n\n\n",
                        text(phi, {.number = [](double value) { return fmt::format("{}", value); },
                                   .function = torch_function}))
         << (network_.link == ClassLink::logistic  ? by_logistic
             : network_.link == ClassLink::softmax ? by_softmax
                                                   : "")
         << "WEIGHTS = {\n";
    write_vector("input_centre", network_.inputs.centre);
    write_vector("input_scale", network_.inputs.scale);
    write_vector("mean_slope", mean.slope);
    write_vector("mean_constant", Vector::Constant(1, mean.constant));
    write_vector("output_centre", network_.outputs.centre);
    write_vector("output_scale", network_.outputs.scale);
    write_vector("noise", network_.noise);
    for (std::size_t s = 0; s < network_.components.size(); ++s) write_component(s);
    out_ << "}\n" << program << (network_.link == ClassLink::none ? "" : of_classes);
  }

 private:
  void write_component(std::size_t s) {
    const auto& [hidden, bridges, heads] = network_.components[s];
    for (std::size_t l = 0; l < hidden.depth(); ++l) {
      write_matrix(fmt::format("W_{}_{}", s, l), hidden[l].W);
      write_vector(fmt::format("b_{}_{}", s, l), hidden[l].b);
      if (l < bridges.size()) write_matrix(fmt::format("bridge_{}_{}", s, l), bridges[l]);
    }
    write_matrix(fmt::format("heads_{}", s), heads);
  }

  void write_vector(const std::string& name, const VectorView& values) {
    write_numbers(name, fmt::format("({},)", values.size()), values);
  }

  void write_matrix(const std::string& name, const MatrixView& values) {
    write_numbers(name, fmt::format("({}, {})", values.rows(), values.cols()), values);
  }

  void write_numbers(const std::string& name, const std::string& shape, const MatrixView& values) {
    out_ << fmt::format("    \"{}\": ({}, \"", name, shape);
    for (Index first = 0; first < values.rows(); first += rows_at_a_time)
      out_ << base64(number_bytes(values.middleRows(first, std::min(rows_at_a_time, values.rows() - first)),
                                  precision_));
    out_ << "\"),\n";
  }

  std::ostream& out_;
  const ShippedNetwork& shipped_;
  const PredictiveNetwork& network_;
  Precision precision_;
};

}  // namespace

void write_torch(std::ostream& out, const ShippedNetwork& shipped, Precision precision) {
  TorchFile(out, shipped, precision).write();
}

}  // namespace ridgelet
