/// How much memory work needs is known before any is taken: work that would not fit is refused, with the numbers.
#pragma once

#include <string>

namespace ridgelet {

/// Bytes that can still be used: the least of the machine's available memory and what is left of the limits
/// on the control group and on the address space of the process.
double available_memory();

/// Bytes of addresses that a limit on the process (`ulimit -v`) leaves, used or not; infinite without a limit.
double available_addresses();

/// "1.6 kB", "12.8 GB": decimal units, as disks and memory are sold.
std::string readable_bytes(double bytes);

/// Throws InvalidArgument("points", "a grid of ... would take 12.8 GB; 8.1 GB of memory are available") when
/// `bytes` exceeds the available memory. `what` is the subject of the sentence. Less than 1 MB is never refused: asking
/// costs some 30 microseconds, as much as a small call does in all.
void require_memory(double bytes, const std::string& argument, const std::string& what);

}  // namespace ridgelet
