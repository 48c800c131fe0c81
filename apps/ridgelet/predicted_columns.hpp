/// The columns that `predict` appends to a table: what a model says of its rows.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ridgelet/fitting/fitted_model.hpp"
#include "ridgelet/io/table_blocks.hpp"

namespace ridgelet::app {

/// What a person wants to know.
struct WantedPredictions {
  Vector levels;        ///< of central intervals
  Index draws = 0;      ///< functions of the posterior as further columns
  bool latent = false;  ///< predict the function itself, without noise
};

class PredictedColumns {
 public:
  virtual ~PredictedColumns() = default;

  const std::vector<std::string>& names() const { return names_; }

  /// Whether the names were changed because columns of the table have them.
  bool renamed() const { return renamed_; }

  /// Columns of words: a number in such a column is the place of a word in its list.
  const std::map<Index, std::vector<std::string>>& words() const { return words_; }

  /// The column `error`.
  Index error_column() const { return static_cast<Index>(names_.size()) - 2; }

  /// A column for each name. Throws InvalidArgument about the first row that has no finite prediction.
  Matrix at(const EncodedRows& block, const std::string& file) const;

 protected:
  explicit PredictedColumns(const FittedModel& model) : model_(model) {}

  /// Names of the columns of one response.
  virtual std::vector<std::string> quantities() const = 0;

  /// Their values at the rows of the block, first all quantities of one response, then those of the next.
  virtual Matrix values_at(const EncodedRows& block) const = 0;

  /// Names that are not among `taken`: "mean", or "co2_mean" if there are several responses or the table has a column
  /// of that name already; then "error" and "outside".
  void choose_names(const std::vector<std::string>& taken);

  const FittedModel& model_;
  std::map<Index, std::vector<std::string>> words_;

 private:
  std::vector<std::string> names_with(const std::string& prefix, bool of_response) const;
  void require_finite(const EncodedRows& block, const Matrix& values, const std::string& file) const;

  std::vector<std::string> names_;
  bool renamed_ = false;
};

/// The columns of a model:
///   numbers          mean, sd, lower, upper
///   two classes      probability, lower, upper
///   several classes  p_LEVEL for each, lower_LEVEL and upper_LEVEL for each, and class
/// with "lower_50", "upper_50" and so on for several levels; draw_1, ... ; then error and outside.
/// The model must outlive this. Throws InvalidArgument about "draws" where there are none, and about "latent" for
/// classes.
std::unique_ptr<PredictedColumns> predicted_columns(const FittedModel& model, const WantedPredictions& wanted,
                                                    const std::vector<std::string>& taken);

}  // namespace ridgelet::app
