// Appendix "Comparison of Prior Predictive with Different Settings": four figures as tables of cases.
#include <fmt/format.h>

#include "experiments/settings_figures.hpp"

namespace ridgelet::experiments {

namespace {

/// The same prior with growing numbers of units, and as many draws of the hidden layer as can be afforded.
std::vector<StudyCase> with_units(PriorSetting prior, const std::vector<Index>& units,
                                  const ExperimentOptions& options) {
  std::vector<StudyCase> cases;
  for (const Index N : units) {
    prior.units = N;
    cases.push_back({prior, affordable_replicates(N, 1000, options)});
  }
  return cases;
}

Make both_operators(const std::string& name, PriorSetting prior, const ExperimentOptions& options) {
  const std::vector<Index> many = options.fast ? std::vector<Index>{100, 300, 1000}
                                               : std::vector<Index>{100, 300, 1000, 3000, 10000, 30000};
  const std::vector<Index> few =
      options.fast ? std::vector<Index>{100, 300} : std::vector<Index>{30, 100, 300, 1000};
  Make make{.name = name, .ridgelet = {}, .least_squares = {}};
  prior.model = "ridgelet";
  make.ridgelet = with_units(prior, many, options);
  prior.model = "least-squares";
  make.least_squares = with_units(prior, few, options);
  return make;
}

/// Growing numbers of units, with bandwidths that grow with them; a tenth of the units if fast.
std::vector<PriorSetting> schedule(const std::string& model, const std::string& kernel,
                                   const ExperimentOptions& options) {
  const Index part = options.fast ? 10 : 1;
  std::vector<PriorSetting> priors = {{.units = 300 / part, .sigma_w = 1, .sigma_b = 2},
                                      {.units = 1000 / part, .sigma_w = 2, .sigma_b = 6},
                                      {.units = 3000 / part, .sigma_w = 3, .sigma_b = 12},
                                      {.units = 10000 / part, .sigma_w = 4, .sigma_b = 20},
                                      {.units = 30000 / part, .sigma_w = 5, .sigma_b = 30}};
  for (PriorSetting& each : priors) {
    each.model = model;
    each.kernel = kernel;
  }
  return priors;
}

/// For least squares a few hidden layers are enough to know the error well, and large ones take long.
std::vector<StudyCase> scheduled(const std::vector<PriorSetting>& priors, const ExperimentOptions& options) {
  std::vector<StudyCase> cases;
  for (const PriorSetting& each : priors) {
    const Index most = each.model == "ridgelet" ? 1000 : each.units > 3000 ? 20 : 100;
    cases.push_back({each, affordable_replicates(each.units, most, options)});
  }
  return cases;
}

SettingsStudy bandwidths_study(const ExperimentOptions& options) {
  std::vector<Make> makes;
  for (const PriorSetting& each : schedule("ridgelet", squared_exponential, options))
    makes.push_back(both_operators(fmt::format("σ_w = {}, σ_b = {}", each.sigma_w, each.sigma_b),
                                   {.sigma_w = each.sigma_w, .sigma_b = each.sigma_b}, options));
  const ComparisonLayout layout{.page = measures_alone(),
                                .ridgelet_shown = options.fast ? std::vector<Index>{100, 300, 1000}
                                                               : std::vector<Index>{3000, 10000, 30000},
                                .errors = {1e-5, 50}};
  return {
      .parts = {{.key = "cases",
                 .words = "Narrow bandwidths leave an error that more units do not mend; wide ones take more "
                          "units to get there. The process has E f(0)^2 = 1.",
                 .makes = makes}},
      .figure = [layout](const auto& all) { return comparison_figure(all, layout); }};
}

SettingsStudy schedule_study(const ExperimentOptions& options) {
  const auto priors = [&](const char* model) { return schedule(model, squared_exponential, options); };
  std::vector<PriorSetting> fixed = priors("ridgelet");
  for (PriorSetting& each : fixed) each.sigma_w = 3, each.sigma_b = 12;
  return {
      .parts = {{.key = "dynamic",
                 .words = "Bandwidths that grow with the units; the process has E f(0)^2 = 1.",
                 .makes = {{.name = "dynamic",
                            .ridgelet = scheduled(priors("ridgelet"), options),
                            .least_squares = scheduled(priors("least-squares"), options)}}},
                {.key = "fixed",
                 .words = "The same units with bandwidths 3 and 12:",
                 .makes = {{.name = "fixed", .ridgelet = scheduled(fixed, options), .least_squares = {}}}}},
      .figure = schedule_figure};
}

SettingsStudy activations_study(const ExperimentOptions& options) {
  std::vector<Make> makes;
  for (const char* activation : {"gaussian", "tanh", "relu"})
    makes.push_back(both_operators(activation, {.activation = activation}, options));
  const ComparisonLayout layout{.ridgelet_shown = options.fast ? std::vector<Index>{100, 300, 1000}
                                                               : std::vector<Index>{300, 3000, 30000},
                                .paths = {-5, 5},
                                .errors = {1e-6, 50}};
  return {.parts = {{.key = "cases",
                     .words = "Three activations, each with its own associated function; the process has "
                              "E f(0)^2 = 1.",
                     .makes = makes}},
          .figure = [layout](const auto& all) { return comparison_figure(all, layout); },
          .heading = "activation",
          .entry = [](const StudyOutcome& outcome) { return outcome.setting.activation; }};
}

SettingsStudy covariances_study(const ExperimentOptions& options) {
  std::vector<Make> makes;
  for (const auto& [name, kernel] :
       {std::pair{"SE", squared_exponential}, std::pair{"RQ", "rq(amplitude=1, lengthscale=0.75, alpha=1)"},
        std::pair{"periodic", "periodic(amplitude=1, lengthscale=0.75, period=2)"}}) {
    std::vector<PriorSetting> small = schedule("least-squares", kernel, options);
    std::erase_if(small, [](const PriorSetting& each) { return each.units > 3000; });
    makes.push_back({.name = name,
                     .ridgelet = scheduled(schedule("ridgelet", kernel, options), options),
                     .least_squares = scheduled(small, options)});
  }
  const std::vector<StudyCase>& ridgelet = makes.front().ridgelet;
  const auto units = [&](std::size_t i) { return ridgelet[i].prior.units; };
  const ComparisonLayout layout{.ridgelet_shown = {units(0), units(2), units(4)},
                                .least_squares_shown = units(1),
                                .errors = {1e-5, 20},
                                .covariances = {-0.3, 2}};
  const auto name_of_kernel = [](const StudyOutcome& outcome) {
    return outcome.setting.kernel.substr(0, outcome.setting.kernel.find('('));
  };
  return {.parts = {{.key = "cases",
                     .words = "Three kernels, with bandwidths that grow with the units; each process has "
                              "E f(0)^2 = 1.",
                     .makes = makes}},
          .figure = [layout](const auto& all) { return comparison_figure(all, layout); },
          .heading = "kernel",
          .entry = name_of_kernel};
}

Experiment experiment(const std::string& name, const std::string& description,
                      SettingsStudy (*study)(const ExperimentOptions&)) {
  return {.name = name,
          .description = "Appendix: " + description,
          .run = [study](const ExperimentOptions& options) { return run_study(study(options), options); }};
}

}  // namespace

Experiment bandwidths() {
  return experiment("bandwidths", "five bandwidths of the hidden layer, error and covariance",
                    bandwidths_study);
}

Experiment dynamic_bandwidths() {
  return experiment("dynamic-bandwidths", "bandwidths that grow with the units; paths, error and covariance",
                    schedule_study);
}

Experiment activations() {
  return experiment("activations", "Gaussian, tanh and ReLU; paths, error and covariance", activations_study);
}

Experiment covariances() {
  return experiment("covariances", "three covariance functions; paths, error and covariance",
                    covariances_study);
}

}  // namespace ridgelet::experiments
