/// What a fit reported, as it stands in a results file.
#pragma once

#include "ridgelet/assess/fit_report.hpp"
#include "ridgelet/io/netcdf.hpp"

namespace ridgelet {

void write_report(NetcdfWriter& file, const FitReport& report);

FitReport read_report(const NetcdfReader& file);

}  // namespace ridgelet
