/// The width of the numbers in an exported network.
#pragma once

namespace ridgelet {

enum class Precision { float64, float32 };

}  // namespace ridgelet
