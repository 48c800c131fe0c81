/// An ONNX graph that is written from its inputs to its outputs: every function adds what it is named after and returns
/// the name of the resulting tensor.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "activation_formula.hpp"
#include "ridgelet/core/types.hpp"
#include "ridgelet/io/precision.hpp"

namespace ridgelet {

class OnnxGraph {
 public:
  using Tensor = std::string;
  using Tensors = std::vector<Tensor>;

  OnnxGraph(onnx::GraphProto& graph, Precision precision) : graph_(graph), precision_(precision) {}

  /// An input or output of the graph, with any number of rows.
  void declare(onnx::ValueInfoProto& value, const std::string& name, Index columns) const;

  Tensor matrix(const std::string& name, const MatrixView& values);
  Tensor row(const std::string& name, const VectorView& values);
  Tensor number(double value);

  Tensor node(const std::string& op, const Tensors& inputs) { return add_node(op, inputs).output(0); }
  Tensor add(const Tensor& a, const Tensor& b) { return node("Add", {a, b}); }
  Tensor multiply(const Tensor& a, const Tensor& b) { return node("Mul", {a, b}); }
  Tensor product(const Tensor& a, const Tensor& b) { return node("MatMul", {a, b}); }

  /// `op` taken over the columns; the result is one column.
  Tensor reduce(const std::string& op, const Tensor& values);

  /// The parts side by side; `name` is for a tensor that must have a certain name.
  Tensor columns(const Tensors& parts, const std::string& name = "");

  /// The formula at z, elementwise.
  Tensor apply(const Formula& formula, const Tensor& z);

 private:
  int element_type() const;
  onnx::NodeProto& add_node(const std::string& op, const Tensors& inputs);
  Tensor initializer(const std::string& name, const MatrixView& values, const std::vector<Index>& shape);

  /// erf(z) by operators that runtimes have in double precision, where they have no Erf. With a = |z|,
  ///   erf(z) = sign(z) (1 - e^{-a^2} q(t)),   t = (a - 3) / (a + 3),
  /// and q the Chebyshev interpolation of degree 20 of e^{a^2} erfc(a): to 4e-15, near what double precision allows.
  Tensor erf(const Tensor& z);

  onnx::GraphProto& graph_;
  Precision precision_;
};

}  // namespace ridgelet
