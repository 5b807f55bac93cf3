#define _GNU_SOURCE 1
#include "CPKCS11.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// The process that took the lock last; 0 before anybody has.
static _Atomic pid_t user;

void cpkcs11_lock(void) {
  pid_t own = getpid();
  pid_t before = atomic_exchange(&user, own);
  if (before != 0 && before != own) lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
}

void cpkcs11_unlock(void) { pthread_mutex_unlock(&lock); }

struct ck_function_list *cpkcs11_functions(void) {
  static struct ck_function_list functions;
  return &functions;
}

const char *cpkcs11_program(void) { return program_invocation_short_name; }
