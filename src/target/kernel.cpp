#include "ridgelet/target/covariance/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/target/covariance/constant.hpp"
#include "ridgelet/target/mean/mean_function.hpp"

namespace ridgelet {

namespace {

/// What can be written with 100 parentheses inside each other: sums and products by turns.
constexpr int deepest_nesting = 2 * deepest_parentheses + 1;
constexpr std::size_t most_terms_of_a_product = 16;

/// Entries of a matrix that are computed at a time.
constexpr Index entries_at_a_time = Index{1} << 18;

}  // namespace

void append_parameter(std::vector<KernelParameter>& list, std::string_view name, double value,
                      const ActiveInputs& active) {
  const ParameterUnit unit = name == "amplitude" ? ParameterUnit::response
                             : name == "period"  ? ParameterUnit::inputs
                                                 : ParameterUnit::none;
  list.push_back(
      {.name = std::string(name), .value = value, .kind = std::string(name), .inputs = active, .unit = unit});
}

void append_parameter(std::vector<KernelParameter>& list, std::string_view name,
                      const Lengthscale& lengthscale, const ActiveInputs& active) {
  const auto& values = lengthscale.values;
  if (values.size() == 1) {
    append_parameter(list, name, values[0], active);
    list.back().unit = ParameterUnit::inputs;
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Index input = active.inputs.empty() ? static_cast<Index>(i) + 1 : active.inputs[i];
    list.push_back({.name = fmt::format("{}[{}]", name, input),
                    .value = values[i],
                    .kind = std::string(name),
                    .inputs = {{input}},
                    .unit = ParameterUnit::inputs});
  }
}

Index visit_lengthscale_derivatives(const Matrix& slope, const MatrixView& X1, const MatrixView& X2,
                                    const Lengthscale& lengthscale, const ActiveInputs& active, Index p,
                                    const DerivativeVisitor& visit) {
  const auto visit_product = [&](Index parameter, Matrix squares) {
    squares = (slope.array() == 0).select(0, slope.array() * squares.array());
    visit(parameter, squares);
  };
  const std::vector<Index> columns = active.columns(X1.cols());
  if (lengthscale.values.size() == 1) {
    visit_product(p, scaled_squared_distances(X1, X2, lengthscale, active));
    return 1;
  }
  for (std::size_t i = 0; i < columns.size(); ++i)
    visit_product(p + static_cast<Index>(i),
                  scaled_squared_distances(X1, X2, lengthscale.of(i), {{columns[i] + 1}}));
  return static_cast<Index>(columns.size());
}

void add_lengthscale_sums(const Vector& slope, const Vector& r2, const MatrixView& X, Index j,
                          const Lengthscale& lengthscale, const std::vector<Index>& columns,
                          std::vector<double>& sums) {
  if (lengthscale.values.size() == 1) {
    sums[0] += slope.dot(r2);
    return;
  }
  const Index rows = X.rows() - j;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const double scale = 1 / lengthscale.of(k);
    const auto x = X.col(columns[k]).tail(rows).array();
    const auto squares = ((x - X(j, columns[k])) * scale).square();
    sums[k] += (slope.array() == 0).select(0, slope.array() * squares).sum();
  }
}

double symmetric_sum(const Matrix& W, const Matrix& D) {
  double sum = 0;
  for (Index j = 0; j < W.cols(); ++j) {
    const Index below = W.rows() - j - 1;
    sum += W(j, j) * D(j, j) + 2 * W.col(j).tail(below).dot(D.col(j).tail(below));
  }
  return sum;
}

Lengthscale in_units(const Lengthscale& lengthscale, const ActiveInputs& active, const UnitChange& units) {
  if (const auto scale = units.common_scale(active); scale && lengthscale.values.size() == 1)
    return lengthscale.values[0] * *scale;
  const std::vector<Index> columns = active.columns(units.scale.size());
  std::vector<double> each;
  for (std::size_t k = 0; k < columns.size(); ++k)
    each.push_back(lengthscale.of(k) * units.scale(columns[k]));
  return each;
}

/// What sums and products share: several parts, none of which is a composite of the same kind.
struct Kernel::Composite : Concept {
  explicit Composite(std::vector<Kernel> kernels) : parts(std::move(kernels)) {
    for (const Kernel& part : parts) depth_ = std::max(depth_, 1 + part.model_->depth());
    if (depth_ > deepest_nesting)
      throw InvalidArgument(
          "kernel", fmt::format("must not nest sums and products more than {} deep", deepest_nesting));
  }

  void validate() const override {}
  void validate_dimension(Index d) const override {
    for (const Kernel& part : parts) part.validate_dimension(d);
  }
  void list_parameters(std::vector<PartParameters>& list) const override {
    for (const Kernel& part : parts) part.model_->list_parameters(list);
  }
  int depth() const override { return depth_; }

  std::vector<Kernel> with_values(ValueReader& values) const {
    std::vector<Kernel> others;
    for (const Kernel& part : parts) others.push_back(part.model_->replace_parameters(values));
    return others;
  }

  /// The parts of a kernel as far as it is a composite of this kind; otherwise the kernel itself.
  template <class Kind>
  static std::vector<Kernel> parts_of(const Kernel& k) {
    const auto* composite = dynamic_cast<const Kind*>(k.model_.get());
    return composite ? composite->parts : std::vector{k};
  }

  template <class Kind>
  static Kernel combined(const Kernel& left, const Kernel& right) {
    std::vector<Kernel> parts = parts_of<Kind>(left);
    const std::vector<Kernel> more = parts_of<Kind>(right);
    parts.insert(parts.end(), more.begin(), more.end());
    return Kernel(std::make_shared<const Kind>(std::move(parts)));
  }

  /// The composite of its parts in other units: `of_first` for the first part, `of_others` for the others.
  template <class Kind>
  std::optional<Kernel> combined_in_units(const UnitChange& of_first, const UnitChange& of_others) const {
    std::vector<Kernel> others;
    for (const Kernel& part : parts) {
      const std::optional<Kernel> other = part.in_units(others.empty() ? of_first : of_others);
      if (!other) return std::nullopt;
      others.push_back(*other);
    }
    return Kernel(std::make_shared<const Kind>(std::move(others)));
  }

  std::vector<Kernel> parts;

 private:
  int depth_ = 0;
};

struct Kernel::Sum final : Composite {
  using Composite::Composite;

  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const override {
    Matrix K = parts[0].matrix(X1, X2);
    for (std::size_t i = 1; i < parts.size(); ++i) K += parts[i].matrix(X1, X2);
    return K;
  }
  Vector diagonal(const MatrixView& X) const override {
    Vector values = parts[0].diagonal(X);
    for (std::size_t i = 1; i < parts.size(); ++i) values += parts[i].diagonal(X);
    return values;
  }
  std::string text() const override {
    std::vector<std::string> texts;
    for (const Kernel& part : parts) texts.push_back(part.text());
    return join(texts, " + ");
  }
  Kernel replace_parameters(ValueReader& values) const override {
    return Kernel(std::make_shared<const Sum>(with_values(values)));
  }
  Index visit_derivatives(const MatrixView& X1, const MatrixView& X2,
                          const DerivativeVisitor& visit) const override {
    Index first = 0;
    for (const Kernel& part : parts)
      first +=
          part.model_->visit_derivatives(X1, X2, [&](Index p, const Matrix& dK) { visit(first + p, dK); });
    return first;
  }
  void contract_derivatives(const MatrixView& X, const Matrix& W, std::vector<double>& sums) const override {
    for (const Kernel& part : parts) part.model_->contract_derivatives(X, W, sums);
  }
  std::optional<Kernel> in_units(const UnitChange& units) const override {
    return combined_in_units<Sum>(units, units);
  }
};

struct Kernel::Product final : Composite {
  using Composite::Composite;

  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const override {
    Matrix K = parts[0].matrix(X1, X2);
    for (std::size_t i = 1; i < parts.size(); ++i) K.array() *= parts[i].matrix(X1, X2).array();
    return K;
  }
  Vector diagonal(const MatrixView& X) const override {
    Vector values = parts[0].diagonal(X);
    for (std::size_t i = 1; i < parts.size(); ++i) values.array() *= parts[i].diagonal(X).array();
    return values;
  }
  std::string text() const override {
    std::vector<std::string> texts;
    for (const Kernel& part : parts)
      texts.push_back(dynamic_cast<const Sum*>(part.model_.get()) ? "(" + part.text() + ")" : part.text());
    return join(texts, " * ");
  }
  Kernel replace_parameters(ValueReader& values) const override {
    return Kernel(std::make_shared<const Product>(with_values(values)));
  }
  Index visit_derivatives(const MatrixView& X1, const MatrixView& X2,
                          const DerivativeVisitor& visit) const override {
    std::vector<Matrix> factors;
    for (const Kernel& part : parts) factors.push_back(part.matrix(X1, X2));
    Index first = 0;
    Matrix others, derivative;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      others = Matrix::Ones(X1.rows(), X2.rows());
      for (std::size_t j = 0; j < parts.size(); ++j)
        if (j != i) others.array() *= factors[j].array();
      first += parts[i].model_->visit_derivatives(X1, X2, [&](Index p, const Matrix& dK) {
        derivative = others.cwiseProduct(dK);
        visit(first + p, derivative);
      });
    }
    return first;
  }

  void contract_derivatives(const MatrixView& X, const Matrix& W, std::vector<double>& sums) const override {
    Matrix weights;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      weights = W;
      for (std::size_t j = 0; j < parts.size(); ++j)
        if (j != i) weights.array() *= parts[j].matrix(X, X).array();
      parts[i].model_->contract_derivatives(X, weights, sums);
    }
  }

  /// The response's units go to the first factor.
  std::optional<Kernel> in_units(const UnitChange& units) const override {
    UnitChange of_inputs = units;
    of_inputs.response = 1;
    return combined_in_units<Product>(units, of_inputs);
  }

  /// One term for each choice of a term from every factor, or none if there are too many.
  std::vector<Kernel> multiplied_out() const {
    std::vector<Kernel> products = parts[0].terms();
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::vector<Kernel> factors = parts[i].terms();
      if (products.size() * factors.size() > most_terms_of_a_product) return {};
      std::vector<Kernel> next;
      for (const Kernel& left : products)
        for (const Kernel& right : factors) next.push_back(left * right);
      products = std::move(next);
    }
    return products;
  }
};

Kernel sum_of(const Kernel& left, const Kernel& right) {
  return Kernel::Composite::combined<Kernel::Sum>(left, right);
}

Kernel product_of(const Kernel& left, const Kernel& right) {
  return Kernel::Composite::combined<Kernel::Product>(left, right);
}

std::vector<KernelParameter> Kernel::parameters() const {
  std::vector<PartParameters> parts;
  model_->list_parameters(parts);
  std::map<std::string, int> uses, seen;
  for (const PartParameters& part : parts) ++uses[part.part];
  std::vector<KernelParameter> list;
  for (PartParameters& part : parts) {
    const int number = ++seen[part.part];
    const std::string owner = uses[part.part] == 1 ? part.part : fmt::format("{}#{}", part.part, number);
    for (KernelParameter& parameter : part.parameters) {
      parameter.name = owner + "." + parameter.name;
      list.push_back(std::move(parameter));
    }
  }
  return list;
}

Kernel Kernel::with_parameters(const VectorView& values) const {
  const std::size_t count = parameters().size();
  if (values.size() != static_cast<Index>(count))
    throw InvalidArgument("kernel",
                          fmt::format("has {} parameters, and {} values were given", count, values.size()));
  ValueReader reader{values};
  return model_->replace_parameters(reader);
}

Matrix Kernel::matrix(const MatrixView& X1, const MatrixView& X2) const {
  const Index M1 = X1.rows(), M2 = X2.rows(), columns = entries_at_a_time / std::max<Index>(M1, 1) + 1;
  if (M2 <= columns) return model_->matrix(X1, X2);
  Matrix K(M1, M2);
  parallel_for((M2 + columns - 1) / columns, [&](Index part) {
    const Index first = part * columns, count = std::min(columns, M2 - first);
    K.middleCols(first, count) = model_->matrix(X1, X2.middleRows(first, count));
  });
  return K;
}

Vector Kernel::contract_derivatives(const MatrixView& X, const Matrix& W) const {
  std::vector<double> sums;
  model_->contract_derivatives(X, W, sums);
  return Eigen::Map<const Vector>(sums.data(), static_cast<Index>(sums.size()));
}

Vector Kernel::contract_derivatives(const MatrixView& X1, const MatrixView& X2, const Matrix& W,
                                    Index rows) const {
  const Index M2 = X2.rows(), parts = (M2 + rows - 1) / rows;
  Matrix sums = Matrix::Zero(static_cast<Index>(parameters().size()), parts);
  parallel_for(parts, [&](Index part) {
    const Index first = part * rows, count = std::min(rows, M2 - first);
    visit_derivatives(X1, X2.middleRows(first, count), [&](Index p, const Matrix& dK) {
      sums(p, part) = W.middleCols(first, count).cwiseProduct(dK).sum();
    });
  });
  return sums.rowwise().sum();
}

Vector Kernel::contract_diagonal_derivatives(const MatrixView& X, const Vector& w, Index rows) const {
  Vector sums = Vector::Zero(static_cast<Index>(parameters().size()));
  for (Index first = 0; first < X.rows(); first += rows) {
    const Index count = std::min(rows, X.rows() - first);
    sums += contract_derivatives(X.middleRows(first, count), w.segment(first, count).asDiagonal());
  }
  return sums;
}

std::vector<Kernel> Kernel::summands() const {
  const auto* sum = dynamic_cast<const Sum*>(model_.get());
  if (!sum) return {*this};
  std::vector<Kernel> summands;
  for (const Kernel& part : sum->parts) {
    const std::vector<Kernel> more = part.summands();
    summands.insert(summands.end(), more.begin(), more.end());
  }
  return summands;
}

std::vector<Kernel> Kernel::terms() const {
  std::vector<Kernel> terms;
  if (const auto* sum = dynamic_cast<const Sum*>(model_.get()))
    for (const Kernel& part : sum->parts) {
      const std::vector<Kernel> more = part.terms();
      terms.insert(terms.end(), more.begin(), more.end());
    }
  else if (const auto* product = dynamic_cast<const Product*>(model_.get()))
    terms = product->multiplied_out();
  return terms.empty() ? std::vector{*this} : terms;
}

Kernel Kernel::scaled(double amplitude) const {
  if (const auto* sum = dynamic_cast<const Sum*>(model_.get())) {
    std::vector<Kernel> parts;
    for (const Kernel& part : sum->parts) parts.push_back(part.scaled(amplitude));
    return Kernel(std::make_shared<const Sum>(std::move(parts)));
  }
  if (const auto* product = dynamic_cast<const Product*>(model_.get())) {
    Kernel result = product->parts[0].scaled(amplitude);
    for (std::size_t i = 1; i < product->parts.size(); ++i) result = product_of(result, product->parts[i]);
    return result;
  }
  const std::vector<KernelParameter> list = parameters();
  const auto own = std::ranges::find(list, "amplitude", &KernelParameter::kind);
  if (own == list.end()) return Constant{.amplitude = amplitude} * *this;
  Vector values(static_cast<Index>(list.size()));
  std::ranges::transform(list, values.begin(), &KernelParameter::value);
  values(own - list.begin()) *= amplitude;
  return with_parameters(values);
}

}  // namespace ridgelet
