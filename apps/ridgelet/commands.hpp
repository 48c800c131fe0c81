/// The commands: each is declared here, defined in the file of its name, and listed once in main.cpp.
#pragma once

#include <CLI/CLI.hpp>

namespace ridgelet::app {

void add_sample(CLI::App& program);
void add_assess(CLI::App& program);
void add_fit(CLI::App& program);
void add_predict(CLI::App& program);
void add_score(CLI::App& program);
void add_compare(CLI::App& program);
void add_summary(CLI::App& program);
void add_plot(CLI::App& program);
void add_export(CLI::App& program);
void add_reproduce(CLI::App& program);
void add_learn(CLI::App& program);
void add_kernels(CLI::App& program);
void add_tune(CLI::App& program);
void add_selftest(CLI::App& program);

}  // namespace ridgelet::app
