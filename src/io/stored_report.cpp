#include "stored_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// A count, checked because a stranger's file may have any number in its place.
Index whole_number(const NetcdfReader& file, double value, const std::string& name) {
  constexpr double most = 1e15;
  if (!(value >= 0 && value <= most) || value != std::floor(value))
    file.refuse(fmt::format("has a number of {} that is damaged", name));
  return static_cast<Index>(value);
}

void write_left_out(NetcdfWriter& file, const std::string& group, const LeftOut& left_out) {
  file.attribute(group, "rows_dropped", static_cast<double>(left_out.rows));
  file.attribute(group, "rows_read", static_cast<double>(left_out.of_rows));
  if (left_out.columns.empty()) return;
  file.dimension("left_out", static_cast<Index>(left_out.columns.size()));
  file.names(group, "columns_left_out", "left_out", "columns of the table that are no inputs",
             left_out.columns);
}

/// Nothing in files that older versions wrote.
std::optional<LeftOut> read_left_out(const NetcdfReader& file, const std::string& group) {
  if (!file.has_attribute(group, "rows_dropped")) return std::nullopt;
  return LeftOut{.rows = whole_number(file, file.number(group, "rows_dropped"), "rows left out"),
                 .of_rows = whole_number(file, file.number(group, "rows_read"), "rows"),
                 .columns = file.has_array(group, "columns_left_out") ? file.names(group, "columns_left_out")
                                                                      : std::vector<std::string>{}};
}

}  // namespace

void write_report(NetcdfWriter& file, const FitReport& report) {
  const std::string group = "sample_stats";
  file.attribute(group, "certificate_data", report.certificate.data);
  file.attribute(group, "certificate_between", report.certificate.between);
  file.attribute(group, "certificate_floor", report.certificate.floor);
  if (report.log_evidence) file.attribute(group, "log_evidence", *report.log_evidence);
  if (report.spread) file.attribute(group, "spread", *report.spread);
  if (report.rounding) file.attribute(group, "rounding", *report.rounding);
  if (report.learned_evidence) file.attribute(group, "learned_evidence", *report.learned_evidence);
  if (report.from_exact) {
    file.attribute(group, "from_exact_mean", report.from_exact->mean);
    file.attribute(group, "from_exact_sd", report.from_exact->sd);
  }
  if (report.mixed) {
    file.attribute(group, "mixed_precision_mean", report.mixed->mean);
    file.attribute(group, "mixed_precision_sd", report.mixed->sd);
  }
  if (report.laplace) {
    file.attribute(group, "laplace_evidence", report.laplace->log_evidence);
    file.attribute(group, "pareto_shape", report.laplace->shape);
    file.attribute(group, "effective_proposals", report.laplace->effective);
    file.attribute(group, "coordinates_sampled", report.laplace->exact);
    file.attribute(group, "coordinates_rhat", report.laplace->rhat);
    file.attribute(group, "coordinates_bulk", report.laplace->bulk);
  }
  if (!report.learned.empty()) file.attribute(group, "learned", join(report.learned, "\n"));
  if (report.chains > 0) {
    file.attribute(group, "chains", static_cast<double>(report.chains));
    file.attribute(group, "draws", static_cast<double>(report.draws));
    file.attribute(group, "evaluations_per_step", report.evaluations_per_step);
    file.attribute(group, "divergences", static_cast<double>(report.divergences));
    file.attribute(group, "longest_trajectories", static_cast<double>(report.longest));
    file.attribute(group, "rhat_max", report.rhat_max);
    file.attribute(group, "bulk_min", report.bulk_min);
    file.attribute(group, "tail_min", report.tail_min);
    file.attribute(group, "standard_error_max", report.standard_error_max);
    file.attribute(group, "prior_error_mean", report.prior_error.mean);
    file.attribute(group, "prior_error_max", report.prior_error.max);
    file.attribute(group, "process_sd", report.prior_error.process_sd);
  }
  if (report.elbo) {
    file.attribute(group, "elbo", report.elbo->value);
    file.attribute(group, "elbo_standard_error", report.elbo->standard_error);
    file.attribute(group, "elbo_of_prior", report.elbo->of_prior);
    file.dimension("step", report.elbo->trace.size());
    file.vector(group, "elbo_trace", "step", "lower bound of the log evidence at every step",
                report.elbo->trace);
  }
  if (const auto& distance = report.from_chains) {
    file.attribute(group, "from_chains_mean", distance->mean);
    file.attribute(group, "from_chains_sd", distance->sd);
    file.attribute(group, "from_chains_draws", static_cast<double>(distance->draws));
    file.attribute(group, "from_chains_rhat", distance->rhat);
  }
  if (report.left_out) write_left_out(file, group, *report.left_out);
  file.attribute(group, "converged", report.converged);
  file.attribute(group, "warnings", join(report.warnings, "\n"));
}

FitReport read_report(const NetcdfReader& file) {
  const std::string group = "sample_stats";
  const auto if_there = [&](const std::string& name) -> std::optional<double> {
    if (!file.has_attribute(group, name)) return std::nullopt;
    return file.number(group, name);
  };
  const std::string hidden = file.text("", "hidden");
  const bool chains = hidden == "sampled" || file.has_attribute(group, "chains");
  const auto of_chains = [&](const std::string& name) { return chains ? file.number(group, name) : 0; };
  const auto count_of_chains = [&](const std::string& name) {
    return whole_number(file, of_chains(name), name);
  };
  std::optional<ExactDistance> from_exact;
  if (if_there("from_exact_mean"))
    from_exact = {.mean = *if_there("from_exact_mean"), .sd = file.number(group, "from_exact_sd")};
  std::optional<MixedCost> mixed;
  if (if_there("mixed_precision_mean"))
    mixed = {.mean = *if_there("mixed_precision_mean"), .sd = file.number(group, "mixed_precision_sd")};
  std::optional<LaplaceReport> laplace;
  if (if_there("laplace_evidence"))
    laplace = {.log_evidence = *if_there("laplace_evidence"),
               .shape = file.number(group, "pareto_shape"),
               .effective = file.number(group, "effective_proposals"),
               .exact = file.number(group, "coordinates_sampled") != 0,
               .rhat = file.number(group, "coordinates_rhat"),
               .bulk = file.number(group, "coordinates_bulk")};
  std::optional<FitReport::Elbo> elbo;
  if (if_there("elbo"))
    elbo = {.value = *if_there("elbo"),
            .standard_error = file.number(group, "elbo_standard_error"),
            .of_prior = file.number(group, "elbo_of_prior"),
            .trace = file.vector(group, "elbo_trace"),
            .settled = file.number(group, "converged") != 0};
  std::optional<ChainDistance> from_chains;
  if (if_there("from_chains_mean"))
    from_chains = {.mean = *if_there("from_chains_mean"),
                   .sd = file.number(group, "from_chains_sd"),
                   .draws = whole_number(file, file.number(group, "from_chains_draws"), "from_chains_draws"),
                   .rhat = file.number(group, "from_chains_rhat")};
  return {
      .certificate = {.data = file.number(group, "certificate_data"),
                      .between = file.number(group, "certificate_between"),
                      .floor = file.number(group, "certificate_floor")},
      .log_evidence = hidden == "fixed" ? std::optional(file.number(group, "log_evidence")) : std::nullopt,
      .spread = if_there("spread"),
      .from_exact = from_exact,
      .rounding = if_there("rounding"),
      .mixed = mixed,
      .laplace = laplace,
      .learned = file.has_attribute(group, "learned") ? lines_of(file.text(group, "learned"))
                                                      : std::vector<std::string>{},
      .learned_evidence = if_there("learned_evidence"),
      .chains = count_of_chains("chains"),
      .draws = count_of_chains("draws"),
      .rhat_max = of_chains("rhat_max"),
      .bulk_min = of_chains("bulk_min"),
      .tail_min = of_chains("tail_min"),
      .standard_error_max = of_chains("standard_error_max"),
      .evaluations_per_step = of_chains("evaluations_per_step"),
      .divergences = count_of_chains("divergences"),
      .longest = count_of_chains("longest_trajectories"),
      .elbo = elbo,
      .from_chains = from_chains,
      .prior_error = {.mean = of_chains("prior_error_mean"),
                      .max = of_chains("prior_error_max"),
                      .process_sd = of_chains("process_sd")},
      .left_out = read_left_out(file, group),
      .warnings = lines_of(file.text(group, "warnings")),
      .converged = file.number(group, "converged") != 0};
}

}  // namespace ridgelet
