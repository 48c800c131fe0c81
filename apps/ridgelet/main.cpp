// The program: parses the command line, runs one command, and turns what goes wrong into one line and an exit
// code.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

#include "commands.hpp"
#include "messages.hpp"
#include "outcomes.hpp"
#include "processes.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/out_of_memory.hpp"
#include "ridgelet/core/text.hpp"
#include "signals.hpp"

namespace ridgelet::app {

namespace {

/// The registry of commands.
constexpr std::array commands = {
    add_fit,   add_predict, add_score,  add_compare, add_plot, add_summary,   add_export,
    add_learn, add_kernels, add_sample, add_assess,  add_tune, add_reproduce, add_selftest,
};

/// Those whose work several processes can share. With any other command, each process would do all of the work and
/// write the same files.
constexpr std::array shared_commands = {"fit", "learn", "predict"};

/// The last message about what went wrong.
std::string last_words;

/// A complaint is one line, even where it repeats what stood on the command line.
int fail(int code, const std::string& message) {
  last_words = message;
  std::ranges::replace_if(
      last_words, [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
  tell(fmt::format("ridgelet: {}\n", last_words));
  return code;
}

/// If the command ended itself in time, it has the last word; if not, the watch has it and will end the program at any
/// moment.
int end_interrupted(const Interrupted& interruption) {
  while (!SignalWatch::claim_last_line()) ::pause();
  return fail(signalled + interruption.signal(), interruption.what());
}

/// What was printed may have gone to a full disk or a closed pipe.
int printed() {
  return std::fflush(stdout) == 0 ? 0 : fail(io_trouble, "cannot write to the standard output");
}

const CLI::App* chosen_command(const CLI::App& program) {
  const auto chosen = program.get_subcommands();
  return chosen.empty() ? nullptr : chosen.front();
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  return flags;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(word, known);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

/// "--sigma-w: ..." where the library says "sigma_w: ..." and the command has such a flag.
std::string with_flag(const InvalidArgument& error, const CLI::App& program) {
  std::string flag = "--" + error.argument();
  std::replace(flag.begin(), flag.end(), '_', '-');
  const CLI::App* command = chosen_command(program);
  const std::vector<std::string> known = flags_of(command ? *command : program);
  const bool is_flag = std::find(known.begin(), known.end(), flag) != known.end();
  return is_flag ? flag + ": " + error.complaint() : error.what();
}

std::string unexpected(const CLI::App& program) {
  const CLI::App* command = chosen_command(program);
  const std::vector<std::string> words = program.remaining(true);
  // A flag that is not known comes before the words that were meant for it.
  const auto flag =
      std::ranges::find_if(words, [](const std::string& each) { return each.starts_with("-"); });
  const std::string word = words.empty() ? "" : flag != words.end() ? *flag : words.front();
  std::vector<std::string> known = flags_of(command ? *command : program);
  if (!command)
    for (const CLI::App* each : program.get_subcommands({})) known.push_back(each->get_name());
  const std::string place = command ? " of " + command->get_name() : "";
  const bool is_flag = word.starts_with("-");
  return fmt::format("unknown {} '{}'{}{}", is_flag ? "option" : (command ? "argument" : "command"), word,
                     place, suggestion(word, known));
}

/// The first flag of the command that stands on the command line a second time.
std::optional<std::string> repeated_flag(const CLI::App& program, int argc, char** argv) {
  std::vector<std::string> known, seen;
  for (const CLI::App* command : program.get_subcommands({}))
    if (argc > 1 && command->get_name() == argv[1]) known = flags_of(*command);
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i], flag = word.substr(0, word.find('='));
    if (word == "--") break;
    if (std::ranges::find(known, flag) == known.end()) continue;
    if (std::ranges::find(seen, flag) != seen.end()) return flag;
    seen.push_back(flag);
  }
  return std::nullopt;
}

/// The name of a command that was asked for but cannot be shared, where there are several processes.
std::optional<std::string> unshared_command(const CLI::App& program, int argc, char** argv) {
  if (ranks().size() == 1 || argc < 2) return std::nullopt;
  const std::string asked = argv[1];
  const bool known = std::ranges::any_of(program.get_subcommands({}),
                                         [&](const CLI::App* each) { return each->get_name() == asked; });
  const bool shared = std::ranges::find(shared_commands, asked) != shared_commands.end();
  return known && !shared ? std::optional(asked) : std::nullopt;
}

int run(int argc, char** argv) {
  CLI::App program("Say it as a Gaussian process, ship it as a neural network.", "ridgelet");
  program.set_version_flag("--version", "ridgelet " RIDGELET_VERSION);
  program.require_subcommand(1);
  program.footer("`ridgelet COMMAND --help` explains a command, with an example.");
  for (const auto add : commands) add(program);
  if (const auto command = unshared_command(program, argc, argv))
    return fail(bad_input, fmt::format("{} runs in one process, got {}; start it without mpirun", *command,
                                       ranks().size()));
  if (const auto flag = repeated_flag(program, argc, argv))
    return fail(bad_input, fmt::format("{} is given twice; give it once", *flag));
  try {
    program.parse(argc, argv);
    return printed();
  } catch (const CLI::Success& done) {
    program.exit(done);
    return printed();
  } catch (const CLI::ExtrasError&) {
    return fail(bad_input, unexpected(program));
  } catch (const CLI::RequiredError& error) {
    if (!chosen_command(program))
      return program.remaining(true).empty()
                 ? fail(bad_input, "a command is needed; `ridgelet --help` lists them")
                 : fail(bad_input, unexpected(program));
    // What is missing may have been given under a mistyped name.
    const bool mistyped = std::ranges::any_of(program.remaining(true),
                                              [](const std::string& word) { return word.starts_with("-"); });
    return fail(bad_input, mistyped ? unexpected(program)
                                    : fmt::format("{}; `ridgelet {} --help` says what it is, with an example",
                                                  error.what(), chosen_command(program)->get_name()));
  } catch (const CLI::ParseError& error) {
    return fail(bad_input, error.what());
  } catch (const InvalidArgument& error) {
    return fail(bad_input, with_flag(error, program));
  } catch (const Interrupted& interruption) {
    return end_interrupted(interruption);
  } catch (const NotConverged& error) {
    return fail(not_converged, fmt::format("did not converge: {}", error.what()));
  } catch (const SelftestFailed& error) {
    return fail(untrue, error.what());
  } catch (const IoError& error) {
    return fail(io_trouble, error.what());
  } catch (const OutOfMemory& error) {
    return fail(bad_input, error.what());
  } catch (const std::bad_alloc&) {
    return fail(bad_input, "this does not fit in memory; use fewer units, nodes or points");
  } catch (const std::exception& error) {
    return fail(io_trouble, error.what());
  }
}

/// When OpenBLAS is loaded it makes a thread and a buffer for every core, none of which we use. Where the address space
/// is limited, they take up what the work needs, so the program then starts itself again without them.
void begin_without_threads_of_blas(char** argv) {
  constexpr const char* variable = "OPENBLAS_NUM_THREADS";
  const char* const threads = std::getenv(variable);
  if (available_addresses() == std::numeric_limits<double>::infinity() ||
      (threads && threads == std::string("1")))
    return;
  if (::setenv(variable, "1", 1) == 0) ::execv("/proc/self/exe", argv);
}

}  // namespace

}  // namespace ridgelet::app

int main(int argc, char** argv) {
  ridgelet::app::begin_without_threads_of_blas(argv);
  ridgelet::app::hold_standard_streams();
  ridgelet::app::SignalWatch::start();
  // A file that grows past the shell's limit is an ordinary failure to write, and must not kill the program.
  std::signal(SIGXFSZ, SIG_IGN);
  ridgelet::app::join_processes();
  const int code = ridgelet::app::run(argc, argv);
  return ridgelet::app::leave_processes(code, ridgelet::app::last_words);
}
