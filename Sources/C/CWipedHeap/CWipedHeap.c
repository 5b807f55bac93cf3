#define _GNU_SOURCE 1
#include "CWipedHeap.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

// A sanitizer has an allocator of its own, which these would take away from it.
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

// glibc's own, for programs with another one in front of it; no header has it.
extern void __libc_free(void *memory);

void free(void *memory) {
  if (memory == NULL) return;
  explicit_bzero(memory, malloc_usable_size(memory));
  __libc_free(memory);
}

// glibc's would leave what was there where it moves.
void *realloc(void *memory, size_t size) {
  if (memory == NULL) return malloc(size);
  if (size == 0) {
    free(memory);
    return NULL;
  }
  size_t old = malloc_usable_size(memory);
  if (size <= old && size >= old / 2) return memory;
  void *moved = malloc(size);
  if (moved == NULL) return NULL;
  memcpy(moved, memory, old < size ? old : size);
  free(memory);
  return moved;
}

#endif
