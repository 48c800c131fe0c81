#include "ridgelet/core/threads.hpp"

#include <omp.h>

extern "C" {
void openblas_set_num_threads(int threads);
int openblas_get_num_threads(void);
}

namespace ridgelet {

int available_threads() {
  return omp_get_max_threads();
}

ThreadScope::ThreadScope(int threads)
    : openmp_before_(omp_get_max_threads()), blas_before_(openblas_get_num_threads()) {
  omp_set_num_threads(threads);
  openblas_set_num_threads(1);
}

ThreadScope::~ThreadScope() {
  omp_set_num_threads(openmp_before_);
  openblas_set_num_threads(blas_before_);
}

}  // namespace ridgelet
