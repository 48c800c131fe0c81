/// The seal at the end of our NetCDF files, which reveals damage before a library has to decode the file.
///
/// NetCDF-4 files are HDF5 files, and HDF5 says at their beginning where they end; what comes after is ignored
/// by every program. There a sealed file has 32 bytes: a name of 16, then the number of bytes before the seal
/// and their Checksum, eight bytes each, little-endian.
///
/// A file that has lost its seal still ends where HDF5 says. So a sealed file also says inside that it was sealed, by
/// the attribute `sealed`, which a reader must check. A file that another program has rewritten has neither seal nor
/// attribute, provided that this program, or its user, leaves the attribute out; such a file is read on trust.
#pragma once

#include <filesystem>
#include <ostream>
#include <string_view>

namespace ridgelet {

/// Writes an HDF5 image, without any bytes after its own end, and then its seal.
void write_sealed(std::ostream& stream, std::string_view image);

/// The attribute of the whole file, and what it says to a person who finds it there.
inline constexpr const char* seal_mark = "sealed";
inline constexpr const char* seal_mark_text =
    "by 32 bytes after the end of HDF5; a copy by another program has lost them, and is read without this "
    "attribute only";

/// Unbroken; none (an HDF5 file that ends where it says); or broken, which is anything else: damaged, cut off, or no
/// HDF5 at all.
enum class Seal { unbroken, none, broken };

Seal seal_of(const std::filesystem::path& path);

}  // namespace ridgelet
