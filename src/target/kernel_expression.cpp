#include "ridgelet/target/kernel_expression.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/target/covariance/constant.hpp"
#include "ridgelet/target/covariance/cosine.hpp"
#include "ridgelet/target/covariance/linear.hpp"
#include "ridgelet/target/covariance/matern12.hpp"
#include "ridgelet/target/covariance/matern32.hpp"
#include "ridgelet/target/covariance/matern52.hpp"
#include "ridgelet/target/covariance/outer.hpp"
#include "ridgelet/target/covariance/periodic.hpp"
#include "ridgelet/target/covariance/rational_quadratic.hpp"
#include "ridgelet/target/covariance/squared_exponential.hpp"
#include "ridgelet/target/covariance/white.hpp"

namespace ridgelet {

namespace {

/// Recursive descent over the grammar in the header, one function for each rule.
class KernelParser {
 public:
  explicit KernelParser(std::string_view text) : text_(text) {}

  Kernel parse() {
    Kernel kernel = sum();
    if (at_ < text_.size()) fail(at_, fmt::format("expected '+', '*' or the end, got {}", symbol_at(at_)));
    return kernel;
  }

  /// name(parameter=value, ...) for a kernel that lists its parameters.
  template <NamedKernel K>
  Kernel named() {
    K kernel;
    expect('(');
    if (!accept(')')) {
      std::set<std::string> given;
      do parameter(kernel, given);
      while (accept(','));
      expect(')');
    }
    return kernel;
  }

  /// outer(expression): everything up to the matching parenthesis.
  Kernel outer() {
    expect('(');
    const std::size_t start = at_;
    int depth = 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '(') ++depth;
      if (text_[at_] == ')' && --depth == 0) break;
    }
    if (at_ == text_.size()) fail(start, "the parenthesis before is never closed");
    const std::string expression(text_.substr(start, at_ - start));
    expect(')');
    return Outer{MeanFunction(expression, "kernel", start)};
  }

 private:
  [[noreturn]] void fail(std::size_t where, const std::string& complaint) const {
    throw InvalidArgument("kernel", fmt::format("{} at column {}", complaint, where + 1));
  }

  /// The character in quotes. One beyond ASCII, which is several bytes, is not shown.
  std::string symbol_at(std::size_t where) const {
    const auto byte = static_cast<unsigned char>(text_[where]);
    return byte < 128 && std::isprint(byte) ? fmt::format("'{}'", text_[where])
                                            : "a character that has no meaning";
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool accept(char symbol) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != symbol) return false;
    ++at_;
    skip_spaces();
    return true;
  }

  void expect(char symbol) {
    if (accept(symbol)) return;
    if (at_ >= text_.size()) fail(at_, fmt::format("expected '{}', got the end of the text", symbol));
    fail(at_, fmt::format("expected '{}', got {}", symbol, symbol_at(at_)));
  }

  Kernel sum() {
    Kernel total = product();
    while (accept('+')) total = total + product();
    return total;
  }

  Kernel product() {
    Kernel total = factor();
    while (accept('*')) total = total * factor();
    return total;
  }

  Kernel factor();

  std::string word() {
    skip_spaces();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    const std::string name(text_.substr(start, at_ - start));
    skip_spaces();
    return name;
  }

  bool number_follows() {
    skip_spaces();
    return at_ < text_.size() && std::string_view("0123456789.-").find(text_[at_]) != std::string_view::npos;
  }

  double number() {
    skip_spaces();
    double value = 0;
    const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{} || !std::isfinite(value)) fail(at_, "expected a number");
    at_ = static_cast<std::size_t>(stop - text_.data());
    skip_spaces();
    return value;
  }

  template <NamedKernel K>
  void parameter(K& kernel, std::set<std::string>& given) {
    skip_spaces();
    const std::size_t start = at_;
    const std::string name = word();
    if (name.empty()) fail(start, fmt::format("expected a parameter of {} such as amplitude=1", K::name));
    if (!given.insert(name).second) fail(start, fmt::format("parameter '{}' is given twice", name));
    std::vector<std::string> known;
    bool found = false;
    K::parameters(kernel, [&](std::string_view candidate, auto& target) {
      known.emplace_back(candidate);
      if (candidate != name) return;
      expect('=');
      const std::size_t value_start = at_;
      value(target);
      try {
        validate_parameter(fmt::format("{}: {}", K::name, name), target);
      } catch (const InvalidArgument& error) {
        fail(value_start, error.complaint());
      }
      found = true;
    });
    if (found) return;
    const std::string nearest = nearest_name(name, known);
    throw InvalidArgument(
        "kernel", fmt::format("unknown parameter '{}' of {} at column {}; {}", name, K::name, start + 1,
                              nearest.empty() ? "it takes " + join(known)
                                              : fmt::format("did you mean '{}'?", nearest)));
  }

  void value(double& target) {
    if (at_ < text_.size() && text_[at_] == '[') fail(at_, "expected one number, got a list");
    target = number();
  }

  void value(Lengthscale& target) { target.values = accept('[') ? list() : std::vector<double>{number()}; }

  void value(ActiveInputs& target) {
    const std::size_t start = at_;
    const std::vector<double> inputs = accept('[') ? list() : std::vector<double>{number()};
    target.inputs.clear();
    for (double input : inputs) {
      if (input != std::floor(input) || std::abs(input) > 1e9) fail(start, "expected whole numbers");
      target.inputs.push_back(static_cast<Index>(input));
    }
  }

  std::vector<double> list() {
    std::vector<double> values;
    do values.push_back(number());
    while (accept(','));
    expect(']');
    return values;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

struct RegistryEntry {
  std::string_view name;
  Kernel (KernelParser::*parse)();
  std::string (*parameters)();
  std::string_view formula;
  std::string_view use;
};

/// "amplitude=1, lengthscale=1, alpha=1": the names with their defaults.
template <NamedKernel K>
std::string default_parameters() {
  std::vector<std::string> list;
  const K kernel;
  K::parameters(kernel, [&](std::string_view name, const auto& value) {
    const std::string text = parameter_text(value);
    list.push_back(fmt::format("{}{}", name, text.empty() ? "" : "=" + text));
  });
  return join(list);
}

template <NamedKernel K>
constexpr RegistryEntry named_entry(std::string_view formula, std::string_view use) {
  return {K::name, &KernelParser::named<K>, &default_parameters<K>, formula, use};
}

/// The registry: one entry for each kernel, with its formula and a word on when to use it. r is the distance
/// |(x - x') / lengthscale| over the active inputs, or |x - x'| where the kernel has a period, and a the amplitude.
constexpr std::array registry = {
    named_entry<SquaredExponential>("a^2 exp(-r^2 / 2)", "smooth functions; the usual first choice"),
    named_entry<RationalQuadratic>("a^2 (1 + r^2 / (2 alpha))^-alpha",
                                   "smooth functions that vary on short and on long scales"),
    named_entry<Periodic>("a^2 exp(-2 sin(pi r / period)^2 / lengthscale^2)",
                          "one input whose effect repeats exactly; times se for a pattern that drifts"),
    named_entry<Matern12>("a^2 exp(-r)", "rough, continuous functions without a slope"),
    named_entry<Matern32>("a^2 (1 + s) exp(-s), s = sqrt(3) r",
                          "functions with a slope that may change abruptly"),
    named_entry<Matern52>("a^2 (1 + s + s^2 / 3) exp(-s), s = sqrt(5) r",
                          "between matern32 and se: smooth, but not infinitely so"),
    named_entry<Linear>("a^2 x . x'", "straight lines through the origin; plus another kernel for a trend"),
    named_entry<Constant>("a^2",
                          "an unknown level; a number c in an expression is constant(amplitude=sqrt(c))"),
    named_entry<White>("a^2 if x = x', else 0", "variation without any smoothness, beside the noise"),
    named_entry<Cosine>("a^2 cos(2 pi r / period)",
                        "one input and a pure sine wave of unknown phase and height"),
    RegistryEntry{"outer", &KernelParser::outer, [] { return std::string("an expression g in x1, x2, ..."); },
                  "g(x) g(x')", "a known shape of unknown height"},
};

Kernel KernelParser::factor() {
  skip_spaces();
  const std::size_t start = at_;
  if (accept('(')) {
    if (++depth_ > deepest_parentheses)
      fail(start, fmt::format("more than {} parentheses inside each other", deepest_parentheses));
    Kernel inner = sum();
    expect(')');
    --depth_;
    return inner;
  }
  if (number_follows()) {
    const double variance = number();
    if (!(variance > 0)) fail(start, "a number in a kernel must be positive, got " + shortest(variance));
    return Constant{.amplitude = std::sqrt(variance)};
  }
  const std::string name = word();
  for (const RegistryEntry& entry : registry)
    if (entry.name == name) return (this->*entry.parse)();
  if (name.empty() && start == text_.size()) fail(start, "expected a kernel, got the end of the text");
  if (name.empty()) fail(start, fmt::format("expected a kernel, got {}", symbol_at(start)));
  const std::string nearest = nearest_name(name, kernel_names());
  throw InvalidArgument("kernel", fmt::format("unknown kernel '{}' at column {}; {}", name, start + 1,
                                              nearest.empty() ? "known are " + join(kernel_names())
                                                              : fmt::format("did you mean '{}'?", nearest)));
}

}  // namespace

Kernel parse_kernel(std::string_view text) {
  require_expression_length(text.size(), "kernel");
  Kernel kernel = KernelParser(text).parse();
  const std::size_t in_full = kernel.text().size();
  if (in_full > longest_expression)
    throw InvalidArgument("kernel",
                          fmt::format("must have at most {} characters with every parameter written "
                                      "out, got {}",
                                      longest_expression, in_full));
  return kernel;
}

std::vector<KernelDescription> kernel_descriptions() {
  std::vector<KernelDescription> list;
  for (const RegistryEntry& entry : registry)
    list.push_back({.name = std::string(entry.name),
                    .formula = std::string(entry.formula),
                    .parameters = entry.parameters(),
                    .use = std::string(entry.use)});
  return list;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const RegistryEntry& entry : registry) names.emplace_back(entry.name);
  return names;
}

}  // namespace ridgelet
