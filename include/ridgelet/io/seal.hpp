/// The seal at the end of our NetCDF files, which tells damage before a library has to decode it.
///
/// NetCDF-4 files are HDF5 files, and HDF5 says at their beginning where they end; what comes after is ignored
/// by every program. There a sealed file has 32 bytes: a name of 16, then the number of bytes before the seal
/// and their Checksum, eight bytes each, little-endian.
///
/// A file that another program wrote anew has no seal and ends where HDF5 says. It is read on trust.
#pragma once

#include <filesystem>
#include <ostream>
#include <string_view>

namespace ridgelet {

/// Writes an HDF5 image, without what may follow its own end, and its seal.
void write_sealed(std::ostream& stream, std::string_view image);

/// Whether the file is an HDF5 file with an unbroken seal, or one without a seal that ends where it says.
bool is_whole(const std::filesystem::path& path);

}  // namespace ridgelet
