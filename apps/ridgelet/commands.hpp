/// The commands: each is declared here, defined in the file of its name, and listed once in command_line.cpp.
///
/// A command has two steps. Its check(), if it has one, judges the words on the line, opens no file, and throws
/// InvalidArgument; its run() does the work.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

namespace ridgelet::app {

/// The work that a command line asks for.
using Job = std::function<void()>;

/// Lets a line that has been read leave its work in `job`.
template <class Command>
void set_job(CLI::App& app, Job& job, const std::shared_ptr<Command>& command) {
  app.callback([command, &job] {
    if constexpr (requires { command->check(); }) command->check();
    job = [command] { command->run(); };
  });
}

void add_sample(CLI::App& program, Job& job);
void add_assess(CLI::App& program, Job& job);
void add_fit(CLI::App& program, Job& job);
void add_predict(CLI::App& program, Job& job);
void add_score(CLI::App& program, Job& job);
void add_compare(CLI::App& program, Job& job);
void add_summary(CLI::App& program, Job& job);
void add_plot(CLI::App& program, Job& job);
void add_export(CLI::App& program, Job& job);
void add_reproduce(CLI::App& program, Job& job);
void add_learn(CLI::App& program, Job& job);
void add_kernels(CLI::App& program, Job& job);
void add_tune(CLI::App& program, Job& job);
void add_selftest(CLI::App& program, Job& job);

}  // namespace ridgelet::app
