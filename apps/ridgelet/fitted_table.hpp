/// A table that a model is learned from or fitted to: the flags of `fit`, `learn` and `compare` that speak of it.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "options.hpp"
#include "ridgelet/assess/fit_report.hpp"
#include "ridgelet/fitting/learned_settings.hpp"
#include "ridgelet/io/table_file.hpp"

namespace ridgelet::app {

/// DATA, --x, --y, --exposure and --missing.
struct FittedTable {
  std::vector<std::string> paths;  ///< several files are one table

  void add_to(CLI::App& command);
  void add_exposure_to(CLI::App& command);

  /// Throws InvalidArgument about the first flag whose text is wrong, whatever the table is.
  void check(const std::string& likelihood) const { (void)request(likelihood); }

  /// The rows, which are not read into memory and which all ranks share. Says on standard error what was left out:
  /// columns unless `quiet`, rows in any case. Whether the response is one of classes depends on the likelihood or, if
  /// none is named, on whether it is text.
  std::unique_ptr<TableRows> open(bool quiet, const std::string& likelihood = "gaussian",
                                  LeftOut* left_out = nullptr) const;

  /// The files of the table and `other`, which the command reads too.
  std::vector<std::string> files_beside(const std::string& other) const;

  /// All rows, read into memory.
  RegressionTable read(bool quiet, const std::string& likelihood = "gaussian",
                       LeftOut* left_out = nullptr) const;

 private:
  TableRequest request(const std::string& likelihood) const;

  std::optional<std::string> x;
  std::string y;
  std::optional<std::string> exposure;
  std::string missing = "refuse";
};

/// Puts numbers in place of the dates of a domain, once the inputs are known. Throws InvalidArgument about "domain".
void read_domain(ModelSettings& model, const TableEncoding& encoding);

/// The part of the rows that is held out, from its text. Throws InvalidArgument about "holdout".
double read_holdout(const std::string& text);

/// --learn-rows, --no-priors and --period.
class LearnFlags {
 public:
  void add_to(CLI::App& command);

  /// Throws InvalidArgument about "period" where the model has no use for it.
  LearnSettings settings(const ModelSettings& model) const;

 private:
  Index rows_ = 0;  ///< 0: not given
  std::string period_;
  bool no_priors_ = false;
};

}  // namespace ridgelet::app
