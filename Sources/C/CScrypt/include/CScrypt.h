#ifndef CSCRYPT_H
#define CSCRYPT_H

/// libsodium asks the kernel for scrypt's memory, filled at once (`MAP_POPULATE`). Meanwhile no other thread of the process can
/// map anything, and everybody's login waits. In C, because it stands in the place of libc's mmap(2).

#include <stdbool.h>

/// Whether what this thread maps from here on is filled at once where that is asked for, as it is at first. Otherwise page by page,
/// as each is used.
void cscrypt_fills_maps(bool fills);

#endif
