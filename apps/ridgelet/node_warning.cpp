#include "node_warning.hpp"

#include "messages.hpp"
#include "ridgelet/assess/certificate.hpp"
#include "ridgelet/cubature/data_nodes.hpp"
#include "ridgelet/cubature/node_coverage.hpp"

namespace ridgelet::app {

void warn_about_nodes(const Model& model, const Matrix& points) {
  const PriorOptions& options = model.prior.options();
  const Kernel& kernel = options.target.kernel;
  if (!without_white_noise(kernel, points)) return;  // white noise, of which no nodes can tell anything
  constexpr double tolerance = large_relative_error * large_relative_error;
  const NodeCoverage coverage = node_coverage(options.nodes, kernel, points, tolerance);
  if (coverage.falls_short)
    warn(text(coverage) + "; use more --points, a smaller --domain or longer lengthscales");
}

}  // namespace ridgelet::app
