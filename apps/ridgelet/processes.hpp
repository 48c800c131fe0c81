/// The processes of this run (core/ranks.hpp): this one, or all that `mpirun` started.
///
/// Every process runs the same command. Only the first says anything and writes files; the others keep still, unless
/// something goes wrong in one of them alone.
#pragma once

#include <string>

#include "ridgelet/core/ranks.hpp"

namespace ridgelet::app {

/// Before anything else: meets the other processes, if there are any.
void join_processes();

const Ranks& ranks();

/// Whether it is true of any of them; all must ask at the same time.
bool any_process(bool value);

/// Whether another process failed alone, said why, and is ending the others; by any thread, after a signal came.
bool another_failed();

/// After everything else, with the exit code: all leave together, and the first alone with a code that is not 0, since
/// `mpirun` ends the others as soon as one has failed. A process that fails alone says why, and ends the others.
int leave_processes(int code, const std::string& last_words);

}  // namespace ridgelet::app
