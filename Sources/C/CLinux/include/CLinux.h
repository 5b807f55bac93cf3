// System calls that Swift cannot import: variadic functions, macros, and what <features.h> only declares with _GNU_SOURCE.
// _GNU_SOURCE is defined in the .c file, because in this header it would clash with Swift's own Glibc module.
#ifndef SIGNET_CLINUX_H
#define SIGNET_CLINUX_H

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <locale.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// errno is a macro.
int clinux_errno(void);
void clinux_set_errno(int error);

// dcgettext(3) and dcngettext(3): a sentence in the language of the host's locale, from our own catalogue and in UTF-8, or as it was given
// where there is none, or the locale has another charset; errno is kept. libintl.h is in no module of Swift's. The answer is libc's and stays.
const char *_Nonnull clinux_translation(const char *_Nonnull sentence);
const char *_Nonnull clinux_translation_of_count(const char *_Nonnull one, const char *_Nonnull many, unsigned long count);

// What libpam's own modules ask, in the language of the host's locale, by libpam's catalogue.
const char *_Nonnull clinux_password_prompt(void);

// How many columns of a terminal a character has, 1 where the locale does not know it. wcwidth(3) needs _GNU_SOURCE.
int clinux_columns(uint32_t scalar);

// open(2) and openat(2) are variadic.
int clinux_open(const char *_Nonnull path, int flags, mode_t mode);
int clinux_openat(int directory, const char *_Nonnull path, int flags, mode_t mode);

// mlock2(2) with MLOCK_ONFAULT locks pages when they are first touched, so that a large buffer only costs what is used of it.
int clinux_lock_on_fault(const void *_Nonnull base, size_t length);

// struct ucred needs _GNU_SOURCE (unix(7), SO_PEERCRED). Returns 0, or -1 with errno.
int clinux_peer(int socket, pid_t *_Nonnull pid, uid_t *_Nonnull uid, gid_t *_Nonnull gid);

// SO_PEERPIDFD (unix(7)) is newer than the C library's headers. A descriptor of the peer's process, or -1 with errno.
int clinux_peer_process(int socket);

// pidfd_open(2) has a header of its own in the newest C libraries only. Its descriptor, or -1 with errno.
int clinux_process(pid_t pid);

// Casting sockaddr_un to sockaddr is clumsy in Swift. Fails with ENAMETOOLONG where the path does not fit.
int clinux_connect_unix(int socket, const char *_Nonnull path);
int clinux_bind_unix(int socket, const char *_Nonnull path);

// accept4(2) needs _GNU_SOURCE.
int clinux_accept(int socket, int flags);

// syscall(2) is variadic. glibc has no wrappers for keyctl(2) and add_key(2), and libkeyutils would be one more library.
int32_t clinux_add_key(const char *_Nonnull type, const char *_Nonnull description, const void *_Nonnull payload,
                       size_t length, int32_t ring);
long clinux_keyctl(int operation, unsigned long a2, unsigned long a3, unsigned long a4, unsigned long a5);

// fcntl(2) is variadic. Duplicates to the lowest free descriptor from `least` on, close-on-exec (F_DUPFD_CLOEXEC).
int clinux_duplicate(int descriptor, int least);

// fcntl(2) is variadic. Locks a file, which is open for writing, for as long as the descriptor or a copy of it is open
// (F_OFD_SETLK); and whether somebody else has locked it so, which takes no right but to read it. Both are -1 with errno.
int clinux_hold_lock(int descriptor);
int clinux_is_locked(int descriptor);

// dup3(2) needs _GNU_SOURCE. Puts a duplicate in the place of another descriptor, close-on-exec. Returns -1 with errno.
int clinux_replace_descriptor(int descriptor, int replaced);

// close_range(2) needs _GNU_SOURCE. Closes every descriptor from `lowest` on.
int clinux_close_from(unsigned int lowest);

// unshare(2) needs _GNU_SOURCE. Gives the calling thread descriptors of its own. Returns 0, or -1 with errno.
int clinux_unshare_descriptors(void);

// prctl(2) is variadic.
int clinux_prctl(int option, unsigned long a2);

// memfd_secret(2) has no wrapper in glibc. Its memory is not mapped in the kernel. Returns -1 with errno where it fails.
int clinux_secret_memory(void);

// Whether a file is on a file system in memory (tmpfs(5), ramfs). Glibc's Swift module has no struct statfs.
int clinux_is_in_memory(const char *_Nonnull path);

// Whether a descriptor came from memfd_secret(2). Glibc's Swift module has neither struct statfs nor SECRETMEM_MAGIC.
int clinux_is_secret_memory(int descriptor);

// Needs the CMSG macros. Sends a datagram with a descriptor (unix(7), SCM_RIGHTS). Returns 0, or -1 with errno.
int clinux_send_descriptor(int socket, const void *_Nonnull bytes, size_t length, int descriptor);

// dlmopen(3) needs _GNU_SOURCE. Opens this program itself. signet-stack, which replaces dlopen(3), needs this other way.
void *_Nullable clinux_open_self(void);

// Its name needs _GNU_SOURCE.
int clinux_checked_mutex(void);

// ioctl(2) is variadic. The width of a terminal, or -1 with errno.
int clinux_window_columns(int terminal);

// ioctl(2) is variadic. How many bytes of a terminal's input can be read at once, or -1 with errno.
int clinux_typed(int terminal);

// ioctl(2) is variadic, and tells of /dev/tty which terminal it is (TIOCGDEV, ioctl_tty(2)). Whether a path, or a descriptor, is this
// very terminal.
int clinux_is_terminal_at(int terminal, const char *_Nonnull path);
int clinux_is_terminal_of(int terminal, int descriptor);

// Glibc's Swift module and this one would each have a struct stat. Whether this process has a single thread: the links of
// /proc/self/task are those of its folders (proc(5)).
int clinux_has_one_thread(void);

// syscall(2) is variadic. fork(2) without a signal at the child's end: neither the program's handler for children nor its wait(2) sees
// the child, which dies with its parent. What the program has not written yet is written before, or both would. Returns 0 in the child.
pid_t clinux_fork_unseen(void);
// waitpid(2) for such a child, which only __WALL names.
void clinux_end_unseen(pid_t child);

// timer_create(2): struct sigevent has a union in it. Sends this process a signal after so many milliseconds, once; NULL where there is
// no timer to be had.
void *_Nullable clinux_signal_later(int signal, int milliseconds);
void clinux_signal_never(void *_Nonnull timer);

// ioctl(2) is variadic. How much of what was sent on a local socket the peer has not read: more than 0 where there is
// something, with the kernel's overhead, or -1 with errno.
int clinux_unread(int socket);

// Glibc's Swift module has no sockaddr_nl. A socket that gets the kernel's news of devices (netlink(7), KOBJECT_UEVENT), close-on-exec
// and non-blocking, or -1 with errno.
int clinux_device_news(void);
// The next of them. Returns its length, cut to the capacity; 0 for what the kernel did not send, -1 with errno where there is none.
long clinux_next_device_news(int socket, void *_Nonnull bytes, size_t capacity);

// Mostly for tests. posix_openpt(3) and the like need _GNU_SOURCE; fork(2) is unavailable in Swift.
int clinux_open_terminal(char *_Nonnull name, size_t size);
int clinux_pipe(int *_Nonnull ends);
pid_t clinux_fork(void);

// posix_spawn(3) with the signals that any program begins with: none blocked, none ignored, whatever this process does with its own.
// For that six calls are needed, of which none may be forgotten. Returns 0 or the error.
int clinux_spawn(
    pid_t *_Nonnull process, const char *_Nonnull path, const posix_spawn_file_actions_t *_Nonnull actions,
    char *_Nullable const *_Nonnull words, char *_Nullable const *_Nonnull variables);
int clinux_spawn_close_from(posix_spawn_file_actions_t *_Nonnull actions, int least);
// Receives what clinux_send_descriptor sends. Returns its length, or -1 with errno; `descriptor` is -1 where none came.
long clinux_receive_descriptor(int socket, void *_Nonnull bytes, size_t capacity, int *_Nonnull descriptor);

#endif
