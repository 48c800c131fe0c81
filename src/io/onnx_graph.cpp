#include "onnx_graph.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "export_facts.hpp"

namespace ridgelet {

namespace {

const std::map<std::string, std::string> operators = {
    {"+", "Add"},   {"*", "Mul"},   {"/", "Div"},   {"max", "Max"}, {"abs", "Abs"},  {"cos", "Cos"},
    {"erf", "Erf"}, {"exp", "Exp"}, {"log", "Log"}, {"sin", "Sin"}, {"tanh", "Tanh"}};

/// Coefficients of q in OnnxGraph::erf(), from the highest power of t to the lowest.
constexpr std::array erf_coefficients = {
    -3.4812520977896307e-09, -2.161649248766799e-09,  3.574382596987121e-08,  3.3372117418868027e-08,
    -2.2081029952286055e-07, -2.985227243503443e-07,  1.2415210714437728e-06, 2.1228176142472027e-06,
    -7.972456164973253e-06,  -1.2861636118631271e-05, 6.405465303733418e-05,  4.525559908731303e-05,
    -0.0005970615485219855,  0.0007077463898504878,   0.00426913628355844,    -0.024392499314173,
    0.07166583720110131,     -0.1501159365009694,     0.24560380171225352,    -0.3262335600430348,
    0.17900115118139026};

onnx::AttributeProto& attribute(onnx::NodeProto& node, const std::string& name,
                                onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto& added = *node.add_attribute();
  added.set_name(name);
  added.set_type(type);
  return added;
}

}  // namespace

int OnnxGraph::element_type() const {
  return precision_ == Precision::float64 ? onnx::TensorProto::DOUBLE : onnx::TensorProto::FLOAT;
}

void OnnxGraph::declare(onnx::ValueInfoProto& value, const std::string& name, Index columns) const {
  value.set_name(name);
  onnx::TypeProto::Tensor& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(element_type());
  type.mutable_shape()->add_dim()->set_dim_param("rows");
  type.mutable_shape()->add_dim()->set_dim_value(columns);
}

onnx::NodeProto& OnnxGraph::add_node(const std::string& op, const Tensors& inputs) {
  onnx::NodeProto& added = *graph_.add_node();
  added.set_name(fmt::format("{}_{}", op, graph_.node_size()));
  added.set_op_type(op);
  for (const Tensor& input : inputs) added.add_input(input);
  added.add_output(added.name() + "_out");
  return added;
}

OnnxGraph::Tensor OnnxGraph::initializer(const std::string& name, const MatrixView& values,
                                         const std::vector<Index>& shape) {
  onnx::TensorProto& added = *graph_.add_initializer();
  added.set_name(name);
  added.set_data_type(element_type());
  for (const Index length : shape) added.add_dims(length);
  added.set_raw_data(number_bytes(values, precision_));
  return name;
}

OnnxGraph::Tensor OnnxGraph::matrix(const std::string& name, const MatrixView& values) {
  return initializer(name, values, {values.rows(), values.cols()});
}

OnnxGraph::Tensor OnnxGraph::row(const std::string& name, const VectorView& values) {
  return initializer(name, values.transpose(), {1, values.size()});
}

OnnxGraph::Tensor OnnxGraph::number(double value) {
  return initializer(fmt::format("number_{}", graph_.initializer_size()), Matrix::Constant(1, 1, value), {});
}

OnnxGraph::Tensor OnnxGraph::reduce(const std::string& op, const Tensor& values) {
  onnx::NodeProto& added = add_node(op, {values});
  attribute(added, "axes", onnx::AttributeProto::INTS).add_ints(1);
  attribute(added, "keepdims", onnx::AttributeProto::INT).set_i(1);
  return added.output(0);
}

OnnxGraph::Tensor OnnxGraph::columns(const Tensors& parts, const std::string& name) {
  onnx::NodeProto& added = add_node("Concat", parts);
  attribute(added, "axis", onnx::AttributeProto::INT).set_i(1);
  if (!name.empty()) added.set_output(0, name);
  return added.output(0);
}

OnnxGraph::Tensor OnnxGraph::apply(const Formula& formula, const Tensor& z) {
  if (formula.name == "z") return z;
  if (formula.name == "number") return number(formula.number);
  Tensors arguments;
  for (const Formula& argument : formula.arguments) arguments.push_back(apply(argument, z));
  if (formula.name == "erf" && precision_ == Precision::float64) return erf(arguments.front());
  return node(operators.at(formula.name), arguments);
}

OnnxGraph::Tensor OnnxGraph::erf(const Tensor& z) {
  const Tensor a = node("Abs", {z});
  const Tensor t = node("Div", {add(a, number(-3)), add(a, number(3))});
  Tensor q = number(erf_coefficients.front());
  for (std::size_t i = 1; i < erf_coefficients.size(); ++i)
    q = add(multiply(q, t), number(erf_coefficients[i]));
  const Tensor bell = node("Exp", {multiply(multiply(a, a), number(-1))});
  return multiply(node("Sign", {z}), node("Sub", {number(1), multiply(bell, q)}));
}

}  // namespace ridgelet
