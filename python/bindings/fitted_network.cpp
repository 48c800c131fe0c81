#include "fitted_network.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/results.hpp"

namespace ridgelet::python {

namespace {

/// A folder of its own for one file, removed with it.
class PlaceForAFile {
 public:
  PlaceForAFile() : folder_((temporary_folder() / "ridgelet-XXXXXX").string()) {
    if (!mkdtemp(folder_.data())) throw IoError(fmt::format("cannot make a folder '{}'", folder_));
  }
  ~PlaceForAFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  PlaceForAFile(const PlaceForAFile&) = delete;
  PlaceForAFile& operator=(const PlaceForAFile&) = delete;

  std::string path() const { return folder_ + "/model.nc"; }

 private:
  std::string folder_;
};

void write_bytes(const std::string& path, const std::string& bytes) {
  OutputFile file(path);
  file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.commit();
}

std::string bytes_of_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw IoError(fmt::format("cannot read '{}'", path));
  return bytes;
}

}  // namespace

std::optional<std::vector<Index>> FittedNetwork::places_among(Index columns) const {
  const std::optional<LeftOut>& left_out = model_->report().left_out;
  if (!left_out || inputs() + static_cast<Index>(left_out->columns.size()) != columns) return std::nullopt;
  const std::vector<std::string> names = encoding_of(model_->regression().table()).input_names();
  const auto has = [](const std::vector<std::string>& all, const std::string& name) {
    return std::ranges::find(all, name) != all.end();
  };
  std::vector<Index> places;
  for (Index k = 0; k < columns; ++k) {
    const std::string name = fmt::format("x{}", k + 1);
    if (!has(left_out->columns, name)) places.push_back(k);
    if (has(left_out->columns, name) == has(names, name)) return std::nullopt;
  }
  return places;
}

FittedNetwork FittedNetwork::load(const std::string& path) {
  FittedModel model = read_results(path);
  return {std::move(model), bytes_of_file(path)};
}

FittedNetwork FittedNetwork::from_results(std::string bytes) {
  const PlaceForAFile place;
  write_bytes(place.path(), bytes);
  return {read_results(place.path()), std::move(bytes)};
}

void FittedNetwork::save(const std::string& path) const {
  fit_ ? write_results(path, *fit_) : write_bytes(path, *file_);
}

std::string FittedNetwork::results() const {
  if (file_) return *file_;
  const PlaceForAFile place;
  write_results(place.path(), *fit_);
  return bytes_of_file(place.path());
}

}  // namespace ridgelet::python
