/// Errors that reach a person: always one line that names the argument, the rule and the value.
///
/// Bad input throws InvalidArgument (ValueError in Python, exit code 2 at the command line); trouble with
/// files and programs throws IoError (OSError, exit code 3).
#pragma once

#include <stdexcept>
#include <string>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// `what()` reads "argument: complaint". The parts stay apart so that the command line can name its own flag.
class InvalidArgument : public std::invalid_argument {
 public:
  InvalidArgument(std::string argument, std::string complaint);

  const std::string& argument() const { return argument_; }
  const std::string& complaint() const { return complaint_; }

 private:
  std::string argument_;
  std::string complaint_;
};

class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "sigma_w: must be positive and finite, got 0".
void require_positive(double value, const std::string& argument);

/// "units: must be at least 1, got 0".
void require_at_least(Index value, Index least, const std::string& argument);

/// "X: must have at least one row and one column, got 0 x 2".
void require_nonempty(const MatrixView& values, const std::string& argument);

/// "X: must be finite, got nan in row 3, column 1" (rows and columns counted from 1).
void require_finite(const MatrixView& values, const std::string& argument);

/// "X: must have 2 columns, one for each input, got 3".
void require_columns(const MatrixView& points, Index inputs, const std::string& argument);

/// "y: must have 12 rows, got 10".
void require_rows(const MatrixView& values, Index rows, const std::string& argument);

}  // namespace ridgelet
