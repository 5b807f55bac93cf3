// A process that is confined like signet-reader and then tries what an attacker inside of it would. It writes a line for each
// attempt: its name, then `allowed` or the error.
#define _GNU_SOURCE
#include "CSeccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void say(const char *name, long result) {
  printf("%s: %s\n", name, result >= 0 ? "allowed" : strerrorname_np(errno));
}

static char *const nothing[] = {NULL};

int main(void) {
  const struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || cseccomp_confine_reader() != 0) return 1;
  say("execve", execve("/bin/true", nothing, nothing));
  say("execveat", syscall(SYS_execveat, AT_FDCWD, "/bin/true", nothing, nothing, 0));
  say("a process", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  say("a process by clone3", syscall(SYS_clone3, NULL, 0));
  say("a user namespace", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
  say("unshare", unshare(CLONE_NEWNET));
  say("setns", setns(0, 0));
  say("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
  say("process_vm_readv", syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
  say("process_vm_writev", syscall(SYS_process_vm_writev, getppid(), NULL, 0, NULL, 0, 0));
  say("kill", kill(getppid(), 0));
  say("tgkill", syscall(SYS_tgkill, getppid(), getppid(), 0));
  say("pidfd_open", syscall(SYS_pidfd_open, getppid(), 0));
  say("an internet socket", socket(AF_INET, SOCK_STREAM, 0));
  say("an internet socket of version 6", socket(AF_INET6, SOCK_DGRAM, 0));
  say("a packet socket", socket(AF_PACKET, SOCK_RAW, 0));
  say("mount", syscall(SYS_mount, "none", "/mnt", "tmpfs", 0, NULL));
  say("chroot", chroot("/"));
  say("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, NULL, 0));
  say("keyctl", syscall(SYS_keyctl, 0, -3, 0, 0, 0));
  say("add_key", syscall(SYS_add_key, "user", "name", "value", 5, -3));
  say("io_uring_setup", syscall(SYS_io_uring_setup, 1, NULL));
  say("perf_event_open", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
  say("userfaultfd", syscall(SYS_userfaultfd, 0));
  say("setuid", syscall(SYS_setuid, getuid()));
  say("dumpable", prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
  say("another's limits", prlimit(getppid(), RLIMIT_CORE, &more, NULL));
#ifdef __x86_64__
  // The same call by the numbers of x32.
  say("a call of x32", syscall(0x40000000 | SYS_getpid));
#endif
  say("a Unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
  say("a netlink socket", socket(AF_NETLINK, SOCK_RAW, 0));
  say("its own signal", raise(0));
  say("memory", malloc(1 << 20) == NULL ? -1 : 0);
  return fflush(stdout);
}
