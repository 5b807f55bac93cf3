#define _GNU_SOURCE 1
#include "CEnvironment.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

char *cenvironment_secure(const char *name) { return secure_getenv(name); }

char **cenvironment_all(void) { return environ; }

// How long the path of the folder is.
static size_t folder(const char *path, size_t length) {
  while (length > 0 && path[length - 1] != '/') length--;
  return length > 0 ? length - 1 : 0;
}

static int is_lib(const char *path, size_t length) { return length >= 4 && memcmp(path + length - 4, "/lib", 4) == 0; }

char *cenvironment_beside_library(const char *name) {
  Dl_info own;
  struct stat file;
  if (getauxval(AT_SECURE) != 0 || dladdr((const void *)cenvironment_beside_library, &own) == 0) return NULL;
  const char *path = own.dli_fname;
  if (path == NULL || path[0] != '/') return NULL;
  size_t length = folder(path, strlen(path));
  for (int above = 0; above < 2 && !is_lib(path, length); above++) length = folder(path, length);
  if (!is_lib(path, length)) return NULL;
  length -= strlen("lib");
  char *found = malloc(length + strlen(name) + 1);
  if (found == NULL) return NULL;
  memcpy(found, path, length);
  strcpy(found + length, name);
  // Where others may write, what stands there need not be ours.
  int is_ours = stat(found, &file) == 0 && S_ISREG(file.st_mode) && (file.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
                (file.st_uid == 0 || file.st_uid == geteuid()) && access(found, X_OK) == 0;
  if (is_ours) return found;
  free(found);
  return NULL;
}
