/// Signals belong to the threads of the program, not to those of the library.
#pragma once

#include <pthread.h>

#include <csignal>

namespace ridgelet {

/// While alive, the calling thread and the threads that it starts handle no signals. A signal to the process then goes to
/// another of its threads, and one to this thread waits until the end.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace ridgelet
