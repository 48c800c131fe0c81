#include "ridgelet/target/mean/mean_function.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numbers>
#include <optional>
#include <string_view>
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

struct Word {
  enum Kind { name, function, number_out_of_range } kind;
  std::string text;
  std::size_t start;
};

/// The names in an expression, in order, and the numbers that no double holds; other numbers such as 1e5 are
/// stepped over. A name before a parenthesis is a function.
std::vector<Word> words_in(const std::string& text) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '.'; };
  std::vector<Word> words;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t start = i;
    if (digit(text[i])) {
      double ignored = 0;
      const char* begin = text.data() + i;
      const auto [stop, error] = std::from_chars(begin, text.data() + text.size(), ignored);
      i += std::max<std::size_t>(1, static_cast<std::size_t>(stop - begin));
      if (error == std::errc::result_out_of_range)
        words.push_back({Word::number_out_of_range, text.substr(start, i - start), start});
    } else if (letter(text[i])) {
      while (i < text.size() && (letter(text[i]) || digit(text[i]))) ++i;
      const std::size_t next = text.find_first_not_of(' ', i);
      const bool called = next != std::string::npos && text[next] == '(';
      words.push_back({called ? Word::function : Word::name, text.substr(start, i - start), start});
    } else {
      ++i;
    }
  }
  return words;
}

/// An expression as an error shows it.
std::string excerpt(const std::string& text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

std::string on_one_line(std::string text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)); };
  std::replace_if(text.begin(), text.end(), is_space, ' ');
  return text;
}

/// muParser's message without its own position and full stop.
std::string plain_message(std::string message) {
  message = message.substr(0, message.find(" at position"));
  while (!message.empty() && std::string_view(".\n ").find(message.back()) != std::string_view::npos)
    message.pop_back();
  return message;
}

}  // namespace

struct MeanFunction::Compiled {
  std::string text;
  mu::Parser parser;
  std::vector<std::pair<std::string, Index>> variables;

  [[noreturn]] void fail(const std::string& argument, std::size_t column, const std::string& why) const {
    throw InvalidArgument(argument,
                          fmt::format("cannot read '{}' at column {}: {}", excerpt(text), column, why));
  }

  /// Refuses what muParser would misread, or would take too long or too much memory to refuse itself.
  void check_characters(const std::string& argument, std::size_t offset) const {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::size_t column = i + offset + 1;
      if (text[i] < ' ' || text[i] > '~')
        throw InvalidArgument(argument, fmt::format("a character at column {} has no meaning", column));
      if (text[i] == ')') --depth;
      if (text[i] == '(' && ++depth > deepest_parentheses)
        fail(argument, column,
             fmt::format("more than {} parentheses inside each other", deepest_parentheses));
      // muParser would let an expression assign to its variables.
      const bool comparison = i > 0 && std::string_view("<>=!").find(text[i - 1]) != std::string_view::npos;
      const bool doubled = i + 1 < text.size() && text[i + 1] == '=';
      if (text[i] == '=' && !comparison && !doubled)
        fail(argument, column, "'=' has no meaning here; compare with '=='");
    }
  }

  /// Checks the names one by one, from left to right, and keeps the variables.
  void resolve_names(const std::string& argument, std::size_t offset) {
    const auto& functions = parser.GetFunDef();
    const auto& constants = parser.GetConst();
    for (const Word& word : words_in(text)) {
      const std::size_t column = word.start + offset + 1;
      if (word.kind == Word::number_out_of_range)
        fail(argument, column, fmt::format("{} is beyond double precision", excerpt(word.text)));
      const bool called = word.kind == Word::function;
      const std::optional<Index> input = input_column(word.text);
      if (called ? functions.contains(word.text) : (input || constants.contains(word.text))) {
        if (input && !called) variables.emplace_back(word.text, *input);
        continue;
      }
      if (input || constants.contains(word.text))
        fail(argument, column,
             fmt::format("{} is not a function; put '*' before the parenthesis", word.text));
      if (functions.contains(word.text))
        fail(argument, column, fmt::format("{} is a function and needs parentheses", word.text));
      const std::string nearest = nearest_name(word.text, suggestions(parser));
      throw InvalidArgument(argument,
                            fmt::format("unknown name '{}' at column {}; {}", excerpt(word.text), column,
                                        nearest.empty() ? "inputs are x1, x2, ... (x is x1)"
                                                        : fmt::format("did you mean '{}'?", nearest)));
    }
  }

  void compile(const std::string& argument, std::size_t offset) {
    require_expression_length(text.size(), argument);
    if (text.find_first_not_of(' ') == std::string::npos)
      throw InvalidArgument(argument, "must be an expression in x1, x2, ... such as '0' or '0.06*x', got ''" +
                                          (offset > 0 ? fmt::format(" at column {}", offset + 1) : ""));
    parser.DefineConst("pi", std::numbers::pi);
    parser.DefineConst("e", std::numbers::e);
    check_characters(argument, offset);
    resolve_names(argument, offset);
  }

  /// A trial run finds what only shows when the expression is compiled, such as a missing operand.
  void try_out(const std::string& argument, std::size_t offset) {
    double one = 1;
    int results = 0;
    try {
      parser.SetExpr(text);
      mu::Parser trial = parser;
      for (const auto& [name, column] : variables) trial.DefineVar(name, &one);
      trial.Eval();
      results = trial.GetNumResults();
    } catch (const mu::ParserError& error) {
      const auto position = static_cast<std::size_t>(std::max(error.GetPos(), 0));
      fail(argument, std::min(position, text.size()) + offset + 1, plain_message(error.GetMsg()));
    } catch (const std::exception& error) {
      fail(argument, offset + 1, error.what());
    }
    if (results != 1)
      fail(argument, text.find(',') + offset + 1, "one value is needed; decimals are written with a point");
  }
};

void require_expression_length(std::size_t characters, const std::string& argument) {
  if (characters > longest_expression)
    throw InvalidArgument(argument, fmt::format("must be an expression of at most {} characters, got {}",
                                                longest_expression, characters));
}

MeanFunction::MeanFunction(std::string text, const std::string& argument, std::size_t offset) {
  auto compiled = std::make_shared<Compiled>();
  compiled->text = on_one_line(std::move(text));
  compiled->compile(argument, offset);
  compiled->try_out(argument, offset);
  compiled_ = std::move(compiled);
}

Vector MeanFunction::operator()(const MatrixView& X) const {
  Vector values(X.rows());
  try {
    mu::Parser parser = compiled_->parser;
    std::vector<double> inputs(compiled_->variables.size());
    for (std::size_t k = 0; k < inputs.size(); ++k)
      parser.DefineVar(compiled_->variables[k].first, &inputs[k]);
    for (Index i = 0; i < X.rows(); ++i) {
      for (std::size_t k = 0; k < inputs.size(); ++k) inputs[k] = X(i, compiled_->variables[k].second);
      values(i) = parser.Eval();
    }
  } catch (const mu::ParserError& error) {
    throw InvalidArgument(
        "mean", fmt::format("'{}' has no value: {}", excerpt(text()), plain_message(error.GetMsg())));
  }
  return values;
}

const std::string& MeanFunction::text() const {
  return compiled_->text;
}

void MeanFunction::validate_dimension(Index d, const std::string& argument) const {
  for (const auto& [name, column] : compiled_->variables)
    if (column >= d)
      throw InvalidArgument(argument,
                            fmt::format("'{}' uses {}, and there {} only {} input{}", excerpt(text()), name,
                                        d == 1 ? "is" : "are", d, d == 1 ? "" : "s"));
}

}  // namespace ridgelet
