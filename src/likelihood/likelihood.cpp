#include "ridgelet/likelihood/likelihood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/likelihood/bernoulli.hpp"
#include "ridgelet/likelihood/categorical.hpp"
#include "ridgelet/likelihood/gaussian_noise.hpp"
#include "ridgelet/likelihood/negative_binomial.hpp"
#include "ridgelet/likelihood/poisson.hpp"
#include "ridgelet/likelihood/student.hpp"

namespace ridgelet {

namespace {

struct Entry {
  std::string name;
  std::function<LikelihoodPointer(Index classes)> make;
};

const std::vector<Entry>& registry() {
  static const std::vector<Entry> entries = {
      {"gaussian", [](Index) { return std::make_shared<const GaussianNoise>(); }},
      {"bernoulli", [](Index) { return std::make_shared<const Bernoulli>(); }},
      {"categorical", [](Index classes) { return std::make_shared<const Categorical>(classes); }},
      {"poisson", [](Index) { return std::make_shared<const Poisson>(); }},
      {"negative-binomial", [](Index) { return std::make_shared<const NegativeBinomial>(); }},
      {"student", [](Index) { return std::make_shared<const Student>(); }},
  };
  return entries;
}

[[noreturn]] void refuse(const std::string& complaint) {
  throw InvalidArgument("likelihood", complaint);
}

std::string without_blanks(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result), [](char c) { return c != ' ' && c != '\t'; });
  return result;
}

double number_in(std::string_view text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size())
    refuse(fmt::format("must have numbers for its parameters, got '{}'", text));
  return value;
}

/// Reads "scale=0.3,degrees=4".
LikelihoodPointer with_arguments(const LikelihoodPointer& likelihood, std::string_view arguments) {
  const std::vector<LikelihoodParameter> parameters = likelihood->parameters();
  std::vector<std::string> names;
  Vector values(static_cast<Index>(parameters.size()));
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    names.push_back(parameters[p].name);
    values(static_cast<Index>(p)) = parameters[p].value;
  }
  while (!arguments.empty()) {
    const std::string_view argument = arguments.substr(0, arguments.find(','));
    arguments.remove_prefix(std::min(arguments.size(), argument.size() + 1));
    const std::size_t sign = argument.find('=');
    const std::string name(argument.substr(0, sign));
    if (sign == std::string_view::npos)
      refuse(fmt::format("must give parameters by name, e.g. student(degrees=4), got '{}'", argument));
    const auto place = std::ranges::find(names, name);
    if (place == names.end())
      refuse(names.empty() ? fmt::format("'{}' has no parameters, got '{}'", likelihood->name(), name)
                           : fmt::format("parameters of {} {}", likelihood->name(),
                                         unknown_name_complaint(name, names)));
    values(place - names.begin()) = number_in(argument.substr(sign + 1));
  }
  return likelihood->with_parameters(values);
}

}  // namespace

double Likelihood::log_density(const MatrixView& Y, const MatrixView& F) const {
  const Index K = functions();
  Vector y(K), f(K);
  double sum = 0;
  for (Index i = 0; i < F.rows(); ++i) {
    y = Y.row(i);
    f = F.row(i);
    sum += log_density(y.data(), f.data());
  }
  return sum;
}

void Likelihood::derivatives(const MatrixView& Y, const MatrixView& F, MatrixSpan slope,
                             MatrixSpan curvature) const {
  const Index K = functions();
  Vector y(K), f(K), s(K), d(K);
  for (Index i = 0; i < F.rows(); ++i) {
    y = Y.row(i);
    f = F.row(i);
    derivatives(y.data(), f.data(), s.data(), d.data());
    slope.row(i) = s;
    curvature.row(i) = d;
  }
}

void Likelihood::normal_curvature(const MatrixView& Y, const MatrixView& F, MatrixSpan curvature) const {
  const Index K = functions();
  Vector y(K), f(K), d(K);
  for (Index i = 0; i < F.rows(); ++i) {
    y = Y.row(i);
    f = F.row(i);
    normal_curvature(y.data(), f.data(), d.data());
    curvature.row(i) = d;
  }
}

std::string Likelihood::text() const {
  std::vector<std::string> arguments;
  for (const LikelihoodParameter& parameter : parameters())
    arguments.push_back(parameter.name + "=" + shortest(parameter.value));
  return arguments.empty() ? name() : name() + "(" + join(arguments) + ")";
}

std::vector<std::string> likelihood_names() {
  std::vector<std::string> names;
  for (const Entry& entry : registry()) names.push_back(entry.name);
  return names;
}

LikelihoodPointer parse_likelihood(const std::string& text, Index classes) {
  const std::string compact = without_blanks(text);
  const std::size_t open = compact.find('(');
  const std::string name = compact.substr(0, open);
  const auto entry = std::ranges::find(registry(), name, &Entry::name);
  if (entry == registry().end()) refuse(unknown_name_complaint(name, likelihood_names()));
  LikelihoodPointer likelihood = entry->make(classes);
  if (open == std::string::npos) return likelihood;
  if (compact.back() != ')') refuse("must end with ')' after its parameters, got '" + text + "'");
  return with_arguments(likelihood, std::string_view(compact).substr(open + 1, compact.size() - open - 2));
}

}  // namespace ridgelet
