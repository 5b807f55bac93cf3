#define _GNU_SOURCE 1
#include "CLinux.h"

#include <linux/netlink.h>
#include <dlfcn.h>
#include <errno.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <linux/magic.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <wchar.h>

int clinux_errno(void) { return errno; }

void clinux_set_errno(int error) { errno = error; }

// Who starts the host names any charset for its answers (OUTPUT_CHARSET), some of which write other letters as plain ASCII. One that
// the program asks for goes before that.
static int speaks_utf8(void) {
  if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) return 0;
  const char *bound = bind_textdomain_codeset("signet", NULL);
  return (bound && strcmp(bound, "UTF-8") == 0) || bind_textdomain_codeset("signet", "UTF-8") != NULL;
}

const char *clinux_translation(const char *sentence) {
  int before = errno;
  const char *translation = speaks_utf8() ? dcgettext("signet", sentence, LC_MESSAGES) : sentence;
  errno = before;
  return translation;
}

const char *clinux_translation_of_count(const char *one, const char *many, unsigned long count) {
  int before = errno;
  const char *translation =
      speaks_utf8() ? dcngettext("signet", one, many, count, LC_MESSAGES) : count == 1 ? one : many;
  errno = before;
  return translation;
}

const char *clinux_password_prompt(void) {
  int before = errno;
  const char *prompt = speaks_utf8() ? dcgettext("Linux-PAM", "Password: ", LC_MESSAGES) : "Password: ";
  errno = before;
  return prompt;
}

int clinux_columns(uint32_t scalar) {
  int columns = wcwidth((wchar_t)scalar);
  return columns < 0 ? 1 : columns;
}

int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

int clinux_openat(int directory, const char *path, int flags, mode_t mode) { return openat(directory, path, flags, mode); }

int clinux_lock_on_fault(const void *base, size_t length) { return mlock2(base, length, MLOCK_ONFAULT); }

int clinux_peer(int socket, pid_t *pid, uid_t *uid, gid_t *gid) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) return -1;
  if (length != sizeof peer) {
    errno = EPROTO;
    return -1;
  }
  *pid = peer.pid;
  *uid = peer.uid;
  *gid = peer.gid;
  return 0;
}

// Debian 12's headers are older than the kernels that it runs on.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int clinux_peer_process(int socket) {
  int process = -1;
  socklen_t length = sizeof process;
  return getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &length) < 0 ? -1 : process;
}

int clinux_process(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

static int address(struct sockaddr_un *name, const char *path) {
  size_t length = strlen(path);
  memset(name, 0, sizeof *name);
  name->sun_family = AF_UNIX;
  if (length == 0 || length >= sizeof name->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(name->sun_path, path, length + 1);
  return 0;
}

int clinux_connect_unix(int socket, const char *path) {
  struct sockaddr_un name;
  if (address(&name, path) < 0) return -1;
  return connect(socket, (const struct sockaddr *)&name, sizeof name);
}

int clinux_bind_unix(int socket, const char *path) {
  struct sockaddr_un name;
  if (address(&name, path) < 0) return -1;
  return bind(socket, (const struct sockaddr *)&name, sizeof name);
}

int clinux_accept(int socket, int flags) { return accept4(socket, NULL, NULL, flags); }

int32_t clinux_add_key(const char *type, const char *description, const void *payload, size_t length, int32_t ring) {
  return (int32_t)syscall(SYS_add_key, type, description, payload, length, ring);
}

long clinux_keyctl(int operation, unsigned long a2, unsigned long a3, unsigned long a4, unsigned long a5) {
  return syscall(SYS_keyctl, operation, a2, a3, a4, a5);
}

int clinux_duplicate(int descriptor, int least) { return fcntl(descriptor, F_DUPFD_CLOEXEC, least); }

int clinux_hold_lock(int descriptor) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int clinux_is_locked(int descriptor) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return -1;
  return lock.l_type != F_UNLCK;
}

int clinux_replace_descriptor(int descriptor, int replaced) { return dup3(descriptor, replaced, O_CLOEXEC); }

int clinux_close_from(unsigned int lowest) { return close_range(lowest, ~0U, 0); }

int clinux_unshare_descriptors(void) { return unshare(CLONE_FILES); }

int clinux_prctl(int option, unsigned long a2) { return prctl(option, a2, 0UL, 0UL, 0UL); }

int clinux_window_columns(int terminal) {
  struct winsize size;
  if (ioctl(terminal, TIOCGWINSZ, &size) < 0) return -1;
  return size.ws_col;
}

int clinux_typed(int terminal) {
  int count = 0;
  return ioctl(terminal, FIONREAD, &count) < 0 ? -1 : count;
}

// The kernel's form of a device's number, as TIOCGDEV has it.
static int is_device(const struct stat *file, unsigned int device) {
  return S_ISCHR(file->st_mode) && major(file->st_rdev) == (device >> 8 & 0xfff) &&
         minor(file->st_rdev) == ((device & 0xff) | (device >> 12 & 0xfff00));
}

int clinux_is_terminal_at(int terminal, const char *path) {
  unsigned int device;
  struct stat file;
  return ioctl(terminal, TIOCGDEV, &device) == 0 && stat(path, &file) == 0 && is_device(&file, device);
}

int clinux_is_terminal_of(int terminal, int descriptor) {
  unsigned int device;
  struct stat file;
  return ioctl(terminal, TIOCGDEV, &device) == 0 && fstat(descriptor, &file) == 0 && is_device(&file, device);
}

int clinux_has_one_thread(void) {
  struct stat folder;
  return stat("/proc/self/task", &folder) == 0 && folder.st_nlink == 3;
}

pid_t clinux_fork_unseen(void) {
  pid_t parent = getpid();
  fflush(NULL);
  pid_t child = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
  if (child == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)) _exit(1);
  return child;
}

void *clinux_signal_later(int signal, int milliseconds) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal};
  struct itimerspec when = {.it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L}};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return NULL;
  if (timer_settime(timer, 0, &when, NULL) == 0) return timer;
  timer_delete(timer);
  return NULL;
}

void clinux_signal_never(void *timer) { timer_delete(timer); }

void clinux_end_unseen(pid_t child) {
  kill(child, SIGKILL);
  while (waitpid(child, NULL, __WALL) < 0 && errno == EINTR) {}
}

int clinux_unread(int socket) {
  int bytes = 0;
  return ioctl(socket, SIOCOUTQ, &bytes) == 0 ? bytes : -1;
}

int clinux_open_terminal(char *name, size_t size) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0) return -1;
  if (grantpt(master) == 0 && unlockpt(master) == 0 && ptsname_r(master, name, size) == 0) return master;
  close(master);
  return -1;
}

int clinux_checked_mutex(void) { return PTHREAD_MUTEX_ERRORCHECK; }

int clinux_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

pid_t clinux_fork(void) { return fork(); }

int clinux_spawn(
    pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, char *const *words, char *const *variables) {
  posix_spawnattr_t attributes;
  sigset_t none, all;
  int error = posix_spawnattr_init(&attributes);
  if (error != 0) return error;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (error == 0) error = posix_spawn(process, path, actions, &attributes, words, variables);
  posix_spawnattr_destroy(&attributes);
  return error;
}

int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int least) {
  return posix_spawn_file_actions_addclosefrom_np(actions, least);
}

int clinux_secret_memory(void) { return (int)syscall(SYS_memfd_secret, O_CLOEXEC); }

int clinux_is_secret_memory(int descriptor) {
  struct statfs system;
  return fstatfs(descriptor, &system) == 0 && system.f_type == SECRETMEM_MAGIC;
}

int clinux_is_in_memory(const char *path) {
  struct statfs system;
  return statfs(path, &system) == 0 && (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC);
}

union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

int clinux_send_descriptor(int socket, const void *bytes, size_t length, int descriptor) {
  union control control;
  struct iovec part = {(void *)bytes, length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  memset(&control, 0, sizeof control);
  control.header.cmsg_level = SOL_SOCKET;
  control.header.cmsg_type = SCM_RIGHTS;
  control.header.cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)length ? 0 : -1;
}

long clinux_receive_descriptor(int socket, void *bytes, size_t capacity, int *descriptor) {
  union control control;
  struct iovec part = {bytes, capacity};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *descriptor = -1;
  ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  struct cmsghdr *first = count >= 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (first && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS && first->cmsg_len == CMSG_LEN(sizeof *descriptor))
    memcpy(descriptor, CMSG_DATA(first), sizeof *descriptor);
  return count;
}

void *clinux_open_self(void) { return dlmopen(LM_ID_BASE, NULL, RTLD_NOW); }

int clinux_device_news(void) {
  int news = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
  // Group 1 has the kernel's own messages, group 2 those of udev.
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = 1};
  if (news < 0) return -1;
  if (bind(news, (struct sockaddr *)&address, sizeof address) == 0) return news;
  int cause = errno;
  close(news);
  errno = cause;
  return -1;
}

long clinux_next_device_news(int news, void *bytes, size_t capacity) {
  struct sockaddr_nl sender = {0};
  socklen_t length = sizeof sender;
  ssize_t count = recvfrom(news, bytes, capacity, MSG_DONTWAIT, (struct sockaddr *)&sender, &length);
  if (count < 0) return -1;
  // Any process may send to a netlink socket; only the kernel has the number 0.
  return length == sizeof sender && sender.nl_family == AF_NETLINK && sender.nl_pid == 0 ? count : 0;
}
