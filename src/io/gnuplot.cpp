#include "ridgelet/io/gnuplot.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/transform/operator.hpp"

namespace ridgelet {

namespace {

std::filesystem::path fresh_directory() {
  std::string name = (temporary_folder() / "ridgelet-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw IoError("cannot make a directory for temporary files; does TMPDIR exist?");
  return name;
}

/// Where gnuplot works: its script and its figure in a directory of their own.
struct Workshop {
  TemporaryPath directory{fresh_directory()};
  TemporaryPath script{directory.path() / "script.gp"};
  TemporaryPath figure{directory.path() / "figure"};
};

std::string terminal(const std::filesystem::path& path, int width, int height) {
  if (path.extension() == ".svg")
    return fmt::format("set terminal svg size {},{} font 'Helvetica,13' background '#ffffff'", width, height);
  return fmt::format("set terminal pngcairo size {},{} font 'Helvetica,13' background '#ffffff'", width,
                     height);
}

/// The text as one word of the shell, whatever it contains.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

/// The first line of what gnuplot printed. It prints nothing where it could not begin, for want of file descriptors for
/// example.
std::string failure(const std::string& printed, int status) {
  const std::string line = printed.substr(0, printed.find('\n', 1));
  if (line.find_first_not_of(" \n") != std::string::npos) return "gnuplot failed: " + line;
  const std::string end = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                              : fmt::format("exit code {}", WEXITSTATUS(status));
  return fmt::format(
      "gnuplot failed with {} and said nothing; see whether the limits on open files (ulimit -n), processes "
      "and "
      "memory leave room for it",
      end);
}

/// Runs the script; throws IoError with the first line that gnuplot printed if it failed.
void run_gnuplot(const Workshop& workshop) {
  // The shell's own complaints are part of what is printed, too: after a signal the directory may already be gone. The
  // script is UTF-8 in any locale of the person; in another one gnuplot warns before it says what is wrong.
  const std::string command = fmt::format("exec 2>&1; cd {} && LC_ALL=C.UTF-8 gnuplot script.gp",
                                          shell_word(workshop.directory.path().string()));
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) throw IoError(fmt::format("cannot start gnuplot: {}", std::strerror(errno)));
  std::string printed;
  std::array<char, 512> buffer;
  while (std::fgets(buffer.data(), buffer.size(), pipe)) printed += buffer.data();
  const int status = ::pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw IoError("cannot draw the figure: gnuplot is not installed (Debian package gnuplot-nox)");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw IoError(failure(printed, status));
}

}  // namespace

std::string_view colour_of_operator(const std::string& operator_name) {
  static constexpr std::array palette = {colour::ridgelet, colour::least_squares};
  const std::vector<std::string> names = operator_names();
  const auto place = std::ranges::find(names, operator_name) - names.begin();
  return palette[static_cast<std::size_t>(place) % palette.size()];
}

std::string data_block(std::string_view name, const MatrixView& rows) {
  std::string block = fmt::format("${} << EOD\n", name);
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index j = 0; j < rows.cols(); ++j) block += fmt::format("{} ", rows(i, j));
    block += '\n';
  }
  return block + "EOD\n";
}

std::string plain_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + "'";
}

void validate_figure_path(const std::filesystem::path& path, const std::string& argument) {
  if (path.extension() != ".svg" && path.extension() != ".png")
    throw InvalidArgument(argument, "must end in .svg or .png, got '" + path.string() + "'");
}

void render_figure(const std::string& script, const std::filesystem::path& path, int width, int height) {
  validate_figure_path(path);
  OutputFile figure(path);
  const Workshop workshop;
  std::ofstream(workshop.script.path())
      << terminal(path, width, height) << "\nset output 'figure'\nset encoding utf8\n"
      << script << "\nunset output\n";
  run_gnuplot(workshop);
  figure.stream() << std::ifstream(workshop.figure.path(), std::ios::binary).rdbuf();
  figure.commit();
}

}  // namespace ridgelet
