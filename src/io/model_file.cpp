#include "ridgelet/io/model_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/box.hpp"
#include "ridgelet/cubature/node_rules.hpp"
#include "ridgelet/io/csv_records.hpp"
#include "ridgelet/likelihood/likelihood.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {

namespace {

/// In characters. Two expressions of full length and a bandwidth for each of thousands of inputs leave room.
constexpr std::size_t longest_model_file = 1'000'000;

template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

template <class Number>
Number parse_number(const std::string& argument, const std::string& text) {
  const std::optional<Number> value = number_in<Number>(text);
  if (!value)
    throw InvalidArgument(argument, fmt::format("must be a {}number, got '{}'",
                                                std::is_integral_v<Number> ? "whole " : "", text));
  return *value;
}

bool read_yes_or_no(const std::string& argument, const std::string& text) {
  if (text != "yes" && text != "no") throw InvalidArgument(argument, "must be yes or no, got '" + text + "'");
  return text == "yes";
}

bool is_auto(const std::string& text) {
  return text == "auto";
}

/// None for "auto".
template <class Number>
std::optional<Number> read_or_auto(const std::string& argument, const std::string& text) {
  if (is_auto(text)) return std::nullopt;
  const std::optional<Number> value = number_in<Number>(text);
  if (!value)
    throw InvalidArgument(argument, fmt::format("must be a {}number, or auto, got '{}'",
                                                std::is_integral_v<Number> ? "whole " : "", text));
  return value;
}

template <class Number>
std::string number_text(const std::optional<Number>& number) {
  if (!number) return "";
  if constexpr (std::is_integral_v<Number>)
    return std::to_string(*number);
  else
    return shortest(*number);
}

std::string numbers_text(const Vector& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(shortest(number));
  return join(texts, ",");
}

/// Where a string of TOML that begins at `at` ends: after its closing quotes, or at the end of a line that lacks them.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool long_string = text.substr(at, 3) == three;
  for (at += long_string ? 3 : 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\')
      ++at;
    else if (!long_string && (text[at] == quote || text[at] == '\n'))
      return at + 1;
    else if (long_string && text.substr(at, 3) == three)
      return std::min(text.find_first_not_of(quote, at), text.size());
  }
  return text.size();
}

/// A key a.b.c stands for tables within tables, which the TOML library leaves by as many calls within calls: enough of
/// them end the program. Options have no dots, so a few are all that a mistake has.
void require_short_keys(std::string_view text, const std::string& name) {
  constexpr int most_parts = 20;
  int dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
      continue;
    }
    if (c == '#') at = std::min(text.find('\n', at), text.size() - 1);
    if (c == '#' || c == '\n' || c == '=' || c == ',') dots = 0;
    if (c == '.' && ++dots == most_parts)
      throw InvalidArgument(
          "model",
          fmt::format("'{}' is no model file: it has a key of more than {} parts in line {}; write lines "
                      "option = value",
                      name, most_parts, 1 + std::ranges::count(text.substr(0, at), '\n')));
    ++at;
  }
}

/// A TOML value as the text that the flag would have: [3, 1] becomes 3,1.
std::string flag_text(const std::string& key, const std::string& placeholder, const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto whole = node.value_exact<std::int64_t>()) return std::to_string(*whole);
  if (const auto number = node.value_exact<double>()) return shortest(*number);
  const toml::array* const list = node.as_array();
  if (!list || list->empty() || !std::ranges::all_of(*list, &toml::node::is_number))
    throw InvalidArgument(
        key, "must be a number, a list of numbers or a text in quotes in the model file, of the form " +
                 placeholder);
  std::string texts;
  for (const toml::node& each : *list)
    texts += (texts.empty() ? "" : ",") + flag_text(key, placeholder, each);
  return texts;
}

/// Whether the text is a TOML number that flag_text() gives back as the same text; ".5", "007" and "1.50" are not.
bool is_toml_number(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  const auto [whole_stop, not_whole] = std::from_chars(text.data(), end, whole);
  if (not_whole == std::errc{} && whole_stop == end) return std::to_string(whole) == text;
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool fraction = text.find_first_of(".e") != std::string::npos;
  return error == std::errc{} && stop == end && std::isfinite(number) && fraction && shortest(number) == text;
}

/// A number unchanged, anything else as a basic string of TOML, on one line.
std::string toml_value(const std::string& text) {
  if (is_toml_number(text)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (code < 0x20 || code == 0x7f)
      quoted += fmt::format("\\u{:04x}", code);
    else
      quoted += c;
  }
  return quoted + '"';
}

/// The option that a key of the model file `file` names, with hyphens or with underscores.
const ModelOption& option_of(std::string key, const std::string& file) {
  std::ranges::replace(key, '_', '-');
  const auto found = std::ranges::find(model_options(), key, &ModelOption::name);
  if (found != model_options().end()) return *found;
  std::vector<std::string> known;
  for (const ModelOption& option : model_options()) known.push_back(option.name);
  throw InvalidArgument("model", "keys of '" + file + "' " + unknown_name_complaint(key, known));
}

/// What a file says of the table that its model was learned from, which a command with a table of its own would not
/// look at.
void require_possible_table(const ModelSettings& settings) {
  const auto& [centre, scale] = settings.inputs;
  if (centre.size() != scale.size())
    throw InvalidArgument("centre", fmt::format("must have as many numbers as scale, which has {}, got {}",
                                                scale.size(), centre.size()));
  for (const double each : scale) require_positive(each, "scale");
  for (const double each : centre)
    if (!std::isfinite(each)) throw InvalidArgument("centre", "must be finite, got " + shortest(each));
  if (settings.range) (void)parse_box(*settings.range, "range");
}

}  // namespace

const std::vector<ModelOption>& model_options() {
  using S = ModelSettings;
  using C = const ModelSettings;
  using T = const std::string&;
  static const std::vector<ModelOption> options = {
      {"kernel", "EXPR", "covariance of the process, of " + join(kernel_names()),
       [](S& s, T text) { s.kernel = text; }, [](C& s) { return s.kernel; }},
      {"mean", "EXPR", "mean of the process in x1, x2, ... (default 0)", [](S& s, T text) { s.mean = text; },
       [](C& s) { return s.mean; }},
      {"activation", "NAME", join(activation_names()) + " (default tanh)",
       [](S& s, T text) { s.activation = text; }, [](C& s) { return s.activation; }},
      {"units", "N|auto",
       "hidden units (default auto: as many as the process needs); powers of two suit --units-from sobol "
       "best",
       [](S& s, T text) { s.units = read_or_auto<Index>("units", text); },
       [](C& s) { return number_text(s.units); }},
      {"layers", "L", "hidden layers (default 1)",
       [](S& s, T text) { s.layers = parse_number<Index>("layers", text); },
       [](C& s) { return std::to_string(s.layers); }},
      {"layer-scale", "S", "scale of the process between hidden layers (default 3; for ridgelet 1)",
       [](S& s, T text) { s.layer_scale = parse_number<double>("layer-scale", text); },
       [](C& s) { return number_text(s.layer_scale); }},
      {"layer-bias", "S", "bandwidth of biases from the second layer on (default 3; for ridgelet sigma-b)",
       [](S& s, T text) { s.layer_bias = parse_number<double>("layer-bias", text); },
       [](C& s) { return number_text(s.layer_bias); }},
      {"skip", "yes|no", "skip connections: a layer's features with those of earlier layers (default no)",
       [](S& s, T text) { s.skip = read_yes_or_no("skip", text); },
       [](C& s) { return std::string(s.skip ? "yes" : "no"); }},
      {"operator", "NAME", join(operator_names()) + " (default least-squares)",
       [](S& s, T text) { s.operator_name = text; }, [](C& s) { return s.operator_name; }},
      {"ridge", "R|auto",
       "relative ridge of the least-squares operator (default auto: chosen by the exact error)",
       [](S& s, T text) { s.ridge = read_or_auto<double>("ridge", text); },
       [](C& s) { return number_text(s.ridge); }},
      {"sigma-w", "S[,S...]|auto",
       "bandwidth of the hidden weights, one for all inputs or one each (default auto: follows the kernel; "
       "for "
       "ridgelet 3)",
       [](S& s, T text) {
         s.sigma_w = is_auto(text) ? std::nullopt : std::optional(Bandwidth::parse(text, "sigma-w"));
       },
       [](C& s) { return s.sigma_w ? s.sigma_w->text() : std::string(); }},
      {"sigma-b", "S|auto", "bandwidth of the hidden biases (default auto: follows sigma-w; for ridgelet 12)",
       [](S& s, T text) { s.sigma_b = read_or_auto<double>("sigma-b", text); },
       [](C& s) { return number_text(s.sigma_b); }},
      {"density", "NAME",
       "distribution of hidden weights and biases: " + join(density_names()) + " (default gaussian)",
       [](S& s, T text) { s.density = parse_density(text); }, [](C& s) { return density_name(s.density); }},
      {"units-from", "HOW",
       "how hidden units are drawn: " + join(units_from_names()) +
           " (default sobol: jointly, as scrambled Sobol points)",
       [](S& s, T text) { s.units_from = parse_units_from(text); },
       [](C& s) { return units_from_name(s.units_from); }},
      {"order", "N", "order of psi, even (default: the paper's for the activation)",
       [](S& s, T text) { s.order = parse_number<int>("order", text); },
       [](C& s) { return number_text(s.order); }},
      {"domain", "LO:HI[,LO:HI...]",
       "where the network must resemble the process, in the units of the table, or of the one that the model "
       "was learned from, or else of the kernel (default: the range of that table, or -5:5); for columns of "
       "dates "
       "2010-01-01:2020-01-01",
       [](S& s, T text) { s.domain = text; }, [](C& s) { return s.domain.value_or(""); }},
      {"margin", "M", "how far the nodes reach past the domain (default: a tenth of its width)",
       [](S& s, T text) { s.margin = parse_number<double>("margin", text); },
       [](C& s) { return number_text(s.margin); }},
      {"nodes", "RULE|auto",
       "where the nodes are placed, at which the process is evaluated: " + join(node_rule_names()) +
           " (default auto: data where there are any, or else grid for one or two inputs and sobol for more)",
       [](S& s, T text) { s.nodes = is_auto(text) ? std::nullopt : std::optional(text); },
       [](C& s) { return s.nodes.value_or(""); }},
      {"points", "N|auto", "nodes, per axis for grid and in all otherwise (default auto)",
       [](S& s, T text) { s.points = read_or_auto<Index>("points", text); },
       [](C& s) { return number_text(s.points); }},
      {"likelihood", "NAME",
       "likelihood of the response: " + join(likelihood_names()) +
           " (default gaussian; classes where the response is text)",
       [](S& s, T text) { s.likelihood = text; }, [](C& s) { return s.likelihood; }, ModelOption::Use::table},
      {"noise", "S[,S...]",
       "standard deviation of the noise, one or one for each response (default: learned)",
       [](S& s, T text) { s.noise = read_numbers("noise", text); },
       [](C& s) { return s.noise ? numbers_text(*s.noise) : std::string(); }, ModelOption::Use::table},
      {"standardise", "yes|no",
       "scale every column to mean 0 and sd 1 first; kernel, mean and noise then refer to scaled columns "
       "(default: yes where no --kernel is given, or best)",
       [](S& s, T text) { s.standardise = read_yes_or_no("standardise", text); },
       [](C& s) { return s.standardise ? std::string(*s.standardise ? "yes" : "no") : std::string(); },
       ModelOption::Use::table, true},
      {"range", "LO:HI[,LO:HI...]", "of the inputs of the table that the model was learned from",
       [](S& s, T text) { s.range = text; }, [](C& s) { return s.range.value_or(""); },
       ModelOption::Use::file},
      {"centre", "C[,C...]", "of each input of that table, which standardising subtracts",
       [](S& s, T text) { s.inputs.centre = read_numbers("centre", text); },
       [](C& s) { return numbers_text(s.inputs.centre); }, ModelOption::Use::file},
      {"scale", "S[,S...]", "of each input of that table, by which standardising divides",
       [](S& s, T text) { s.inputs.scale = read_numbers("scale", text); },
       [](C& s) { return numbers_text(s.inputs.scale); }, ModelOption::Use::file},
  };
  return options;
}

double read_number(const std::string& argument, const std::string& text) {
  return parse_number<double>(argument, text);
}

Vector read_numbers(const std::string& argument, const std::string& list) {
  std::vector<double> numbers;
  const char *at = list.data(), *end = at + list.size();
  for (bool more = true; more;) {
    const auto [stop, error] = std::from_chars(at, end, numbers.emplace_back());
    more = error == std::errc{} && stop != end && *stop == ',';
    if (error != std::errc{} || (stop != end && !more))
      throw InvalidArgument(argument, "must be a number, or several with commas between, got '" + list + "'");
    at = stop + (more ? 1 : 0);
  }
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
}

void read_model_file(const std::filesystem::path& path, ModelSettings& settings) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    throw IoError("cannot read the model file '" + path.string() + "'");
  std::string text(longest_model_file + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > longest_model_file)
    throw InvalidArgument(
        "model", fmt::format("'{}' is no model file: it has more than {} characters; name a file of lines "
                             "option = value",
                             path.string(), longest_model_file));
  read_model_text(text, path.string(), settings);
}

void read_model_text(const std::string& text, const std::string& name, ModelSettings& settings) {
  require_short_keys(text, name);
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InvalidArgument("model", fmt::format("'{}' is not a TOML file: {} in line {}", name,
                                               shown(error.description(), 300), error.source().begin.line));
  }
  std::map<const ModelOption*, std::string> spellings;
  for (const auto& [key, node] : table) {
    const std::string spelling(key.str());
    const ModelOption& option = option_of(spelling, name);
    const auto [other, is_first] = spellings.emplace(&option, spelling);
    if (!is_first)
      throw InvalidArgument(option.name,
                            fmt::format("stands twice in '{}', as {} and as {}; keep one of them", name,
                                        other->second, spelling));
    const std::string value = flag_text(option.name, option.placeholder, node);
    if (value.empty())
      throw InvalidArgument(option.name, "must not be empty in the model file; leave it out for the default");
    option.set(settings, value);
  }
  require_possible_table(settings);
}

std::string model_file_text(const ModelSettings& settings) {
  std::string lines;
  for (const ModelOption& option : model_options()) {
    const std::string text = option.get(settings);
    if (!text.empty()) lines += fmt::format("{} = {}\n", option.name, toml_value(text));
  }
  return lines;
}

}  // namespace ridgelet
