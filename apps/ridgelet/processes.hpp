/// The processes of this run (core/ranks.hpp): this one, or all that `mpirun` started.
///
/// Every process runs the same command. Only the first says anything and writes files; the others keep still, unless
/// something goes wrong in one of them alone.
#pragma once

#include <string>

#include "ridgelet/core/ranks.hpp"

namespace ridgelet::app {

/// Called before any command: meets the other processes, if there are any.
void join_processes();

const Ranks& ranks();

/// Whether `value` is true in any process; all of them must ask at the same time.
bool any_process(bool value);

/// Whether another process failed alone, said why, and is ending the others. Any thread may ask, after a signal came.
bool another_failed();

/// Called last, with the exit code. All processes leave together, and only the first with a code that is not 0, since
/// `mpirun` ends the others as soon as one has failed. A process that fails alone says why, and ends the others.
int leave_processes(int code, const std::string& last_words);

}  // namespace ridgelet::app
