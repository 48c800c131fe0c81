#include "ridgelet/target/mean/mean_function.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <charconv>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

/// 0-based column of the input that a variable names: x and x1 are 0, x2 is 1; nothing for other names.
std::optional<Index> input_column(const std::string& name) {
  if (name == "x") return 0;
  if (name.size() < 2 || name[0] != 'x' || name[1] == '0') return std::nullopt;
  Index number = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number - 1;
}

std::vector<std::string> suggestions(const mu::Parser& parser) {
  std::vector<std::string> names = {"x", "x1", "pi"};
  for (const auto& [name, callback] : parser.GetFunDef()) names.push_back(name);
  return names;
}

}  // namespace

struct MeanFunction::Compiled {
  std::string text;
  mu::Parser parser;
  std::vector<std::pair<std::string, Index>> variables;

  std::string complaint(const mu::ParserError& error, std::size_t offset) const {
    const auto column = static_cast<std::size_t>(std::max(error.GetPos(), 0)) + offset + 1;
    const std::string& token = error.GetToken();
    if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) return unknown(token, column);
    std::string message = error.GetMsg();
    while (!message.empty() && (message.back() == '.' || message.back() == '\n')) message.pop_back();
    return fmt::format("cannot read '{}' at column {}: {}", text, column, message);
  }

  std::string unknown(const std::string& name, std::size_t column) const {
    const std::string nearest = nearest_name(name, suggestions(parser));
    return fmt::format(
        "unknown name '{}' at column {}; {}", name, column,
        nearest.empty() ? "inputs are x1, x2, ... (x is x1)" : fmt::format("did you mean '{}'?", nearest));
  }

  void compile(const std::string& argument, std::size_t offset) {
    parser.DefineConst("pi", std::numbers::pi);
    parser.DefineConst("e", std::numbers::e);
    parser.SetExpr(text);
    for (const auto& [name, address] : parser.GetUsedVar()) {
      const std::optional<Index> column = input_column(name);
      if (!column) throw InvalidArgument(argument, unknown(name, text.find(name) + offset + 1));
      variables.emplace_back(name, *column);
    }
    // muParser would let an expression assign to its variables.
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool comparison = i > 0 && std::string_view("<>=!").find(text[i - 1]) != std::string_view::npos;
      const bool doubled = i + 1 < text.size() && text[i + 1] == '=';
      if (text[i] == '=' && !comparison && !doubled)
        throw InvalidArgument(argument, fmt::format("cannot read '{}' at column {}: '=' has no meaning here; "
                                                    "compare with '=='",
                                                    text, i + offset + 1));
    }
  }
};

MeanFunction::MeanFunction(std::string text, const std::string& argument, std::size_t offset) {
  auto compiled = std::make_shared<Compiled>();
  compiled->text = std::move(text);
  try {
    if (compiled->text.find_first_not_of(" \t") == std::string::npos)
      throw InvalidArgument(argument, "must be an expression in x1, x2, ... such as '0' or '0.06*x', got ''");
    compiled->compile(argument, offset);
    compiled_ = compiled;
    // A trial run finds what only shows when the expression is compiled, such as a missing operand.
    Index inputs = 1;
    for (const auto& [name, column] : compiled->variables) inputs = std::max(inputs, column + 1);
    if (inputs <= 1000) (*this)(Matrix::Ones(1, inputs));
  } catch (const mu::ParserError& error) {
    throw InvalidArgument(argument, compiled->complaint(error, offset));
  }
}

Vector MeanFunction::operator()(const MatrixView& X) const {
  mu::Parser parser = compiled_->parser;
  std::vector<double> inputs(compiled_->variables.size());
  for (std::size_t k = 0; k < inputs.size(); ++k) parser.DefineVar(compiled_->variables[k].first, &inputs[k]);
  Vector values(X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    for (std::size_t k = 0; k < inputs.size(); ++k) inputs[k] = X(i, compiled_->variables[k].second);
    values(i) = parser.Eval();
  }
  return values;
}

const std::string& MeanFunction::text() const {
  return compiled_->text;
}

void MeanFunction::validate_dimension(Index d, const std::string& argument) const {
  for (const auto& [name, column] : compiled_->variables)
    if (column >= d)
      throw InvalidArgument(argument, fmt::format("'{}' uses {}, and there {} only {} input{}", text(), name,
                                                  d == 1 ? "is" : "are", d, d == 1 ? "" : "s"));
}

}  // namespace ridgelet
