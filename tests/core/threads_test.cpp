#include "ridgelet/core/threads.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <stdexcept>

extern "C" {
void openblas_set_num_threads(int threads);
int openblas_get_num_threads(void);
}

namespace ridgelet {
namespace {

int threads_of_a_parallel_region() {
  int threads = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}

TEST(AvailableThreads, IsAtLeastOne) {
  EXPECT_GE(available_threads(), 1);
}

TEST(ThreadScope, SetsTheThreadsOfParallelRegions) {
  omp_set_dynamic(0);
  for (int threads : {1, 2, 4}) {
    const ThreadScope scope(threads);
    EXPECT_EQ(available_threads(), threads);
    EXPECT_EQ(threads_of_a_parallel_region(), threads);
  }
}

TEST(ThreadScope, LeavesOneThreadToTheLinearAlgebraBeneath) {
  const ThreadScope scope(4);
  EXPECT_EQ(openblas_get_num_threads(), 1);
}

TEST(ThreadScope, PutsBothCountsBackAtItsEnd) {
  const int openmp = available_threads(), blas = openblas_get_num_threads();
  {
    const ThreadScope outer(3);
    {
      const ThreadScope inner(2);
      EXPECT_EQ(available_threads(), 2);
    }
    EXPECT_EQ(available_threads(), 3);
  }
  EXPECT_EQ(available_threads(), openmp);
  EXPECT_EQ(openblas_get_num_threads(), blas);
}

TEST(ThreadScope, RestoresTheThreadsOfTheLinearAlgebraItFound) {
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(2);
  const int found = openblas_get_num_threads();
  { const ThreadScope scope(1); }
  EXPECT_EQ(openblas_get_num_threads(), found);
  openblas_set_num_threads(before);
}

TEST(ThreadScope, PutsThemBackWhenAnErrorLeavesTheScope) {
  const int before = available_threads();
  try {
    const ThreadScope scope(before + 1);
    throw std::runtime_error("an error");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(available_threads(), before);
}

}  // namespace
}  // namespace ridgelet
