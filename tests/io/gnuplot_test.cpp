#include "ridgelet/io/gnuplot.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "expectations.hpp"
#include "ridgelet/io/sample_paths_figure.hpp"
#include "scratch.hpp"

namespace ridgelet {
namespace {

namespace fs = std::filesystem;

using testing::content;

class Figure : public testing::WithDirectory {};

SamplePaths paths_of(Index inputs) {
  const Index points = inputs == 1 ? 5 : 9;
  Matrix X(points, inputs);
  for (Index i = 0; i < points; ++i) {
    X(i, 0) = inputs == 1 ? static_cast<double>(i) : static_cast<double>(i / 3);
    for (Index k = 1; k < inputs; ++k) X(i, k) = static_cast<double>(i % 3);
  }
  return {.X = X,
          .paths = {.networks = X.col(0).array().sin().matrix().replicate(1, 2),
                    .process = X.col(0).array().cos().matrix().replicate(1, 2)},
          .operator_name = "ridgelet",
          .units = 17};
}

TEST(DataBlock, IsATableBetweenItsNameAndItsEnd) {
  Matrix rows(2, 2);
  rows << 1, 2.5, -3, 1e-9;
  EXPECT_EQ(data_block("panel0", rows), "$panel0 << EOD\n1 2.5 \n-3 1e-09 \nEOD\n");
}

TEST_F(Figure, ShowsPlainTextAsItIs) {
  EXPECT_EQ(plain_text("it's_a {b}\n`c`"), "'it''s_a {b} `c`'");
  render_figure("set title " + plain_text("it's_a {b} `c` @d \\e") + " noenhanced\nplot x",
                directory / "a.svg", 640, 480);
  EXPECT_NE(content(directory / "a.svg").find("it's_a {b} `c` @d \\e"), std::string::npos);
}

TEST(ColourOfOperator, KeepsTheTwoOperatorsApart) {
  EXPECT_EQ(colour_of_operator("ridgelet"), colour::ridgelet);
  EXPECT_EQ(colour_of_operator("least-squares"), colour::least_squares);
  EXPECT_NE(colour::ridgelet, colour::least_squares);
  EXPECT_NE(colour::gaussian_process, colour::least_squares);
}

TEST(ValidateFigurePath, AcceptsSvgAndPngOnly) {
  EXPECT_NO_THROW(validate_figure_path("a.svg"));
  EXPECT_NO_THROW(validate_figure_path("some/where/a.b.png"));
  for (const char* name : {"a.pdf", "a", "", "svg", ".svg", "a.svg.gz", "a.svg/"})
    EXPECT_EQ(testing::complaint_of([&] { validate_figure_path(name); }),
              "plot: must end in .svg or .png, got '" + std::string(name) + "'")
        << name;
}

TEST_F(Figure, IsAnSvgOfTheAskedSize) {
  render_figure("plot sin(x)", directory / "a.svg", 640, 480);
  const std::string svg = content(directory / "a.svg");
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_NE(svg.find("width=\"640\" height=\"480\""), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

TEST_F(Figure, IsAPngOfTheAskedSize) {
  render_figure("plot sin(x)", directory / "a.png", 640, 480);
  const std::string png = content(directory / "a.png");
  EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x02\x80\0\0\x01\xe0", 8));  // width and height of IHDR
  EXPECT_EQ(png.substr(png.size() - 8, 4), "IEND");
}

TEST_F(Figure, OfAScriptThatGnuplotRefusesIsNotThere) {
  EXPECT_THROW(render_figure("plot nonsense(x)", directory / "a.svg", 640, 480), IoError);
  EXPECT_TRUE(fs::is_empty(directory));
}

TEST_F(Figure, SaysWhatGnuplotSaidInAnyLocale) {
  ::setenv("LC_ALL", "C", 1);
  try {
    render_figure("plot nonsense(x)", directory / "a.svg", 640, 480);
    FAIL() << "no error";
  } catch (const IoError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("gnuplot failed: "));
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_NE(message.find("undefined function: nonsense"), std::string::npos) << message;
  }
  ::unsetenv("LC_ALL");
}

TEST_F(Figure, SaysWhatToLookAtWhereGnuplotSaidNothing) {
  std::ofstream(directory / "gnuplot") << "#!/bin/sh\nexit 3\n";
  fs::permissions(directory / "gnuplot", fs::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (directory.string() + ":" + path).c_str(), 1);
  std::string message;
  try {
    render_figure("plot sin(x)", directory / "a.svg", 640, 480);
  } catch (const IoError& error) {
    message = error.what();
  }
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(message,
            "gnuplot failed with exit code 3 and said nothing; see whether the limits on open files "
            "(ulimit -n), processes and memory leave room for it");
}

TEST_F(Figure, InAMissingDirectoryIsAnIoError) {
  EXPECT_THROW(render_figure("plot sin(x)", directory / "none" / "a.svg", 640, 480), IoError);
  EXPECT_TRUE(fs::is_empty(directory));
}

TEST_F(Figure, KeepsTheOlderOneWhenDrawingFails) {
  std::ofstream(directory / "a.svg") << "older";
  EXPECT_THROW(render_figure("plot nonsense(x)", directory / "a.svg", 640, 480), IoError);
  EXPECT_EQ(content(directory / "a.svg"), "older");
}

TEST_F(Figure, OfSamplePathsNamesBothSidesAndTheirDistance) {
  for (const Index inputs : {1, 2}) {
    const SamplePaths sample = paths_of(inputs);
    plot_sample_paths(sample, directory / "a.svg");
    const std::string svg = content(directory / "a.svg");
    EXPECT_NE(svg.find("ridgelet with 17 units"), std::string::npos);
    EXPECT_NE(svg.find("Gaussian process"), std::string::npos);
    const Matrix difference = sample.X.col(0).array().sin() - sample.X.col(0).array().cos();
    const double error = difference.norm() / std::sqrt(static_cast<double>(difference.rows()));
    EXPECT_NE(svg.find(fmt::format("error {:.2g} of", error)), std::string::npos) << error;
  }
}

TEST_F(Figure, OfPathsThatAreAllZeroIsDrawn) {
  for (const Index inputs : {1, 2}) {
    SamplePaths sample = paths_of(inputs);
    sample.paths.networks.setZero();
    sample.paths.process.setZero();
    plot_sample_paths(sample, directory / "a.svg");
    EXPECT_NE(content(directory / "a.svg").find("</svg>"), std::string::npos) << inputs << " inputs";
  }
}

TEST_F(Figure, OfThreeInputsIsRefused) {
  EXPECT_EQ(testing::complaint_of([&] { plot_sample_paths(paths_of(3), directory / "a.svg"); }),
            "plot: needs a model of one or two inputs, got 3");
  EXPECT_TRUE(fs::is_empty(directory));
}

}  // namespace
}  // namespace ridgelet
