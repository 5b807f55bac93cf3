#define _GNU_SOURCE 1
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP};
enum { COUNT = sizeof numbers / sizeof numbers[0], STOPPING = COUNT - 1 };

// Of everything below that is not atomic. A handler takes no lock.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int prompts, questions;

// The process that has the handlers, 0 for none: in a forked child they are nobody's.
static _Atomic pid_t owner;
static atomic_int wake = -1;
static atomic_uint noted;
// Handlers that are at work, in other threads: the descriptor is closed behind them.
static atomic_int running;
static struct sigaction before[COUNT];

static bool is_changed;
// The terminal as the program left it, and as it was set here.
static struct termios original, current;

// MARK: Signals

static void note(int number);

static bool is_ours(const struct sigaction *action) { return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == note; }

// A signal that was under way when the handlers went, or that came to a forked child: it is the program's. A handler of the
// program's that calls the one it found here is not called again.
static void hand_on(int number, const struct sigaction *was) {
  struct sigaction now;
  if (sigaction(number, NULL, &now) != 0) return;
  if (is_ours(&now))
    sigaction(number, was, NULL);
  else if (now.sa_sigaction != was->sa_sigaction)
    return;
  kill(getpid(), number);
}

static void note(int number) {
  int saved = errno;
  atomic_fetch_add(&running, 1);
  int index = 0;
  while (index < STOPPING && numbers[index] != number) index++;
  int descriptor = atomic_load(&wake);
  if (descriptor >= 0 && atomic_load(&owner) == getpid()) {
    uint64_t one = 1;
    atomic_fetch_or(&noted, 1U << index);
    if (write(descriptor, &one, sizeof one) < 0) errno = saved;
  } else {
    hand_on(number, &before[index]);
  }
  atomic_fetch_sub(&running, 1);
  errno = saved;
}

static void install(int index) {
  struct sigaction now;
  if (sigaction(numbers[index], NULL, &now) != 0 || is_ours(&now)) return;
  if (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN) return;
  before[index] = now;
  // SA_ONSTACK: threads of some languages have no room for a handler on their own stack.
  struct sigaction ours = {.sa_handler = note, .sa_flags = SA_RESTART | SA_ONSTACK};
  sigfillset(&ours.sa_mask);
  sigaction(numbers[index], &ours, NULL);
}

static void uninstall(int index) {
  struct sigaction now;
  if (sigaction(numbers[index], NULL, &now) == 0 && is_ours(&now)) sigaction(numbers[index], &before[index], NULL);
}

// Raises a signal that one of the program's threads took, as the program wants it. Where it ends or stops the process it does so
// before this returns: in this thread, which may be one that the program keeps free of signals.
static void deliver(int number) {
  struct sigaction now;
  sigset_t one, mask;
  if (sigaction(number, NULL, &now) != 0) return;
  bool is_default = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  if (!is_default && sigismember(&mask, number)) {
    kill(getpid(), number);
    return;
  }
  sigemptyset(&one);
  sigaddset(&one, number);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  raise(number);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

// MARK: Settings

static bool is_foreground(int terminal) { return tcgetpgrp(terminal) == getpgrp(); }

// TCSANOW: to wait for the output of a stopped terminal would hold the program.
static int change(int terminal, const struct termios *mode) {
  if (tcsetattr(terminal, TCSANOW, mode) != 0) return -1;
  tcflush(terminal, TCIFLUSH);
  return 0;
}

static int hide(int terminal) {
  if (!is_changed && tcgetattr(terminal, &original) != 0) return -1;
  struct termios mode = original;
  mode.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
  if (questions > 0) {
    mode.c_lflag |= ICANON | ISIG;
    mode.c_iflag |= ICRNL;
    mode.c_iflag &= ~(tcflag_t)IGNCR;
    // Esc ends the line, which then is no answer: it need not be waited for that Enter is pressed.
    mode.c_cc[VEOL] = 27;
  }
  if (change(terminal, &mode) != 0) return -1;
  current = mode;
  is_changed = true;
  return 0;
}

// Where another program has the terminal by now, such as a pager behind a pipe, it keeps it. The shell may have it in the settings that
// were made here, when the rest of the job has ended before: then they are put back from the background, which must not stop the program.
static void restore(int terminal) {
  const tcflag_t own = ECHO | ECHONL | ICANON | ISIG;
  struct termios mode;
  sigset_t stop, mask;
  if (!is_changed) return;
  is_changed = false;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTTOU);
  if (pthread_sigmask(SIG_BLOCK, &stop, &mask) != 0) return;
  if (tcgetattr(terminal, &mode) == 0 && (mode.c_lflag & own) == (current.c_lflag & own)) {
    bool flushes = is_foreground(terminal);
    if (tcsetattr(terminal, TCSANOW, &original) == 0 && flushes) tcflush(terminal, TCIFLUSH);
  }
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

// MARK: Prompts

// In a forked child nothing is as it was: what the parent asks is not the child's, nor is the terminal.
static void enter(void) {
  pid_t known = atomic_load(&owner);
  if (known != 0 && known != getpid()) {
    pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    lock = fresh;
    prompts = questions = 0;
    is_changed = false;
    for (int index = 0; index < COUNT; index++) uninstall(index);
    atomic_store(&wake, -1);
    atomic_store(&noted, 0);
    atomic_store(&running, 0);
    atomic_store(&owner, 0);
  }
  pthread_mutex_lock(&lock);
}

static bool take_handlers(void) {
  int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) return false;
  atomic_store(&owner, getpid());
  atomic_store(&wake, descriptor);
  for (int index = 0; index < COUNT; index++) install(index);
  return true;
}

// Gives the handlers back; what was noted.
static unsigned give_handlers(void) {
  for (int index = 0; index < COUNT; index++) uninstall(index);
  int descriptor = atomic_exchange(&wake, -1);
  while (atomic_load(&running) > 0) sched_yield();
  close(descriptor);
  atomic_store(&owner, 0);
  return atomic_exchange(&noted, 0);
}

int cterminal_begin(int terminal) {
  int descriptor = -1;
  enter();
  if (prompts > 0 || take_handlers()) {
    descriptor = atomic_load(&wake);
    if (prompts++ == 0 && is_foreground(terminal)) hide(terminal);
  }
  pthread_mutex_unlock(&lock);
  return descriptor;
}

int cterminal_ask(int terminal) {
  enter();
  questions++;
  // In the background this stops the process until it has the terminal.
  int result = prompts > 0 ? hide(terminal) : -1;
  if (result != 0) questions--;
  pthread_mutex_unlock(&lock);
  return result;
}

void cterminal_answered(int terminal) {
  enter();
  if (questions > 0) {
    questions--;
    if (is_changed && is_foreground(terminal)) hide(terminal);
  }
  pthread_mutex_unlock(&lock);
}

int cterminal_noted(void) {
  unsigned all = atomic_load(&owner) == getpid() ? atomic_load(&noted) : 0;
  if (all & ~(1U << STOPPING)) return CTERMINAL_END;
  return all != 0 ? CTERMINAL_STOP : CTERMINAL_NOTHING;
}

// Forgets the noted stop; false where there is none any more.
static bool take_stop(void) {
  uint64_t counter = 1;
  if (!(atomic_fetch_and(&noted, ~(1U << STOPPING)) & (1U << STOPPING))) return false;
  int descriptor = atomic_load(&wake);
  bool is_empty = read(descriptor, &counter, sizeof counter) < 0;
  counter = 1;
  // Another signal may have come before the descriptor was read.
  if (!is_empty && atomic_load(&noted) != 0) is_empty = write(descriptor, &counter, sizeof counter) < 0;
  return true;
}

void cterminal_stop(int terminal) {
  enter();
  if (prompts > 0 && take_stop()) {
    restore(terminal);
    uninstall(STOPPING);
    deliver(SIGTSTP);
    install(STOPPING);
    if (questions > 0 || is_foreground(terminal)) hide(terminal);
  }
  pthread_mutex_unlock(&lock);
}

void cterminal_end(int terminal) {
  unsigned came = 0;
  enter();
  if (prompts > 0 && --prompts == 0) {
    questions = 0;
    restore(terminal);
    came = give_handlers();
  }
  pthread_mutex_unlock(&lock);
  for (int index = 0; index < COUNT; index++)
    if (came & (1U << index)) deliver(numbers[index]);
}

// The program ends while it asks, by exit(3) in another thread.
__attribute__((destructor)) static void leave(void) {
  if (atomic_load(&owner) != getpid() || pthread_mutex_trylock(&lock) != 0) return;
  int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal >= 0) {
    restore(terminal);
    close(terminal);
  }
  for (int index = 0; index < COUNT; index++) uninstall(index);
  pthread_mutex_unlock(&lock);
}
