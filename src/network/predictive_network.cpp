#include "ridgelet/network/predictive_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/network/network.hpp"
#include "ridgelet/transform/hidden_walk.hpp"

namespace ridgelet {

namespace {

/// Rows taken at a time.
constexpr Index row_block = 2048;

/// Places whose moments one task finds.
constexpr Index share_of_places = 64;

template <class Visit>
void for_each_row_block(Index rows, Visit&& visit) {
  for (Index first = 0; first < rows; first += row_block) {
    throw_if_cancelled();
    visit(first, std::min(row_block, rows - first));
  }
}

void require_inputs(const MatrixView& X, const PredictiveNetwork& network) {
  require_nonempty(X, "X");
  require_columns(X, network.input_count(), "X");
  require_finite(X, "X");
}

/// Each component's mean and sd at some rows, in a person's units: S x (M K), one output after the other.
struct ComponentMoments {
  Matrix means, sds;
};

ComponentMoments component_moments(const PredictiveNetwork& network, const MatrixView& X, bool with_noise) {
  const Index M = X.rows(), K = network.output_count(), R = network.rank();
  const auto S = static_cast<Index>(network.components.size());
  ComponentMoments moments{Matrix(S, M * K), Matrix(S, M * K)};
  const Vector mu = network.mean(network.inputs.apply(X));
  for (Index s = 0; s < S; ++s) {
    const Matrix heads = network.heads_at(static_cast<std::size_t>(s), X);
    for (Index k = 0; k < K; ++k) {
      const double scale = network.outputs.scale(k), noise = with_noise ? network.noise(k) : 0;
      const auto f = (mu + heads.col(k)).array();
      const auto v = heads.middleCols(K + k * R, R).rowwise().squaredNorm().array() + noise * noise;
      moments.means.row(s).segment(k * M, M) = (scale * f + network.outputs.centre(k)).matrix().transpose();
      moments.sds.row(s).segment(k * M, M) = (scale * v.sqrt()).matrix().transpose();
    }
  }
  return moments;
}

/// Adds the probabilities of every draw of one network, M x classes.
void add_probabilities(const PredictiveNetwork& network, const Matrix& heads, const Vector& mu,
                       Matrix& sums) {
  const Index K = network.output_count(), R = network.rank();
  const double root = std::sqrt(static_cast<double>(R));
  parallel_for(heads.rows(), [&](Index i) {
    Vector f(K);
    for (Index r = 0; r < R; ++r) {
      for (Index k = 0; k < K; ++k) f(k) = mu(i) + heads(i, k) + root * heads(i, K + k * R + r);
      f = f.cwiseProduct(network.outputs.scale) + network.outputs.centre;
      sums.row(i) += class_probabilities(network.link, f).transpose();
    }
  });
}

void validate_link(const PredictiveNetwork& network) {
  if (network.link == ClassLink::none) return;
  if ((network.link == ClassLink::logistic) != (network.output_count() == 1))
    throw InvalidArgument(
        "link", fmt::format("{} does not fit {} functions", name_of(network.link), network.output_count()));
  require_at_least(network.rank(), 1, "link: draws");
}

/// What the columns of V are multiplied by, for each of `count` draws: normal numbers or, for classes, sqrt(R) for one
/// column and 0 for the others.
Matrix factors_of_draws(const PredictiveNetwork& network, Index count, std::uint64_t seed) {
  const Index R = network.rank(), S = static_cast<Index>(network.components.size());
  if (network.link == ClassLink::none)
    return RandomStream{.seed = seed, .purpose = Purpose::chain_coordinates}.normals(count, R);
  if (count > R * S)
    throw InvalidArgument(
        "draws", fmt::format("must be at most {}, as many as the network holds, got {}", R * S, count));
  Matrix Z = Matrix::Zero(count, R);
  for (Index i = 0; i < count; ++i) Z(i, i / S) = std::sqrt(static_cast<double>(R));
  return Z;
}

}  // namespace

void validate(const PredictiveNetwork& network) {
  const Index K = network.output_count();
  require_at_least(static_cast<Index>(network.components.size()), 1, "components");
  require_at_least(K, 1, "outputs");
  for (const PredictiveComponent& component : network.components) {
    validate(Network{.hidden = component.hidden,
                     .bridges = component.bridges,
                     .skip = network.skip,
                     .activation = network.activation,
                     .output_weights = component.heads,
                     .mean = network.mean,
                     .inputs = network.inputs});
    if (component.heads.cols() != K * (1 + network.rank()))
      throw InvalidArgument("heads", fmt::format("must have {} columns, 1 + R for each output, got {}",
                                                 K * (1 + network.rank()), component.heads.cols()));
  }
  require_rows(network.inputs.centre, network.components.front().hidden.first().dimension(), "inputs");
  require_rows(network.outputs.centre, K, "outputs: centre");
  require_rows(network.outputs.scale, K, "outputs: scale");
  if (static_cast<Index>(network.transforms.size()) != K)
    throw InvalidArgument(
        "transforms", fmt::format("must be {}, one for each output, got {}", K, network.transforms.size()));
  validate_link(network);
}

AffineFunction affine_mean(const PredictiveNetwork& network) {
  const std::optional<AffineFunction> affine = affine_form(network.mean, network.input_count());
  if (!affine)
    throw InvalidArgument(
        "mean", fmt::format("'{}' is neither constant nor linear in the inputs, so it cannot leave; fit with "
                            "--network-mean, which passes it through the network",
                            network.mean.text()));
  return *affine;
}

Matrix PredictiveNetwork::heads_at(std::size_t component, const MatrixView& X) const {
  const auto& [hidden, bridges, heads] = components[component];
  const Matrix x = inputs.apply(X);
  HiddenWalk walk(hidden.depth());
  walk.start(hidden.first(), x);
  for (std::size_t l = 0; l < bridges.size(); ++l) walk.next(activation, bridges[l], hidden[l + 1], skip);
  Matrix values = Matrix::Zero(X.rows(), heads.cols());
  FeatureProduct().accumulate(activation, walk.here(), heads, values);
  return values;
}

PredictiveMoments PredictiveNetwork::operator()(const MatrixView& X, bool with_noise) const {
  require_inputs(X, *this);
  const Index K = output_count();
  PredictiveMoments moments{Matrix(X.rows(), K), Matrix(X.rows(), K)};
  for_each_row_block(X.rows(), [&](Index first, Index M) {
    const ComponentMoments each = component_moments(*this, X.middleRows(first, M), with_noise);
    parallel_for((M * K + share_of_places - 1) / share_of_places, [&](Index share) {
      const Index end = std::min(M * K, (share + 1) * share_of_places);
      for (Index i = share * share_of_places; i < end; ++i) {
        const Index row = first + i % M, k = i / M;
        const ResponseMoments of_response =
            response_moments(each.means.col(i), each.sds.col(i), transforms[static_cast<std::size_t>(k)]);
        moments.mean(row, k) = of_response.mean;
        moments.sd(row, k) = of_response.sd;
      }
    });
  });
  if (!moments.mean.allFinite() || !moments.sd.allFinite())
    throw InvalidArgument("X", "must be nearer to the data: the network's mean or sd overflows there");
  return moments;
}

Matrix PredictiveNetwork::probabilities(const MatrixView& X) const {
  if (link == ClassLink::none) throw InvalidArgument("link", "this network has no classes");
  require_inputs(X, *this);
  Matrix probabilities = Matrix::Zero(X.rows(), class_count());
  for_each_row_block(X.rows(), [&](Index first, Index M) {
    const MatrixView X_block = X.middleRows(first, M);
    const Vector mu = mean(inputs.apply(X_block));
    Matrix sums = Matrix::Zero(M, class_count());
    for (std::size_t s = 0; s < components.size(); ++s)
      add_probabilities(*this, heads_at(s, X_block), mu, sums);
    probabilities.middleRows(first, M) =
        sums / static_cast<double>(rank() * static_cast<Index>(components.size()));
  });
  return probabilities;
}

Matrix PredictiveNetwork::functions(const MatrixView& X, Index count, std::uint64_t seed,
                                    Index output) const {
  require_inputs(X, *this);
  require_at_least(count, 1, "draws");
  if (output < 0 || output >= output_count())
    throw InvalidArgument("output", fmt::format("must be from 0 to {}, got {}", output_count() - 1, output));
  const Index M = X.rows(), K = output_count(), R = rank();
  const auto S = static_cast<Index>(components.size());
  require_memory(8 * static_cast<double>(count) * static_cast<double>(M + R), "draws",
                 fmt::format("{} functions at {} inputs", count, M));
  const Matrix Z = factors_of_draws(*this, count, seed);
  Matrix functions(count, M);
  for_each_row_block(M, [&](Index first, Index rows) {
    const MatrixView X_block = X.middleRows(first, rows);
    const Vector mu = mean(inputs.apply(X_block));
    for (Index s = 0; s < std::min(S, count); ++s) {
      const Matrix heads = heads_at(static_cast<std::size_t>(s), X_block);
      for (Index i = s; i < count; i += S)
        functions.row(i).segment(first, rows) =
            (mu + heads.col(output) + heads.middleCols(K + output * R, R) * Z.row(i).transpose()).transpose();
    }
  });
  const ResponseTransform transform = transforms[static_cast<std::size_t>(output)];
  functions.array() = functions.array() * outputs.scale(output) + outputs.centre(output);
  return functions.unaryExpr([transform](double f) { return from_fitted_scale(f, transform); });
}

}  // namespace ridgelet
