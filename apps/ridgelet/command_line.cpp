#include "command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "messages.hpp"
#include "options.hpp"
#include "processes.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet::app {

namespace {

struct Command {
  std::string_view name;
  void (*add)(CLI::App& program, Job& job);
};

/// The registry of commands.
constexpr auto commands = std::to_array<Command>({
    {"fit", add_fit},
    {"predict", add_predict},
    {"score", add_score},
    {"compare", add_compare},
    {"plot", add_plot},
    {"summary", add_summary},
    {"export", add_export},
    {"learn", add_learn},
    {"kernels", add_kernels},
    {"sample", add_sample},
    {"assess", add_assess},
    {"tune", add_tune},
    {"reproduce", add_reproduce},
    {"selftest", add_selftest},
});

/// Those whose work several processes can share. With any other command, each process would do all of the work and
/// write the same files.
constexpr std::array shared_commands = {"fit", "learn", "predict"};

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

/// The known word that is nearest, or where all of them are listed.
std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const CLI::App* command) {
  const std::string nearest = nearest_name(word, known);
  if (!nearest.empty()) return fmt::format("; did you mean '{}'?", nearest);
  return command ? fmt::format("; `ridgelet {} --help` says what it takes", command->get_name())
                 : "; `ridgelet --help` lists the commands";
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
                     place, suggestion(word, known, command));
}

std::string missing(const CLI::App& program, const CLI::RequiredError& error) {
  const CLI::App* command = chosen_command(program);
  const std::vector<std::string> words = program.remaining(true);
  if (!command && words.empty()) return "a command is needed; `ridgelet --help` lists them";
  // What is missing may have been given under a mistyped name.
  const bool mistyped =
      std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("-"); });
  if (!command || mistyped) return unexpected(program);
  return fmt::format("{}; `ridgelet {} --help` says what it is, with an example", error.what(),
                     command->get_name());
}

bool is_yes_or_no(std::string_view word) {
  return word == "yes" || word == "no";
}

/// Throws Refused unless the word is a flag by itself, or one with =yes or =no where that means something. The word
/// behind it would be taken for the name of a table.
void require_plain_flag(const CLI::Option& option, const std::string& word, const std::string& behind) {
  const std::size_t equals = word.find('=');
  const std::string flag = word.substr(0, equals);
  const bool has_value = equals != std::string::npos, may_have_one = option.get_option_text() == of_yes_or_no;
  if (has_value && !may_have_one)
    throw Refused(fmt::format("{} takes no value, got '{}'; give it alone, or leave it out", flag, word));
  if (has_value && !is_yes_or_no(std::string_view(word).substr(equals + 1)))
    throw Refused(fmt::format("{}: must be yes or no, got '{}'", flag, word.substr(equals + 1)));
  if (!has_value && may_have_one && is_yes_or_no(behind))
    throw Refused(fmt::format("{} takes its value behind an equals sign; write {}={}", flag, flag, behind));
}

/// Throws Refused if an option of the command stands on the line twice, or a flag has a value that it does not take:
/// it would count as not given.
void require_plain_flags(const CLI::App& command, const std::vector<std::string>& words) {
  std::vector<const CLI::Option*> seen;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string flag = words[i].substr(0, words[i].find('='));
    const CLI::Option* option = flag.starts_with("--") ? command.get_option_no_throw(flag) : nullptr;
    if (!option) continue;
    if (option->get_items_expected_max() == 0)
      require_plain_flag(*option, words[i], i + 1 < words.size() ? words[i + 1] : "");
    if (std::ranges::find(seen, option) != seen.end())
      throw Refused(fmt::format("{} is given twice; give it once", flag));
    seen.push_back(option);
  }
}

/// Throws Refused where there are several processes and the command cannot be shared.
void require_shared(const CLI::App& command) {
  const std::string name = command.get_name();
  const bool shared = std::ranges::find(shared_commands, name) != shared_commands.end();
  if (ranks().size() > 1 && !shared)
    throw Refused(
        fmt::format("{} runs in one process, got {}; start it without mpirun", name, ranks().size()));
}

}  // namespace

Refused::Refused(const std::string& complaint) : std::runtime_error(one_line(complaint)) {}

CommandLine::CommandLine()
    : program_("Say it as a Gaussian process, ship it as a neural network.", "ridgelet") {
  program_.set_version_flag("--version", "ridgelet " RIDGELET_VERSION);
  program_.require_subcommand(1);
  program_.footer("`ridgelet COMMAND --help` explains a command, with an example.");
}

const CLI::App* CommandLine::add_commands(const std::string& first_word) {
  const auto named = std::ranges::find(commands, first_word, &Command::name);
  if (named == commands.end()) {
    for (const Command& each : commands) each.add(program_, job_);
    return nullptr;
  }
  named->add(program_, job_);
  return program_.get_subcommands({}).front();
}

Job CommandLine::read(const std::vector<std::string>& words) {
  if (const CLI::App* command = add_commands(words.empty() ? "" : words.front())) {
    require_shared(*command);
    require_plain_flags(*command, words);
  }
  try {
    return parse(words);
  } catch (const CLI::ExtrasError&) {
    throw Refused(unexpected(program_));
  } catch (const CLI::RequiredError& error) {
    throw Refused(missing(program_, error));
  } catch (const CLI::ParseError& error) {
    throw Refused(error.what());
  } catch (const InvalidArgument& error) {
    throw Refused(with_flag(error));
  }
}

Job CommandLine::parse(const std::vector<std::string>& words) {
  try {
    program_.parse(std::vector(words.rbegin(), words.rend()));
    return job_;
  } catch (const CLI::Success& wanted) {  // --help and --version
    return [this, wanted] { program_.exit(wanted); };
  }
}

std::string CommandLine::with_flag(const InvalidArgument& error) const {
  std::string flag = "--" + error.argument();
  std::replace(flag.begin(), flag.end(), '_', '-');
  const CLI::App* command = chosen_command(program_);
  const std::vector<std::string> known = flags_of(command ? *command : program_);
  const bool is_flag = std::find(known.begin(), known.end(), flag) != known.end();
  return is_flag ? flag + ": " + error.complaint() : error.what();
}

}  // namespace ridgelet::app
