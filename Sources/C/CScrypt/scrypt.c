#define _GNU_SOURCE
#include "CScrypt.h"

#include <sys/mman.h>

static _Thread_local bool takes_pages_one_by_one;

void cscrypt_fills_maps(bool fills) { takes_pages_one_by_one = !fills; }

// Sanitizers have one of their own, which begins before anything of a program may run.
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
// Libraries find this one before libc's, whose other name for it is mmap64.
void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  if (takes_pages_one_by_one) flags &= ~MAP_POPULATE;
  return mmap64(address, length, protection, flags, descriptor, offset);
}
#endif
