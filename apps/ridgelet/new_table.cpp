#include "new_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "messages.hpp"
#include "ridgelet/core/packed.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet::app {

CLI::Option* NewTable::add_to(CLI::App& command, const std::string& name, const std::string& help) {
  CLI::Option* table = command.add_option(name, paths, help)->required()->type_name("FILE.csv ...");
  command.add_option("--missing", missing, "rows with a missing value: refuse (default) or drop")
      ->default_str("")
      ->type_name("refuse|drop");
  command
      .add_option("--unknown", unknown,
                  "text levels that the fit has never seen: refuse (default), or ignore (the row has none of "
                  "the levels)")
      ->default_str("")
      ->type_name("refuse|ignore");
  return table;
}

void NewTable::check() const {
  (void)parse_unknown_levels(unknown);
  (void)parse_missing_values(missing);
}

TableBlocks NewTable::open(const FittedModel& model, Wanted wanted, const Ranks& ranks) const {
  return TableBlocks({paths.begin(), paths.end()}, encoding_of(model.regression().table()),
                     {.unknown = parse_unknown_levels(unknown),
                      .missing = parse_missing_values(missing),
                      .responses = wanted == Wanted::responses,
                      .records = wanted == Wanted::records,
                      .counts = model.latent() && model.likelihood()->response() == ResponseKind::count},
                     {}, ranks);
}

std::vector<std::string> NewTable::files_beside(const std::string& other) const {
  std::vector<std::string> files = paths;
  files.push_back(other);
  return files;
}

void repeat_warnings(const FittedModel& model) {
  for (const std::string& warning : model.report().warnings) warn("the fit warned: " + warning);
}

void ErrorOfRows::add(const VectorView& errors) {
  for (const double error : errors) {
    if (!std::isfinite(error)) continue;
    ++rows;
    sum += error;
    largest = std::max(largest, error);
  }
}

std::vector<bool> rows_outside(const EncodedRows& block, const FittedModel& model) {
  std::vector<bool> outside = model.regression().outside_domain(block.X);
  for (std::size_t i = 0; i < outside.size(); ++i) outside[i] = outside[i] || block.unknown[i];
  return outside;
}

void require_in_range(const EncodedRows& block, const std::string& file, const FittedModel& model) {
  const Regression& regression = model.regression();
  const Matrix scaled = regression.input_scaling().apply(block.X);
  if (scaled.allFinite()) return;
  for (Index i = 0; i < scaled.rows(); ++i)
    for (Index j = 0; j < scaled.cols(); ++j)
      if (!std::isfinite(scaled(i, j)))
        throw InvalidArgument(
            "data",
            fmt::format("'{}', row {}, column '{}': {} is too large to be standardised as in the fit; "
                        "correct it, or leave the row out",
                        file, block.rows[static_cast<std::size_t>(i)],
                        shown(regression.table().inputs[static_cast<std::size_t>(j)]),
                        shortest(block.X(i, j))));
}

RowCounts counted(const TableBlocks& rows, const std::function<void(RowCounts&)>& read) {
  const auto packed = [](const RowCounts& counts) {
    Packer packer;
    for (const Index count :
         {counts.read, counts.dropped, counts.unknown, counts.outside, counts.errors.rows})
      packer.put(count);
    packer.put(counts.errors.sum);
    packer.put(counts.errors.largest);
    return packer.take();
  };
  const auto unpacked = [](const std::string& bytes) {
    Unpacker unpacker(bytes);
    RowCounts counts;
    for (Index* count :
         {&counts.read, &counts.dropped, &counts.unknown, &counts.outside, &counts.errors.rows})
      *count = unpacker.get<Index>();
    counts.errors.sum = unpacker.get<double>();
    counts.errors.largest = unpacker.get<double>();
    return counts;
  };
  const RowCounts all = unpacked(rows.ranks().shared(
      [&] {
        RowCounts mine;
        read(mine);
        mine.read = rows.rows_read();
        mine.dropped = rows.rows_dropped();
        mine.unknown = rows.rows_with_unknown();
        return packed(mine);
      },
      [&](std::string earlier, std::string later) {
        const RowCounts a = unpacked(earlier), b = unpacked(later);
        return packed({.read = a.read + b.read,
                       .dropped = a.dropped + b.dropped,
                       .unknown = a.unknown + b.unknown,
                       .outside = a.outside + b.outside,
                       .errors = {.rows = a.errors.rows + b.errors.rows,
                                  .sum = a.errors.sum + b.errors.sum,
                                  .largest = std::max(a.errors.largest, b.errors.largest)}});
      }));
  if (all.left() == 0)
    throw InvalidArgument("data", fmt::format("'{}': every row has a missing value", rows.name()));
  return all;
}

void warn_about_rows(const RowCounts& counts) {
  const auto& [read, dropped, unknown, outside, errors] = counts;
  warn_about_dropped(dropped, read);
  if (unknown > 0)
    warn(fmt::format("{} of {} rows {} a text level that the fit has never seen, which is ignored", unknown,
                     read, unknown == 1 ? "has" : "have"));
  if (outside > 0)
    warn(fmt::format(
        "{} of {} rows lie outside of the domain of the fit, where its certificate does not hold; see the "
        "column error of predict, which is exact there too, or fit with {}",
        outside, counts.left(), outside > unknown ? "a wider --domain" : "rows that have these levels"));
}

}  // namespace ridgelet::app
