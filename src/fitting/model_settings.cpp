#include "ridgelet/fitting/model_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/node_rules.hpp"
#include "ridgelet/fitting/reach.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/lengthscales.hpp"

namespace ridgelet {

namespace {

/// The paper's numbers, and ours before tuning.
constexpr Index paper_units = 300;
constexpr double paper_sigma_w = 3, paper_sigma_b = 12, default_ridge = 1e-6;
constexpr Index held_out_points = 150;

Vector margin_of(const ModelSettings& settings, const Box& domain) {
  if (!settings.margin) return 0.1 * (domain.upper - domain.lower);
  if (!(*settings.margin >= 0) || !std::isfinite(*settings.margin))
    throw InvalidArgument("margin", "must be at least 0 and finite, got " + shortest(*settings.margin));
  return Vector::Constant(domain.dimension(), *settings.margin);
}

/// Throws InvalidArgument unless the scaling is one of as many inputs as the domain has.
void validate(const Scaling& inputs, const Box& domain) {
  const Index d = inputs.scale.size();
  if (inputs.centre.size() != d)
    throw InvalidArgument("centre", fmt::format("must have as many numbers as scale, which has {}, got {}", d,
                                                inputs.centre.size()));
  for (const double scale : inputs.scale) require_positive(scale, "scale");
  if (domain.dimension() != d)
    throw InvalidArgument("domain", fmt::format("must have {} range{} LO:HI, one for each input, got {}", d,
                                                d == 1 ? "" : "s", domain.dimension()));
}

Kernel kernel_of(const ModelSettings& settings) {
  if (settings.kernel.empty())
    throw InvalidArgument("kernel", "is required, e.g. \"se(amplitude=1, lengthscale=1.5)\"");
  return parse_kernel(settings.kernel);
}

std::string rule_of(const ModelSettings& settings, const NodeRequest& request) {
  if (settings.nodes) return *settings.nodes;
  return default_node_rule(request.domain.dimension(), request.inputs.rows() > 0, request.integrates);
}

/// The noise over the process's standard deviation at the inputs; nothing if there are no data.
std::optional<double> relative_noise(const Kernel& kernel, const ModelContext& context) {
  if (!context.resolution || context.inputs.rows() == 0) return std::nullopt;
  const double sd = std::sqrt(kernel.diagonal(context.inputs).mean());
  if (sd == 0)
    throw InvalidArgument(
        "kernel", "must have a larger amplitude: in double precision, its variance is 0 at every row");
  return *context.resolution / sd;
}

/// Below this part of the variance rounding would choose the nodes.
constexpr double least_tolerance = 1e-12;

/// The part of the mean variance that nodes may leave: a thousandth of the noise's variance, within bounds.
double tolerance_of(const std::optional<double>& noise) {
  constexpr double most = 1e-4, without_data = 1e-8;
  return noise ? std::clamp(1e-3 * *noise * *noise, least_tolerance, most) : without_data;
}

/// An error that nobody will notice: a tenth of the noise, within bounds.
double good_error_of(const std::optional<double>& noise) {
  constexpr double least = 1e-6, most = 0.005;
  return noise ? std::clamp(0.1 * *noise, least, most) : most;
}

/// Small errors need small ridges, which otherwise make weights large for nothing.
std::vector<double> ridges_for(double good_error) {
  constexpr double small = 5e-4;
  if (good_error < small) return {1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2};
  return {1e-8, 1e-6, 1e-4, 1e-2};
}

/// Half-widths of the region that units must reach over. Along an input that the process does not see it counts as
/// endless, so that units do not turn along it.
Vector half_widths_of(const Kernel& kernel, const Region& region, const Matrix& points) {
  constexpr double endless = 1e6;
  const Vector half = 0.5 * (region.domain.upper - region.domain.lower) + region.margin;
  return turning_lengths(kernel, points, half).array().isInf().select(endless * half, half);
}

NodeRequest request_of(const ModelSettings& settings, const Region& region, const ModelContext& context) {
  const Kernel kernel = kernel_of(settings);
  return {.domain = region.domain,
          .margin = region.margin,
          .inputs = context.inputs,
          .number = settings.points,
          .seed = context.seed,
          .kernel = kernel,
          .tolerance = tolerance_of(relative_noise(kernel, context)),
          .integrates = operator_traits(settings.operator_name).integrates};
}

/// The settings as a prior takes them, with the paper's numbers in place of what is still to be chosen.
PriorOptions options_of(const ModelSettings& settings, Nodes nodes) {
  return {.target = {.kernel = kernel_of(settings), .mean = MeanFunction(settings.mean)},
          .nodes = std::move(nodes),
          .activation = settings.activation,
          .units = settings.units.value_or(paper_units),
          .layers = settings.layers,
          .hidden = {.sigma_w = settings.sigma_w.value_or(paper_sigma_w),
                     .sigma_b = settings.sigma_b.value_or(paper_sigma_b),
                     .density = settings.density,
                     .units_from = settings.units_from},
          .op = {.name = settings.operator_name,
                 .ridge = settings.ridge.value_or(default_ridge),
                 .order = settings.order},
          .layer_scale = settings.layer_scale,
          .layer_bias = settings.layer_bias,
          .skip = settings.skip};
}

/// The settings of a prior, written back.
ModelSettings resolved(ModelSettings settings, const PriorOptions& options, const std::string& rule) {
  settings.units = options.units;
  settings.sigma_w = options.hidden.sigma_w;
  settings.sigma_b = options.hidden.sigma_b;
  settings.ridge = options.op.ridge;
  settings.nodes = rule;
  return settings;
}

void require_count_or_auto(const std::optional<Index>& count, const std::string& argument) {
  if (count && *count < 1)
    throw InvalidArgument(argument, fmt::format("must be at least 1, or auto, got {}", *count));
}

}  // namespace

void validate(const ModelSettings& settings, Index d) {
  const Activation activation(settings.activation);
  validate(OperatorSettings{.name = settings.operator_name,
                            .ridge = settings.ridge.value_or(default_ridge),
                            .order = settings.order},
           activation, d);
  require_count_or_auto(settings.units, "units");
  require_count_or_auto(settings.points, "points");
  require_at_least(settings.layers, 1, "layers");
  if (settings.sigma_w) settings.sigma_w->validate(d);
  if (settings.sigma_b) require_positive(*settings.sigma_b, "sigma_b");
  if (settings.domain) parse_box(*settings.domain, "domain");
  MeanFunction(settings.mean).validate_dimension(d, "mean");
  const std::vector<std::string> rules = node_rule_names();
  if (settings.nodes && std::ranges::find(rules, *settings.nodes) == rules.end())
    throw InvalidArgument("nodes", unknown_name_complaint(*settings.nodes, rules));
}

Region region_of(const ModelSettings& settings) {
  const bool of_learning = !settings.domain && settings.range;
  const Box domain = of_learning ? parse_box(*settings.range, "range")
                                 : parse_box(settings.domain.value_or("-5:5"), "domain");
  const Vector margin = margin_of(settings, domain);
  const Scaling& inputs = settings.inputs;
  if (inputs.centre.size() + inputs.scale.size() == 0) return {.domain = domain, .margin = margin};
  validate(inputs, domain);
  return {.domain = {.lower = inputs.apply(domain.lower.transpose()).transpose(),
                     .upper = inputs.apply(domain.upper.transpose()).transpose()},
          .margin = margin.cwiseQuotient(inputs.scale)};
}

void require_dimension(const ModelSettings& settings, Index d) {
  const Kernel kernel = kernel_of(settings);
  const MeanFunction mean(settings.mean);
  try {
    kernel.validate_dimension(d);
    mean.validate_dimension(d, "mean");
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(error.argument(),
                          fmt::format("{}; give --domain a range LO:HI for each input, of which it has {}",
                                      error.complaint(), d));
  }
}

Nodes build_nodes(const ModelSettings& settings, const Region& region, const ModelContext& context,
                  Index refinement) {
  NodeRequest request = request_of(settings, region, context);
  request.refinement = refinement;
  return make_nodes(rule_of(settings, request), request);
}

TuningRequest tuning_request(const ModelSettings& settings, const PriorOptions& model, const Region& region,
                             const ModelContext& context) {
  const NodeRequest request = request_of(settings, region, context);
  Matrix held_out = coverage_points(request, held_out_points);
  const double good_error = good_error_of(relative_noise(*request.kernel, context));
  return {.model = model,
          .sigma_w = !settings.sigma_w,
          .sigma_b = !settings.sigma_b,
          .ridge = !settings.ridge && !request.integrates,
          .units = !settings.units,
          .half_widths = half_widths_of(*request.kernel, region, held_out),
          .held_out = std::move(held_out),
          .seed = context.seed,
          .good_error = good_error,
          .ridges = ridges_for(good_error)};
}

namespace {

/// Bandwidths, ridge and width for the nodes of a prior.
struct TunedNetwork {
  RidgeletPrior prior;  ///< with other numbers
  TuningRequest request;
  Tuned tuned;

  double error_of_width() const { return ridgelet::error_of_width(request, prior.node_factor(), tuned); }
};

TunedNetwork tuned_network(const ModelSettings& settings, const Region& region, const ModelContext& context,
                           RidgeletPrior prior) {
  TuningRequest request = tuning_request(settings, prior.options(), region, context);
  Tuned tuned = tune(request, prior.node_factor());
  return {.prior = std::move(prior), .request = std::move(request), .tuned = std::move(tuned)};
}

/// Nodes that tell all of the process may still be too few to hold a network that turns between them. Where its error is
/// not good, more nodes help more than more units do: a hundredth of the tolerance takes about a third more of them. (300
/// rows of sin(x1) cos(x2): 79 nodes and 1,264 units have an error of 0.69 %, 112 nodes and 224 units one of 0.4 %.)
TunedNetwork on_denser_nodes(const ModelSettings& settings, const Region& region, const ModelContext& context,
                             TunedNetwork network) {
  constexpr double part = 1e-2;
  constexpr int times = 2;
  NodeRequest nodes = request_of(settings, region, context);
  double error = network.error_of_width();
  for (int i = 0; i < times && error > network.request.good_error; ++i) {
    nodes.tolerance = std::max(part * nodes.tolerance, least_tolerance);
    RidgeletPrior denser(options_of(settings, make_nodes("data", nodes)));
    if (denser.options().nodes.size() <= network.prior.options().nodes.size()) break;
    TunedNetwork next = tuned_network(settings, region, context, std::move(denser));
    const double its_error = next.error_of_width();
    if (!(its_error < error)) break;
    error = its_error;
    network = std::move(next);
  }
  return network;
}

}  // namespace

Model build_model(const ModelSettings& settings) {
  const Region region = region_of(settings);
  require_dimension(settings, region.domain.dimension());
  return build_model(settings, region);
}

Model build_model(const ModelSettings& settings, const Region& region, const ModelContext& context,
                  std::optional<StoredNodes> stored) {
  require_reach(settings, region);
  const NodeRequest request = request_of(settings, region, context);
  const std::string rule = rule_of(settings, request);
  PriorOptions options = options_of(settings, stored ? stored->nodes : make_nodes(rule, request));
  RidgeletPrior prior(options, stored ? std::optional(std::move(stored->factor)) : std::nullopt);
  std::vector<TuningTrial> trials;
  if (!request.integrates) {
    const bool may_be_denser = rule == "data" && !stored && !settings.points && !settings.units;
    TunedNetwork network = tuned_network(settings, region, context, std::move(prior));
    if (may_be_denser) network = on_denser_nodes(settings, region, context, std::move(network));
    if (!settings.units)
      network.tuned.units = widen(network.request, network.prior.node_factor(), network.tuned);
    options = network.tuned.applied_to(network.request.model);
    trials = std::move(network.tuned.trials);
    prior = RidgeletPrior(options, network.prior.node_factor());
  }
  return {.prior = std::move(prior),
          .domain = region.domain,
          .settings = resolved(settings, options, rule),
          .trials = std::move(trials)};
}

}  // namespace ridgelet
