// What nearly every source of the library includes, compiled once. Third-party and standard headers only, so that
// no edit of ours makes it stale; a source still includes what it uses.
#pragma once

#include <fmt/format.h>
#include <Eigen/Core>

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
