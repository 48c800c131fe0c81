#include "processes.hpp"

namespace ridgelet::app {

const Ranks& ranks() {
  return alone();
}

}  // namespace ridgelet::app
