// Only in builds with the thread sanitizer (`make tsan`).
//
// Synchronization.Mutex takes and gives a free lock by an atomic instruction in its caller, which the sanitizer sees. A lock
// that is held is waited for inside libswiftSynchronization.so, which it does not see: it would report whatever the lock
// protects. So the two functions for that case are defined here, before the library's, in code that it does see.
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Synchronization._MutexHandle._lockSlow(_: UInt32). The lock holds its owner's thread, or 0.
SWIFT void lock_slow(uint32_t thread, SELF _Atomic uint32_t *lock)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void lock_slow(uint32_t thread, SELF _Atomic uint32_t *lock) {
  uint32_t nobody = 0;
  while (!atomic_compare_exchange_weak_explicit(lock, &nobody, thread, memory_order_acquire, memory_order_relaxed)) {
    nobody = 0;
    sched_yield();
  }
}

// Synchronization._MutexHandle._unlockSlow(): for a lock that others wait for in the kernel, as nobody does here.
SWIFT void unlock_slow(SELF _Atomic uint32_t *lock) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
SWIFT void unlock_slow(SELF _Atomic uint32_t *lock) {
  (void)lock;
  abort();
}
