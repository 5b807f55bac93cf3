// What programs in Embedded Swift, which has no Glibc module, need of libc beside CLinux. Other programs import Glibc.
#ifndef SIGNET_CLIBC_H
#define SIGNET_CLIBC_H

#include "CLinux.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

// SIG_DFL and SIG_IGN are casts, which Swift does not import.
static inline void clibc_default(int number) { signal(number, SIG_DFL); }
static inline void clibc_ignore(int number) { signal(number, SIG_IGN); }

// fcntl(2) is variadic.
static inline int clibc_fcntl(int descriptor, int command, int value) { return fcntl(descriptor, command, value); }

// stdin is a variable, which Swift takes for one that anybody may change.
static inline ssize_t clibc_line(char *_Nullable *_Nonnull line, size_t *_Nonnull size) { return getline(line, size, stdin); }

#endif
