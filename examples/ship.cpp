// A fitted network as C and as ONNX: ship FOLDER, after table FOLDER.
#include <fmt/format.h>

#include <ridgelet/ridgelet.hpp>

int main(int count, char** arguments) {
  using namespace ridgelet;
  if (count != 2) return 2;
  const std::string folder = arguments[1];
  const ShippedNetwork shipped = ship_network(read_results(folder + "/model.nc"));
  export_network(folder + "/model.c", shipped, ExportFormat::c);
  export_network(folder + "/model.onnx", shipped, ExportFormat::onnx);
  const PredictiveMoments in_1956 = shipped.network(Matrix{{1956}});
  fmt::print("mean {}\nsd {}\n", in_1956.mean(0, 0), in_1956.sd(0, 0));
}
