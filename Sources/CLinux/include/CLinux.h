// System calls that Swift cannot import: variadic functions, macros, structures behind _GNU_SOURCE.
// _GNU_SOURCE stays in the .c file: in this header it would clash with Swift's own Glibc module.
#ifndef SIGNET_CLINUX_H
#define SIGNET_CLINUX_H

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// errno is a macro.
int clinux_errno(void);

// open(2) and openat(2) are variadic.
int clinux_open(const char *_Nonnull path, int flags, mode_t mode);
int clinux_openat(int directory, const char *_Nonnull path, int flags, mode_t mode);

// mlock2(2), MLOCK_ONFAULT: pages are locked when first touched, so that a large buffer costs what it holds.
int clinux_lock_on_fault(const void *_Nonnull base, size_t length);

// struct ucred is behind _GNU_SOURCE. Returns 0, or -1 with errno (unix(7), SO_PEERCRED).
int clinux_peer(int socket, pid_t *_Nonnull pid, uid_t *_Nonnull uid, gid_t *_Nonnull gid);

// The sockaddr_un cast to sockaddr, and its length, are clumsy in Swift. ENAMETOOLONG where the path does not fit.
int clinux_connect_unix(int socket, const char *_Nonnull path);
int clinux_bind_unix(int socket, const char *_Nonnull path);

// accept4(2) is behind _GNU_SOURCE.
int clinux_accept(int socket, int flags);

// syscall(2) is variadic; glibc has no wrappers for keyctl(2) and add_key(2), and libkeyutils would be a library more.
int32_t clinux_add_key(const char *_Nonnull type, const char *_Nonnull description, const void *_Nonnull payload,
                       size_t length, int32_t ring);
long clinux_keyctl(int operation, unsigned long a2, unsigned long a3, unsigned long a4, unsigned long a5);

// fcntl(2) is variadic: F_DUPFD_CLOEXEC, the lowest free descriptor from `least` on.
int clinux_duplicate(int descriptor, int least);

// close_range(2) is behind _GNU_SOURCE. Closes every descriptor from `lowest` on.
int clinux_close_from(unsigned int lowest);

// prctl(2) is variadic.
int clinux_prctl(int option, unsigned long a2);

// memfd_secret(2) has no wrapper in glibc: memory that the kernel itself does not map. -1 with errno.
int clinux_secret_memory(void);

// SECRETMEM_MAGIC and struct statfs: whether a descriptor is of memfd_secret(2).
int clinux_is_secret_memory(int descriptor);

// The CMSG macros. Sends a datagram with a descriptor (unix(7), SCM_RIGHTS). Returns 0, or -1 with errno.
int clinux_send_descriptor(int socket, const void *_Nonnull bytes, size_t length, int descriptor);

// dlmopen(3) is behind _GNU_SOURCE: this program's own symbols, by another way than dlopen(3).
void *_Nullable clinux_open_self(void);

// ioctl(2) is variadic. The process group in the foreground of a terminal comes by tcgetpgrp(3).
int clinux_window_columns(int terminal);

// The test kit's. posix_openpt(3) and the rest are behind _GNU_SOURCE; fork(2) is unavailable in Swift.
int clinux_open_terminal(char *_Nonnull name, size_t size);
int clinux_pipe(int *_Nonnull ends);
pid_t clinux_fork(void);
int clinux_spawn_close_from(posix_spawn_file_actions_t *_Nonnull actions, int least);
// Takes what clinux_send_descriptor sends: its length, or -1 with errno. `descriptor` is -1 where none came with it.
long clinux_receive_descriptor(int socket, void *_Nonnull bytes, size_t capacity, int *_Nonnull descriptor);

#endif
