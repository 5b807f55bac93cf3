/* A program with several threads that asks on its terminal. Its words: who asks (main, worker, both, or steps), the policy, and then
   what the program does with signals. Says what came of it, and whether each signal is handled as it was. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <signet.h>

static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU};
enum { COUNT = sizeof numbers / sizeof numbers[0] };
static struct sigaction before[COUNT];
static int policy;
static int ready[2];
static bool exits;

static void say(const char *text) {
  if (write(1, text, strlen(text)) < 0) abort();
}

static void on_signal(int number) { say(number == SIGTSTP ? "handler stop\n" : "handler\n"); }
static void on_other(int number) { (void)number, say("other\n"); }

static void set(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(number, &action, NULL);
}

static void look(struct sigaction *all) {
  for (int i = 0; i < COUNT; i++) sigaction(numbers[i], NULL, &all[i]);
}

static int evaluate_in_steps(signet_context *context, signet_error *error) {
  int result;
  if (!signet_evaluation_begin(context, policy, "to test", error)) return SIGNET_STEP_FAILED;
  while ((result = signet_evaluation_step(context, error)) == SIGNET_STEP_PENDING) {
    struct pollfd event = {.fd = signet_evaluation_descriptor(context), .events = POLLIN};
    poll(&event, 1, 20000);
  }
  return result;
}

static void *evaluate(void *form) {
  signet_error error = {0};
  signet_context *context = signet_context_create("threads", &error);
  bool is_done = strcmp(form, "steps") ? signet_evaluate_policy(context, policy, "to test", &error)
                                       : evaluate_in_steps(context, &error) == SIGNET_STEP_SUCCEEDED;
  char text[64];
  snprintf(text, sizeof text, "evaluate %d\n", is_done ? 0 : error.code);
  say(text);
  signet_context_free(context);
  return NULL;
}

/* Any signal may come to this one. Once the test says so it ends the program, or takes SIGINT. */
static void *idle(void *none) {
  char byte;
  while (read(ready[0], &byte, 1) < 1) continue;
  if (exits) exit(7);
  set(SIGINT, on_other);
  say("changed\n");
  return none;
}

static void on_change(int number) {
  (void)number;
  if (write(ready[1], "", 1) < 0) abort();
}

int main(int count, char **words) {
  pthread_t other, worker[2];
  struct sigaction after[COUNT];
  const char *form = words[1];
  if (pipe(ready) != 0) return 2;
  policy = atoi(words[2]);
  set(SIGUSR1, on_change);
  for (int i = 3; i < count; i++) {
    if (!strcmp(words[i], "handler")) set(SIGINT, on_signal), set(SIGTSTP, on_signal);
    if (!strcmp(words[i], "ignore")) signal(SIGINT, SIG_IGN);
    if (!strcmp(words[i], "exit")) exits = true;
  }
  look(before);
  char text[32];
  snprintf(text, sizeof text, "pid %d\n", getpid());
  say(text);
  pthread_create(&other, NULL, idle, NULL);
  if (!strcmp(form, "main") || !strcmp(form, "steps")) {
    /* Nothing comes to the thread that asks. */
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    evaluate((void *)form);
  } else {
    int workers = strcmp(form, "both") ? 1 : 2;
    for (int i = 0; i < workers; i++) pthread_create(&worker[i], NULL, evaluate, (void *)form);
    for (int i = 0; i < workers; i++) pthread_join(worker[i], NULL);
  }
  look(after);
  for (int i = 0; i < COUNT; i++) {
    if (after[i].sa_handler == on_other) say("handler kept\n");
    /* libc adds a flag of its own, SA_RESTORER, to whatever is set. */
    else if (after[i].sa_handler != before[i].sa_handler || ((after[i].sa_flags ^ before[i].sa_flags) & ~0x04000000) ||
             memcmp(&after[i].sa_mask, &before[i].sa_mask, sizeof(long)))
      say("handler lost\n");
  }
  say("end\n");
  return 0;
}
