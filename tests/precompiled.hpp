// What nearly every test includes, compiled once for all of them.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "../cmake/precompiled.hpp"
