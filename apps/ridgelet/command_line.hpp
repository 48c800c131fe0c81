/// The command line: the registry of commands, and the job that a line of words asks for.
///
/// Reading a line does nothing else. No file is opened, nothing is computed, and the job does not begin before it is
/// called; so any words can be read, and the fuzzer reads words of every kind.
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.hpp"
#include "ridgelet/core/errors.hpp"

namespace ridgelet::app {

/// What is wrong with a line of words, in one line; the exit code is `bad_input`.
class Refused : public std::runtime_error {
 public:
  explicit Refused(const std::string& complaint);
};

class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// The job of the words after the program's name, once every word has been judged that can be judged by itself.
  /// Called once; the job must not outlive this. Throws Refused.
  Job read(const std::vector<std::string>& words);

  /// "--sigma-w: ..." where the library says "sigma_w: ..." and the command that was read has such a flag.
  std::string with_flag(const InvalidArgument& error) const;

 private:
  /// The command that the first word names. The others then have no part in the line and are left out, which takes a
  /// tenth of the time; if there is no such command, all are added, and the answer is none.
  const CLI::App* add_commands(const std::string& first_word);
  Job parse(const std::vector<std::string>& words);

  CLI::App program_;
  Job job_;
};

}  // namespace ridgelet::app
