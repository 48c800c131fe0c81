/// Records of a table read through the encoding of a fit.
#pragma once

#include "positive_number.hpp"
#include "ridgelet/io/csv_records.hpp"
#include "ridgelet/io/table_source.hpp"

namespace ridgelet {

class RecordEncoder {
 public:
  /// `records` must be at the record before the first one to be read. `records`, `encoding` and `options` must outlive
  /// this object.
  RecordEncoder(CsvRecords& records, const TableSource& table, const TableEncoding& encoding,
                const RowOptions& options);

  /// All records that are left; `first_row` is the number of the first in the table, from 1.
  EncodedRows read(Index first_row);

 private:
  bool lacks_value() const;
  void encode(Vector& x, EncodedRows& rows);
  double number(std::size_t field, const std::string& name);
  double positive_number(std::size_t field, const std::string& name, LogarithmOf what);
  double response(std::size_t k);
  double class_of(std::size_t k) const;
  double date(std::size_t field, const std::string& name) const;
  void require_utf8(std::string_view text, const std::string& column) const;
  [[noreturn]] void refuse_level(const ColumnEncoding& column, std::string_view level) const;

  CsvRecords& records_;
  const TableEncoding& encoding_;
  const RowOptions& options_;
  std::vector<std::size_t> inputs_, responses_;  ///< their fields
  DecimalMarks marks_;
};

}  // namespace ridgelet
