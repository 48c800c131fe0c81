#include "own_units.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ridgelet/core/text.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/mean/affine.hpp"

namespace ridgelet::app {

namespace {

double rounded(double value) {
  return std::stod(fmt::format("{:.4g}", value));
}

/// "se.lengthscale 13.42"
std::string named(const std::string& name, double value) {
  return fmt::format("{} {:.4g}", name, value);
}

/// For each input whether it is a date.
std::vector<bool> dates_of(const TableEncoding& encoding) {
  std::vector<bool> dates;
  for (const ColumnEncoding& column : encoding.inputs)
    dates.insert(dates.end(), static_cast<std::size_t>(column.width()), column.kind == ColumnKind::date);
  return dates;
}

/// The same process with its inputs measured from their centres.
std::optional<Kernel> about_centres(const Kernel& kernel, const Vector& inputs, double response) {
  return kernel.in_units({.centre = Vector::Zero(inputs.size()), .scale = inputs, .response = response});
}

}  // namespace

std::string rounded(const Kernel& kernel) {
  const std::vector<KernelParameter> parameters = kernel.parameters();
  Vector values(static_cast<Index>(parameters.size()));
  for (Index i = 0; i < values.size(); ++i)
    values(i) = rounded(parameters[static_cast<std::size_t>(i)].value);
  return kernel.with_parameters(values).text();
}

std::string rounded(const MeanFunction& mean) {
  return mean.with_coefficients(mean.coefficients().unaryExpr([](double c) { return rounded(c); })).text();
}

std::string rounded(const Likelihood& likelihood) {
  std::vector<std::string> numbers;
  for (const LikelihoodParameter& parameter : likelihood.parameters())
    numbers.push_back(named(parameter.name, parameter.value));
  return numbers.empty() ? likelihood.name() : likelihood.name() + " (" + join(numbers) + ")";
}

OwnUnits::OwnUnits(const FittedModel& model)
    : kernel_(parse_kernel(model.regression().settings().model.kernel)),
      mean_(model.regression().settings().model.mean),
      inputs_(model.regression().input_scaling()),
      input_names_(model.regression().table().inputs),
      dates_(dates_of(encoding_of(model.regression().table()))) {
  const Regression& regression = model.regression();
  if (!model.latent()) noise_ = regression.data().noise;
  // Log-odds and logarithms of rates have no units.
  if (model.latent() && model.likelihood()->response() != ResponseKind::real) return;
  if (model.latent()) likelihood_ = rounded(*model.likelihood());
  outputs_ = regression.output_scaling();
  output_names_ = regression.table().outputs;
}

OwnUnits::OwnUnits(const LearnedSettings& learned, const RegressionTable& table)
    : kernel_(learned.target->process.kernel),
      mean_(learned.target->process.mean),
      input_names_(table.inputs),
      dates_(dates_of(encoding_of(table))) {
  const ModelSettings& model = learned.settings.model;
  inputs_ = model.standardise.value_or(false) ? table.standardised_inputs() : Scaling::none(table.X.cols());
  output_names_ = table.outputs;
  outputs_ = response_units(learned, table);
  if (is_gaussian(model.likelihood))
    noise_ = learned.target->noise;
  else if (outputs_.scale.size() > 0)
    likelihood_ = rounded(*in_own_units(*likelihood_for(model.likelihood, table), outputs_));
}

/// Lengthscales and periods.
std::string OwnUnits::of_input(Index column) const {
  const std::optional<Kernel> own = about_centres(kernel_, inputs_.scale, 1);
  const double scale = own ? 1 : inputs_.scale(column);
  std::vector<std::string> parts;
  for (const KernelParameter& parameter : (own ? *own : kernel_).parameters()) {
    const std::vector<Index> columns = parameter.inputs.columns(inputs_.scale.size());
    if (parameter.unit == ParameterUnit::inputs && std::ranges::find(columns, column) != columns.end())
      parts.push_back(named(parameter.name, scale * parameter.value));
  }
  return join(parts);
}

/// Noise and amplitudes.
std::string OwnUnits::of_output(Index output) const {
  std::vector<std::string> parts;
  if (!likelihood_.empty()) parts.push_back(likelihood_);
  if (noise_.size() > 0) parts.push_back(named("noise", noise_(output) * outputs_.scale(output)));
  if (const auto own = about_centres(kernel_, inputs_.scale, outputs_.scale(output)))
    for (const KernelParameter& parameter : own->parameters())
      if (parameter.unit == ParameterUnit::response) parts.push_back(named(parameter.name, parameter.value));
  return join(parts);
}

std::string OwnUnits::centre_text(Index input) const {
  const double centre = inputs_.centre(input);
  return dates_[static_cast<std::size_t>(input)] ? day_text(centre) : fmt::format("{:.6g}", centre);
}

std::string OwnUnits::scale_text(Index input) const {
  return fmt::format("{:.4g}{}", inputs_.scale(input),
                     dates_[static_cast<std::size_t>(input)] ? " days" : "");
}

/// "280.3 + 31.92 (year - 1954.96)", or nothing if the mean is not affine.
std::string OwnUnits::mean_text(Index output) const {
  const std::optional<AffineFunction> affine = affine_form(mean_, inputs_.scale.size());
  if (!affine) return "";
  const double scale = outputs_.scale(output);
  std::string text = fmt::format("{:.6g}", outputs_.centre(output) + scale * affine->constant);
  for (Index k = 0; k < inputs_.scale.size(); ++k) {
    const double slope = scale * affine->slope(k) / inputs_.scale(k);
    if (slope == 0) continue;
    text += fmt::format(" {} {:.4g} ({} - {})", slope < 0 ? "-" : "+", std::abs(slope),
                        input_names_[static_cast<std::size_t>(k)], centre_text(k));
  }
  return text;
}

std::string OwnUnits::text() const {
  std::size_t width = 24;
  for (const auto* names : {&input_names_, &output_names_})
    for (const std::string& name : *names) width = std::max(width, name.size());
  std::string lines =
      fmt::format("  {:<{}}{:>12}{:>12}\n", "in the units of the columns", width + 3, "centre", "scale");
  const auto line = [&](const std::string& name, const std::string& centre, const std::string& scale,
                        const std::string& parts) {
    lines += fmt::format("    {:<{}} {:>12}{:>12}{}{}\n", name, width, centre, scale,
                         parts.empty() ? "" : "   ", parts);
  };
  for (Index k = 0; k < inputs_.scale.size(); ++k)
    line(input_names_[static_cast<std::size_t>(k)], centre_text(k), scale_text(k), of_input(k));
  for (Index k = 0; k < outputs_.scale.size(); ++k)
    line(output_names_[static_cast<std::size_t>(k)], fmt::format("{:.6g}", outputs_.centre(k)),
         fmt::format("{:.4g}", outputs_.scale(k)), of_output(k));
  if (mean_.text() == "0") return lines;
  for (Index k = 0; k < outputs_.scale.size(); ++k)
    if (const std::string mean = mean_text(k); !mean.empty())
      lines += fmt::format(
          "    {:<{}}   {}\n",
          outputs_.scale.size() == 1 ? "mean" : "mean of " + output_names_[static_cast<std::size_t>(k)],
          width, mean);
  return lines;
}

Json OwnUnits::scaling() const {
  Json json = Json::object();
  const auto add = [&](const Scaling& scaling, const std::vector<std::string>& names) {
    for (Index k = 0; k < scaling.scale.size(); ++k)
      json[names[static_cast<std::size_t>(k)]] = {{"centre", scaling.centre(k)}, {"scale", scaling.scale(k)}};
  };
  add(inputs_, input_names_);
  add(outputs_, output_names_);
  return json;
}

Json OwnUnits::json() const {
  const Vector& responses = outputs_.scale;
  std::optional<Kernel> kernel;
  if (responses.size() > 0 && responses.minCoeff() == responses.maxCoeff())
    kernel = kernel_.in_units({.centre = inputs_.centre, .scale = inputs_.scale, .response = responses(0)});
  return {{"kernel", kernel ? Json(kernel->text()) : Json(nullptr)},
          {"noise", noise_.size() > 0 ? one_or_several(noise_.cwiseProduct(responses)) : Json(nullptr)}};
}

}  // namespace ridgelet::app
