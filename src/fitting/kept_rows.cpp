#include "ridgelet/fitting/kept_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ridgelet/core/random.hpp"

namespace ridgelet {

namespace {

/// Mean, sum of squared deviations and range of each column over some rows. Parts join by the formulas of Chan, Golub
/// and LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances" (1979):
///   mean = mean1 + (mean2 - mean1) n2 / n,    S = S1 + S2 + (mean2 - mean1)^2 n1 n2 / n.
struct ColumnMoments {
  Index rows = 0;
  Matrix mean, squares, low, high;  ///< 1 x columns

  static ColumnMoments of(const Matrix& values) {
    ColumnMoments moments{.rows = values.rows(), .mean = {}, .squares = {}, .low = {}, .high = {}};
    if (moments.rows == 0) return moments;
    moments.mean = (values / static_cast<double>(values.rows())).colwise().sum();
    moments.squares = (values.rowwise() - moments.mean.row(0)).colwise().squaredNorm();
    moments.low = values.colwise().minCoeff();
    moments.high = values.colwise().maxCoeff();
    return moments;
  }

  void add(const ColumnMoments& later) {
    if (later.rows == 0) return;
    if (rows == 0) {
      *this = later;
      return;
    }
    const auto n1 = static_cast<double>(rows), n2 = static_cast<double>(later.rows), n = n1 + n2;
    const Matrix apart = later.mean - mean;
    mean += apart * (n2 / n);
    squares += later.squares + apart.cwiseAbs2() * (n1 / n * n2);
    low = low.cwiseMin(later.low).eval();
    high = high.cwiseMax(later.high).eval();
    rows += later.rows;
  }

  void pack(Packer& packer) const {
    packer.put(rows);
    for (const Matrix* values : {&mean, &squares, &low, &high}) packer.put_matrix(*values);
  }

  static ColumnMoments unpack(Unpacker& unpacker) {
    ColumnMoments moments;
    moments.rows = unpacker.get<Index>();
    for (Matrix* values : {&moments.mean, &moments.squares, &moments.low, &moments.high})
      *values = unpacker.get_matrix();
    return moments;
  }

  ColumnRange range() const { return {.low = low.row(0), .high = high.row(0)}; }

  Scaling scaling() const {
    return {.centre = mean.row(0),
            .scale = (squares.row(0) / static_cast<double>(rows)).cwiseSqrt().transpose()};
  }
};

/// The rows with the smallest keys, and their keys, in the order of the rows.
struct Sample {
  std::vector<double> keys;
  std::vector<Index> numbers;
  Matrix X, Y;

  Index size() const { return static_cast<Index>(numbers.size()); }

  void keep(const std::vector<Index>& chosen) {
    Sample kept{.keys = {}, .numbers = {}, .X = X(chosen, Eigen::all), .Y = Y(chosen, Eigen::all)};
    for (const Index i : chosen) {
      kept.keys.push_back(keys[static_cast<std::size_t>(i)]);
      kept.numbers.push_back(numbers[static_cast<std::size_t>(i)]);
    }
    *this = std::move(kept);
  }

  void keep_smallest(Index most) {
    if (size() <= most) return;
    std::vector<Index> order(numbers.size());
    std::iota(order.begin(), order.end(), Index{0});
    const auto before = [&](Index a, Index b) {
      const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
      return std::pair(keys[i], numbers[i]) < std::pair(keys[j], numbers[j]);
    };
    std::ranges::nth_element(order, order.begin() + most, before);
    order.resize(static_cast<std::size_t>(most));
    std::ranges::sort(order);
    keep(order);
  }

  void append(const Sample& later) {
    keys.insert(keys.end(), later.keys.begin(), later.keys.end());
    numbers.insert(numbers.end(), later.numbers.begin(), later.numbers.end());
    for (auto [mine, theirs] : {std::pair{&X, &later.X}, std::pair{&Y, &later.Y}}) {
      Matrix both(mine->rows() + theirs->rows(), mine->cols());
      both << *mine, *theirs;
      *mine = std::move(both);
    }
  }
};

/// What is kept of some rows.
struct Kept {
  Index most = 0;
  ColumnMoments inputs, outputs;
  Sample sample;

  void add(const Kept& later) {
    inputs.add(later.inputs);
    outputs.add(later.outputs);
    sample.append(later.sample);
    sample.keep_smallest(most);
  }

  void pack(Packer& packer) const {
    packer.put(most);
    inputs.pack(packer);
    outputs.pack(packer);
    packer.put(sample.numbers.size());
    for (const double key : sample.keys) packer.put(key);
    for (const Index number : sample.numbers) packer.put(number);
    packer.put_matrix(sample.X);
    packer.put_matrix(sample.Y);
  }

  static Kept unpack(Unpacker& unpacker) {
    Kept kept;
    kept.most = unpacker.get<Index>();
    kept.inputs = ColumnMoments::unpack(unpacker);
    kept.outputs = ColumnMoments::unpack(unpacker);
    kept.sample.numbers.resize(unpacker.get<std::size_t>());
    kept.sample.keys.resize(kept.sample.numbers.size());
    for (double& key : kept.sample.keys) key = unpacker.get<double>();
    for (Index& number : kept.sample.numbers) number = unpacker.get<Index>();
    kept.sample.X = unpacker.get_matrix();
    kept.sample.Y = unpacker.get_matrix();
    return kept;
  }
};

Kept kept_of(RowTile tile, Index most, const RandomStream& keys) {
  Kept kept{
      .most = most,
      .inputs = ColumnMoments::of(tile.X),
      .outputs = ColumnMoments::of(tile.Y),
      .sample = {
          .keys = {}, .numbers = std::move(tile.numbers), .X = std::move(tile.X), .Y = std::move(tile.Y)}};
  for (const Index number : kept.sample.numbers)
    kept.sample.keys.push_back(keys.uniform(static_cast<std::uint64_t>(number)));
  kept.sample.keep_smallest(most);
  return kept;
}

}  // namespace

RegressionTable keep_rows(const TableRows& rows, Index most, std::uint64_t seed) {
  if (rows.rows() <= most) {
    RegressionTable table = all_rows(rows);
    validate(table, rows.name());
    return table;
  }
  const RandomStream keys{.seed = seed, .purpose = Purpose::learning_rows, .replicate = 1};
  Kept kept = sum_over_tiles<Kept>(
      rows.tiles(), rows.ranks(), [&](Index index) { return kept_of(rows.tile(index), most, keys); },
      [](Index, Kept& of_tile) { return std::move(of_tile); });
  const TableEncoding& encoding = rows.encoding();
  RegressionTable table{.inputs = encoding.input_names(),
                        .outputs = encoding.output_names(),
                        .X = std::move(kept.sample.X),
                        .Y = std::move(kept.sample.Y),
                        .encoding = encoding,
                        .whole = WholeTable{.rows = kept.inputs.rows,
                                            .inputs = kept.inputs.scaling(),
                                            .outputs = kept.outputs.scaling(),
                                            .input_range = kept.inputs.range(),
                                            .output_range = kept.outputs.range()},
                        .numbers = std::move(kept.sample.numbers)};
  validate(table, rows.name());
  return table;
}

}  // namespace ridgelet
