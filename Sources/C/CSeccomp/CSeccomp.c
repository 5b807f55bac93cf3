#define _GNU_SOURCE
#include "CSeccomp.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "This processor's system calls are not known here: see AUDIT_ARCH in linux/audit.h."
#endif

// What libfprint, GLib, libusb, udev and the drivers' libraries need, in every use of signet-reader. A call that is missing
// here fails as on a kernel that does not have it, so that a library does without.
static const unsigned short allowed[] = {
    // Files: readers' nodes, udev's database, libraries that are loaded late. Rights on files are the user's own, and signetd's
    // unit makes most of the file system invisible or read-only.
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_close, SYS_lseek, SYS_openat, SYS_fstat,
    SYS_newfstatat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64, SYS_getcwd,
    SYS_dup, SYS_dup3, SYS_fcntl, SYS_ioctl, SYS_unlinkat, SYS_fadvise64,
    // Waiting.
    SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2, SYS_pipe2, SYS_timerfd_create,
    SYS_timerfd_settime, SYS_timerfd_gettime, SYS_inotify_init1, SYS_inotify_add_watch, SYS_inotify_rm_watch, SYS_nanosleep,
    SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_restart_syscall,
    // The channel to signetd, udev's messages, and the sockets of virtual readers. `socket` itself is below.
    SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_getsockname, SYS_getpeername, SYS_getsockopt,
    SYS_setsockopt, SYS_sendto, SYS_sendmsg, SYS_recvfrom, SYS_recvmsg, SYS_shutdown,
    // Memory. Its amount is limited (RLIMIT_DATA).
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_mlock, SYS_mlock2, SYS_munlock,
    // Threads, signals and the end. `clone` and `tgkill` are below.
    SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getattr, SYS_rt_sigaction,
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_exit, SYS_exit_group,
    // What a process asks about itself and the machine.
    SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrusage, SYS_getrandom, SYS_uname,
    SYS_sysinfo, SYS_umask,
#if defined(__x86_64__)
    // The older forms of the above, which newer processors do not have.
    SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_unlink, SYS_dup2, SYS_pipe, SYS_poll, SYS_select, SYS_epoll_wait,
    SYS_time, SYS_getrlimit, SYS_arch_prctl,
#endif
};

// A call that is allowed if one 32-bit word of its arguments, masked, has one of these values.
struct condition {
  unsigned short call;
  // The argument's number. Only the lower half of it is looked at: the kernel takes these for 32-bit numbers.
  unsigned char argument;
  unsigned int mask, values[2];
  int error;
};

#define NAMESPACES                                                                                                             \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

// Numbers of calls are looked up in words of 32 bits. A comparison with each number would be simpler, but the kernel would need
// 0.2 ms more for it at each start, while a user waits for the reader.
enum { WORDS = 16, CONDITIONS = 5, LONGEST = 16 + 3 * WORDS + 7 * CONDITIONS };

_Static_assert(SYS_faccessat2 < 32 * WORDS, "the highest number above needs more words");

#define ADD(instruction) program[count++] = (struct sock_filter) instruction
#define RETURN(action) ADD(BPF_STMT(BPF_RET | BPF_K, (action)))
#define LOAD(field) ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (field)))

// Ends the filter where the call is one that is always allowed.
static unsigned int add_allowed(struct sock_filter *program, unsigned int count) {
  unsigned int words[WORDS] = {0};
  for (unsigned int i = 0; i < sizeof allowed / sizeof *allowed; i++) words[allowed[i] / 32] |= 1u << allowed[i] % 32;
  LOAD(offsetof(struct seccomp_data, nr));
  ADD(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 31));
  ADD(BPF_STMT(BPF_MISC | BPF_TAX, 0));
  LOAD(offsetof(struct seccomp_data, nr));
  ADD(BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 5));
  for (unsigned int i = 0; i < WORDS; i++) {
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, i, 0, 2));
    ADD(BPF_STMT(BPF_LD | BPF_IMM, words[i]));
    // Past the other words, and the empty one for higher numbers.
    ADD(BPF_STMT(BPF_JMP | BPF_JA, 3 * (WORDS - 1 - i) + 1));
  }
  ADD(BPF_STMT(BPF_LD | BPF_IMM, 0));
  ADD(BPF_STMT(BPF_ALU | BPF_RSH | BPF_X, 0));
  ADD(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 1, 0, 1));
  RETURN(SECCOMP_RET_ALLOW);
  return count;
}

// Ends the filter where the number of the call, which is loaded, is this one and its argument is as it should be.
static unsigned int add_condition(struct sock_filter *program, unsigned int count, const struct condition *rule) {
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rule->call, 0, 6));
  LOAD(offsetof(struct seccomp_data, args) + rule->argument * sizeof(__u64));
  ADD(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, rule->mask));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rule->values[0], 2, 0));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rule->values[1], 1, 0));
  RETURN(SECCOMP_RET_ERRNO | rule->error);
  RETURN(SECCOMP_RET_ALLOW);
  return count;
}

int cseccomp_confine_reader(void) {
  const unsigned int own = getpid();
  const struct condition conditions[CONDITIONS] = {
      // The way out of the machine would be an internet socket.
      {SYS_socket, 0, ~0u, {AF_UNIX, AF_NETLINK}, EAFNOSUPPORT},
      // Threads, but no processes and no namespaces. Of clone3 no filter sees the flags; without it, glibc uses this one.
      {SYS_clone, 0, CLONE_THREAD | NAMESPACES, {CLONE_THREAD, CLONE_THREAD}, EPERM},
      // abort(3) ends the process itself by this.
      {SYS_tgkill, 0, ~0u, {own, own}, EPERM},
      // GLib names its threads, glibc its memory.
      {SYS_prctl, 0, ~0u, {PR_SET_NAME, PR_SET_VMA}, EPERM},
      // The process' own limits, which it can only lower.
      {SYS_prlimit64, 0, ~0u, {0, own}, EPERM},
  };
  struct sock_filter program[LONGEST];
  unsigned int count = 0;
  // Calls of another kind of processor, which this one may also run, have other numbers.
  LOAD(offsetof(struct seccomp_data, arch));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  RETURN(SECCOMP_RET_ERRNO | ENOSYS);
  count = add_allowed(program, count);
  LOAD(offsetof(struct seccomp_data, nr));
  for (unsigned int i = 0; i < CONDITIONS; i++) count = add_condition(program, count, &conditions[i]);
  RETURN(SECCOMP_RET_ERRNO | ENOSYS);
  const struct sock_fprog filter = {.len = count, .filter = program};
  // With all threads that a library may have started.
  const long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
  return result == 0 ? 0 : result > 0 ? EAGAIN : errno;
}
