// NumPy's file format, versions 1 to 3: a magic string, a length, a Python dictionary as text, and the numbers.
// Reference: NumPy Enhancement Proposal 1.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

#include "array_source.hpp"
#include "file_bytes.hpp"
#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

namespace {

static_assert(std::endian::native == std::endian::little);

template <class Number>
double as_double(const char* bytes) {
  Number value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

/// How a number stands in the file.
struct NumberFormat {
  std::size_t size = 0;
  double (*read)(const char*) = nullptr;
};

std::optional<NumberFormat> format_of(std::string_view descr) {
  const std::string_view type = descr.substr(descr.starts_with('<') || descr.starts_with('|') ? 1 : 0);
  if (type == "f8") return NumberFormat{8, as_double<double>};
  if (type == "f4") return NumberFormat{4, as_double<float>};
  if (type == "i8") return NumberFormat{8, as_double<std::int64_t>};
  if (type == "i4") return NumberFormat{4, as_double<std::int32_t>};
  if (type == "i2") return NumberFormat{2, as_double<std::int16_t>};
  if (type == "i1") return NumberFormat{1, as_double<std::int8_t>};
  if (type == "u8") return NumberFormat{8, as_double<std::uint64_t>};
  if (type == "u4") return NumberFormat{4, as_double<std::uint32_t>};
  if (type == "u2") return NumberFormat{2, as_double<std::uint16_t>};
  if (type == "u1" || type == "b1") return NumberFormat{1, as_double<std::uint8_t>};
  return std::nullopt;
}

[[noreturn]] void refuse(const std::string& complaint) {
  throw CsvRefusal{"", complaint};
}

/// The dictionary at the start of a file, in the form in which NumPy writes it.
class Header {
 public:
  explicit Header(std::string_view text) : text_(text) {}

  /// What follows a key.
  std::string_view after(const std::string& key) const {
    const std::size_t at = text_.find("'" + key + "':");
    if (at == std::string_view::npos) refuse("has a header that is not NumPy's");
    std::string_view rest = text_.substr(at + key.size() + 3);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest;
  }

  bool fortran_order() const { return after("fortran_order").starts_with("True"); }

  std::vector<std::size_t> shape() const {
    std::string_view rest = after("shape");
    rest = rest.substr(0, rest.find(')'));
    // Python 2 has an L after long numbers.
    if (!rest.starts_with('(') || rest.find_first_not_of("0123456789, L", 1) != std::string_view::npos)
      refuse("has a shape that no file has");
    std::vector<std::size_t> sizes;
    for (rest.remove_prefix(1); !rest.empty();) {
      std::size_t size = 0;
      const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
      if (error == std::errc{}) sizes.push_back(size);
      if (error == std::errc::result_out_of_range) refuse("has a shape that no file has");
      rest.remove_prefix(error == std::errc{} ? static_cast<std::size_t>(stop - rest.data()) : 1);
    }
    return sizes;
  }

  /// Names and types of the fields; a plain array has one field, without a name.
  std::vector<std::pair<std::string, std::string>> fields() const {
    std::string_view rest = after("descr");
    if (rest.starts_with('\'')) return {{"", quoted(rest)}};
    std::vector<std::pair<std::string, std::string>> list;
    if (!rest.starts_with('[')) refuse("has a type that is not one of numbers");
    rest.remove_prefix(1);
    while (!rest.empty() && !rest.starts_with(']')) {
      if (!rest.starts_with('\'')) {
        if (rest.starts_with('[')) refuse("has fields within fields");
        rest.remove_prefix(1);
        continue;
      }
      std::string name = quoted(rest);
      rest.remove_prefix(std::min(rest.find('\''), rest.size()));
      list.emplace_back(std::move(name), quoted(rest));
      const std::size_t end = std::min(rest.find(')'), rest.size());
      if (rest.substr(0, end).find('(') != std::string_view::npos) refuse("has fields that are arrays");
      rest.remove_prefix(end);
    }
    return list;
  }

 private:
  static std::string quoted(std::string_view& rest) {
    const std::size_t end = rest.find('\'', 1);
    if (end == std::string_view::npos) refuse("has a header that is not NumPy's");
    std::string text(rest.substr(1, end - 1));
    rest.remove_prefix(end + 1);
    return text;
  }

  std::string_view text_;
};

class NpyFile : public NumberFile {
 public:
  explicit NpyFile(const std::filesystem::path& path) : bytes_(path) {
    reading_table(bytes_.name(), [&] { read_header(); });
  }

  const std::string& name() const override { return bytes_.name(); }
  const std::vector<std::string>& columns() const override { return columns_; }
  Index rows() const override { return static_cast<Index>(rows_); }

  Matrix read(Index first, Index count, const std::vector<std::size_t>& wanted) const override {
    Matrix values(count, static_cast<Index>(wanted.size()));
    const auto from = static_cast<std::size_t>(first), size = static_cast<std::size_t>(count);
    const auto fill = [&](std::size_t k, const char* at, std::size_t stride) {
      const NumberFormat& format = formats_[wanted[k]];
      for (Index i = 0; i < count; ++i, at += stride) values(i, static_cast<Index>(k)) = format.read(at);
    };
    if (!by_columns_) {
      const std::string block = bytes_.read(start_ + from * stride_, size * stride_);
      for (std::size_t k = 0; k < wanted.size(); ++k) fill(k, block.data() + offsets_[wanted[k]], stride_);
      return values;
    }
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const std::size_t width = formats_[wanted[k]].size;
      const std::string column = bytes_.read(start_ + (wanted[k] * rows_ + from) * width, size * width);
      fill(k, column.data(), width);
    }
    return values;
  }

 private:
  void read_header();
  void add_column(std::string name, const std::string& type) {
    const auto format = format_of(type);
    if (!format)
      refuse(fmt::format(
          "has the type '{}', which is not one of little-endian numbers; save it anew as array.astype('<f8')",
          shown(type)));
    columns_.push_back(std::move(name));
    formats_.push_back(*format);
    offsets_.push_back(stride_);
    stride_ += format->size;
  }

  FileBytes bytes_;
  std::vector<std::string> columns_;
  std::vector<NumberFormat> formats_;
  std::vector<std::size_t> offsets_;  ///< in a row
  std::size_t start_ = 0, stride_ = 0, rows_ = 0;
  bool by_columns_ = false;
};

void NpyFile::read_header() {
  const std::string magic = bytes_.read(0, 12);
  if (magic.size() < 12 || !magic.starts_with("\x93NUMPY")) refuse("is not a file of NumPy's");
  const bool short_length = magic[6] == 1;
  std::uint32_t length = 0;
  std::memcpy(&length, magic.data() + 8, short_length ? 2 : 4);
  start_ = (short_length ? 10u : 12u) + length;
  if (start_ > bytes_.size()) refuse("ends within its header");
  const std::string text = bytes_.read(start_ - length, length);
  const Header header(text);
  const std::vector<std::size_t> shape = header.shape();
  const auto fields = header.fields();
  const bool structured = fields.size() != 1 || !fields.front().first.empty();
  if (shape.size() != (structured ? 1 : 2) || (!structured && shape[1] == 0))
    refuse(structured ? "must be a structured array with one dimension" : "must be a matrix, one row a case");
  rows_ = shape[0];
  by_columns_ = !structured && header.fortran_order();
  constexpr std::size_t most_columns = 100'000;
  if ((structured ? fields.size() : shape[1]) > most_columns) refuse("has more than 100,000 columns");
  if (structured)
    for (const auto& [name, type] : fields) add_column(name, type);
  else
    for (std::size_t k = 0; k < shape[1]; ++k) add_column(std::to_string(k), fields.front().second);
  if (rows_ > (bytes_.size() - start_) / stride_) refuse("is shorter than its header says");
  if (rows_ * stride_ < bytes_.size() - start_) refuse("is longer than its header says");
}

}  // namespace

std::unique_ptr<NumberFile> open_npy(const std::filesystem::path& path) {
  return std::make_unique<NpyFile>(path);
}

}  // namespace ridgelet
