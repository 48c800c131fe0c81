#include "ridgelet/io/export_network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/io/export_c.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

/// An activation that the library does not know.
struct Own {
  static constexpr std::string_view name = "own";
  static double phi(double z) { return z; }
  static double derivative(double) { return 1; }
};

ShippedNetwork example(const std::string& column = "x") {
  return {.network = {.components = {{.hidden = HiddenDistribution{}.draw(3, 1, 0),
                                      .heads = RandomStream{.seed = 1}.normals(3, 3)}},
                      .activation = "tanh",
                      .inputs = Scaling::none(1),
                      .outputs = Scaling::none(1),
                      .noise = Vector::Constant(1, 0.5),
                      .transforms = {ResponseTransform::none}},
          .columns = TableEncoding::of_numbers({column}, {"y"}),
          .kernel = "se()",
          .domain = Box::cube(1, 1),
          .certificate = {}};
}

std::filesystem::path scratch(const std::string& name) {
  return std::filesystem::path(::testing::TempDir()) / name;
}

TEST(ExportFormat, IsKnownByItsNameAndItsEnding) {
  EXPECT_EQ(export_format_names(), (std::vector<std::string>{"onnx", "c", "torch", "json"}));
  EXPECT_EQ(parse_export_format("torch"), ExportFormat::torch);
  EXPECT_EQ(export_format_of("folder.c/model.py"), ExportFormat::torch);
  EXPECT_EQ(export_format_of("model.onnx"), ExportFormat::onnx);
  EXPECT_NE(complaint_of([] { parse_export_format("C"); }).find("to: must be one of"), std::string::npos);
  EXPECT_NE(complaint_of([] { export_format_of("model"); }).find("path: must end in"), std::string::npos);
}

TEST(ExportNetwork, SaysHowLongTheFileIs) {
  for (const std::string& name : export_format_names()) {
    const std::filesystem::path path = scratch("exported." + name);
    const std::uintmax_t bytes = export_network(path, example(), parse_export_format(name));
    EXPECT_EQ(bytes, std::filesystem::file_size(path));
  }
}

TEST(ExportNetwork, LeavesNoFileOfWhatItRefuses) {
  ShippedNetwork bent = example(), unknown = example();
  bent.network.mean = MeanFunction("x^2");
  unknown.network.activation = Activation::of<Own>();
  for (const std::string& name : export_format_names()) {
    const std::filesystem::path path = scratch("refused." + name);
    const ExportFormat format = parse_export_format(name);
    EXPECT_NE(complaint_of([&] { export_network(path, bent, format); }).find("--network-mean"),
              std::string::npos);
    EXPECT_NE(complaint_of([&] { export_network(path, unknown, format); }).find("activation: 'own'"),
              std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

TEST(ExportC, KeepsNamesInsideItsComment) {
  std::ostringstream file;
  write_c(file, example("a */ int b; /* ?\?/ \n \\"), Precision::float64);
  const std::string text = file.str();
  EXPECT_EQ(text.find("*/"), text.find("*/\n#include <math.h>"));
  EXPECT_NE(text.find(R"(x[0]  a *\x2f int b; /\x2a \x3f\x3f/ \x0a \x5c)"), std::string::npos);
}

TEST(ExportC, WritesEveryNumberExactly) {
  ShippedNetwork shipped = example();
  shipped.network.noise(0) = 0.1;
  std::ostringstream file;
  write_c(file, shipped, Precision::float64);
  EXPECT_NE(file.str().find("noise[OUTPUTS] = {0x1.999999999999ap-4}"), std::string::npos);
}

}  // namespace
}  // namespace ridgelet
