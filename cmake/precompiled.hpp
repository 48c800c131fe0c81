// What nearly every source of the library includes, compiled once. Third-party and standard headers only, so that
// no edit of ours makes it stale; a source still includes what it uses.
#pragma once

#include <Eigen/Core>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
