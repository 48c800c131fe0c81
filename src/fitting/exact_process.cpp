#include "ridgelet/fitting/exact_process.hpp"

#include <utility>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

ProcessMoments in_table_units(ProcessMoments moments, const Scaling& outputs) {
  moments.mean = outputs.undo(moments.mean);
  moments.sd.array().rowwise() *= outputs.scale.transpose().array();
  return moments;
}

}  // namespace

GaussianProcess process_of(const Regression& regression) {
  return {.kernel = regression.prior().options().target.kernel,
          .mean = MeanFunction(regression.settings().model.mean)};
}

ProcessMoments process_before_data(const Regression& regression, const Matrix& X) {
  const GaussianProcess process = process_of(regression);
  const Index K = regression.functions();
  const Vector mean = process.mean(X), sd = process.kernel.diagonal(X).cwiseSqrt();
  return in_table_units({mean.replicate(1, K), sd.replicate(1, K)}, regression.output_scaling());
}

std::optional<ProcessMoments> process_given_data(const Regression& regression, const Matrix& X,
                                                 Index most_rows) {
  const Data& data = regression.data();
  if (data.rows() > most_rows || regression.table().whole) return std::nullopt;
  const GaussianProcess process = process_of(regression);
  const Vector subtracted = regression.offset()(data.X);
  ProcessMoments moments{Matrix(X.rows(), data.outputs()), Matrix(X.rows(), data.outputs())};
  try {
    for (Index k = 0; k < data.outputs(); ++k) {
      const GaussianProcessPosterior exact(process, data.X, data.Y.col(k) + subtracted, data.noise(k));
      moments.mean.col(k) = exact.mean(X);
      moments.sd.col(k) = exact.variance(X).cwiseSqrt();
    }
  } catch (const InvalidArgument&) {
    return std::nullopt;
  }
  return in_table_units(std::move(moments), regression.output_scaling());
}

}  // namespace ridgelet
