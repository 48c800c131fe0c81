/// The processes of this run (core/ranks.hpp): this one, or all that `mpirun` started.
#pragma once

#include "ridgelet/core/ranks.hpp"

namespace ridgelet::app {

const Ranks& ranks();

}  // namespace ridgelet::app
