// The process's environment, for programs of a user. Not in CLinux: what stands there goes into the PAM module, which reads
// nothing of its host's environment.
#ifndef CENVIRONMENT_H
#define CENVIRONMENT_H

// secure_getenv(3) needs _GNU_SOURCE, which clashes with Swift's Glibc module.
char *_Nullable cenvironment_secure(const char *_Nonnull name);

// environ(7) needs _GNU_SOURCE, and Swift takes a global variable for one that nobody else changes.
char *_Nullable *_Nonnull cenvironment_all(void);

// A program under the prefix of this library, which stands in its lib or at most two folders below: a path to free, or NULL. NULL too where
// the process is setuid, the library stands elsewhere, or the program is neither root's nor the caller's. dladdr(3) needs _GNU_SOURCE.
char *_Nullable cenvironment_beside_library(const char *_Nonnull name);

#endif
