#include "new_table.hpp"

#include <fmt/format.h>

#include "messages.hpp"

namespace ridgelet::app {

void NewTable::add_to(CLI::App& command, const std::string& name, const std::string& help) {
  command.add_option(name, path, help)->required()->type_name("FILE.csv");
  command.add_option("--missing", missing, "rows with a missing value: refuse (default) or drop")
      ->default_str("")
      ->type_name("refuse|drop");
  command
      .add_option(
          "--unknown", unknown,
          "text that was no level of its column in the fit: refuse (default), or ignore: none of the levels")
      ->default_str("")
      ->type_name("refuse|ignore");
}

TableBlocks NewTable::open(const FittedModel& model, Wanted wanted) const {
  return TableBlocks(path, encoding_of(model.regression().table()),
                     {.unknown = parse_unknown_levels(unknown),
                      .missing = parse_missing_values(missing),
                      .responses = wanted == Wanted::responses,
                      .records = wanted == Wanted::records});
}

void repeat_warnings(const FittedModel& model) {
  for (const std::string& warning : model.report().warnings) warn("the fit warned: " + warning);
}

void warn_about_rows(const TableBlocks& table, Index outside) {
  const auto [read, dropped, unknown] =
      std::tuple(table.rows_read(), table.rows_dropped(), table.rows_with_unknown());
  if (dropped > 0)
    warn(fmt::format("{} of {} rows {} left out: a missing value", dropped, read,
                     dropped == 1 ? "is" : "are"));
  if (unknown > 0)
    warn(fmt::format("{} of {} rows {} text that was no level of the fit and is taken for none", unknown,
                     read, unknown == 1 ? "has" : "have"));
  if (outside > 0)
    warn(fmt::format(
        "{} of {} rows lie outside of the domain of the fit, where the network need not resemble its "
        "process; fit with a wider --domain",
        outside, read - dropped));
}

void require_rows_left(const TableBlocks& table, const std::string& name) {
  if (table.rows_dropped() == table.rows_read())
    throw InvalidArgument("data", fmt::format("'{}': every row has a missing value", name));
}

}  // namespace ridgelet::app
