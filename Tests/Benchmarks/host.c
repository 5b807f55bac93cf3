// The guest room: a host process with libc and libpam only, as sudo and login are, that measures what a module costs it.
//
//   host load RUNS MODULE.so          each load in a fresh child; medians as one JSON line
//   host auth RUNS SERVICE CONFDIR USER FINGER
//   host evaluate RUNS LIBSIGNET.so FINGER    the same as an application: a context each time, a finger only
//   host sign RUNS LIBSIGNET.so FINGER    the same of a signature, by a key that a finger releases, which is made before and deleted
//   host begin RUNS PROGRAM    from starting a program to the first byte that it writes: microseconds of each
//   host read RUNS LIBSIGNET.so COUNT    stores so many items, and reads them in turn by one connection: microseconds of each read
//
// FINGER is text:SOCKET:LINE (a virtual device), raw:SOCKET:FILE (a virtual image reader), none, or wait: then the host
// prints a line when the module first says something. A finger is presented by the host itself, inside the conversation, at
// that moment: no second process has to be woken. A question is refused. Each authentication prints one JSON line with microseconds: all of pam_authenticate, from the finger to the
// answer, and to the first question.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <security/pam_appl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "signet.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

// ---- load

static long private_dirty(void) {
  char line[256];
  long kib = -1;
  FILE *f = fopen("/proc/self/smaps_rollup", "r");
  while (f && fgets(line, sizeof line, f)) {
    if (!strncmp(line, "Private_Dirty:", 14)) kib = atol(line + 14);
  }
  if (f) fclose(f);
  return kib;
}

struct load {
  double us;
  long dirty;
};

static struct load load_once(const char *path) {
  struct load result = {-1, 0};
  long before = private_dirty();
  before = private_dirty();  // the second call finds stdio's own buffers already there
  double start = now();
  void *module = dlopen(path, RTLD_NOW);
  double end = now();
  if (!module) {
    fprintf(stderr, "%s\n", dlerror());
    return result;
  }
  result.dirty = private_dirty() - before;
  result.us = end - start;
  return result;
}

static int load_in_child(const char *path, struct load *result) {
  int ends[2];
  if (pipe(ends)) return -1;
  pid_t child = fork();
  if (child == 0) {
    struct load once = load_once(path);
    _exit(write(ends[1], &once, sizeof once) == sizeof once ? 0 : 1);
  }
  close(ends[1]);
  ssize_t count = read(ends[0], result, sizeof *result);
  close(ends[0]);
  waitpid(child, NULL, 0);
  return count == sizeof *result && result->us >= 0 ? 0 : -1;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int load(int runs, const char *path) {
  double *us = calloc(runs, sizeof *us), *dirty = calloc(runs, sizeof *dirty);
  for (int i = 0; i < runs; i++) {
    struct load once;
    if (load_in_child(path, &once)) return 1;
    us[i] = once.us;
    dirty[i] = once.dirty;
  }
  qsort(us, runs, sizeof *us, by_value);
  qsort(dirty, runs, sizeof *dirty, by_value);
  printf("{\"us\":%.1f,\"dirty_kib\":%.0f}\n", us[runs / 2], dirty[runs / 2]);
  return 0;
}

// ---- begin

extern char **environ;

// The program is started as signetd starts its helpers.
static pid_t spawn_into(int pipe, char *path) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe, STDOUT_FILENO);
  char *words[] = {path, NULL};
  pid_t pid = -1;
  int code = posix_spawn(&pid, path, &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return code ? -1 : pid;
}

static double begin_once(char *path) {
  int ends[2], status = 1;
  char byte;
  if (pipe2(ends, O_CLOEXEC)) return -1;
  double start = now();
  pid_t pid = spawn_into(ends[1], path);
  close(ends[1]);
  ssize_t count = read(ends[0], &byte, 1);
  double end = now();
  close(ends[0]);
  if (pid > 0) waitpid(pid, &status, 0);
  return count == 1 && status == 0 ? end - start : -1;
}

static int begin(int runs, char *path) {
  for (int i = 0; i < runs; i++) {
    double us = begin_once(path);
    if (us < 0) return 1;
    printf("%.1f\n", us);
  }
  return 0;
}

// ---- auth

static struct {
  const char *path;
  char *image;
  size_t length;
  int held;  // an image reader sees its finger leave when the connection closes
} finger = {.held = -1};

static double finger_at, question_at;
static int tells;

static int read_finger(char *spec) {
  char *kind = strtok(spec, ":"), *path = strtok(NULL, ":"), *rest = strtok(NULL, "");
  if (!strcmp(kind, "none")) return 0;
  if (!strcmp(kind, "wait")) {
    tells = 1;
    return 0;
  }
  if (!path || !rest) return -1;
  finger.path = path;
  if (!strcmp(kind, "text")) {
    finger.image = rest;
    finger.length = strlen(rest);
    return 0;
  }
  FILE *f = fopen(rest, "rb");
  if (!f) return -1;
  finger.image = malloc(16 << 20);
  finger.length = fread(finger.image, 1, 16 << 20, f);
  fclose(f);
  return 0;
}

static int connect_reader(void) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  strncpy(name.sun_path, finger.path, sizeof name.sun_path - 1);
  int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (s >= 0 && connect(s, (struct sockaddr *)&name, sizeof name) == 0) return s;
  if (s >= 0) close(s);
  return -1;
}

static void present(void) {
  int s = connect_reader();
  // A module may speak a moment before the reader's socket is there.
  for (int tries = 0; s < 0 && tries < 20000; tries++) {
    usleep(50);
    s = connect_reader();
  }
  finger_at = now();
  for (size_t sent = 0; s >= 0 && sent < finger.length;) {
    ssize_t count = send(s, finger.image + sent, finger.length - sent, MSG_NOSIGNAL);
    if (count < 0) break;
    sent += count;
  }
  finger.held = s;
}

static int converse(int count, const struct pam_message **messages, struct pam_response **responses, void *context) {
  (void)context;
  for (int i = 0; i < count; i++) {
    int style = messages[i]->msg_style;
    if (style == PAM_PROMPT_ECHO_OFF || style == PAM_PROMPT_ECHO_ON) {
      if (!question_at) question_at = now();
      return PAM_CONV_ERR;
    }
    if (style == PAM_TEXT_INFO && finger.path && finger.held < 0) present();
    if (tells) puts("told");
    tells = 0;
  }
  *responses = calloc(count, sizeof **responses);
  return *responses ? PAM_SUCCESS : PAM_BUF_ERR;
}

static int authenticate(const char *service, const char *confdir, const char *user) {
  struct pam_conv conversation = {converse, NULL};
  pam_handle_t *handle = NULL;
  finger_at = question_at = 0;
  if (pam_start_confdir(service, user, &conversation, confdir, &handle) != PAM_SUCCESS) return -1;
  double start = now();
  int code = pam_authenticate(handle, 0);
  double end = now();
  pam_end(handle, code);
  if (finger.held >= 0) close(finger.held);
  finger.held = -1;
  printf("{\"code\":%d,\"us\":%.1f,\"after_finger_us\":%.1f,\"question_us\":%.1f,\"question_at\":%.1f}\n", code, end - start,
         finger_at ? end - finger_at : -1, question_at ? question_at - start : -1, question_at);
  return 0;
}

// ---- evaluate

static void show(void *data, signet_context *context, const signet_prompt *prompt) {
  (void)data;
  (void)context;
  if (prompt->code == SIGNET_PROMPT_TOUCH && finger.path && finger.held < 0) present();
}

static bool (*evaluate_policy)(signet_context *, int32_t, const char *, signet_error *);
static bool (*sign_digest)(signet_context *, const char *, const char *, const uint8_t *, const char *, uint8_t *, signet_error *);

static bool evaluate(signet_context *context, signet_error *error) {
  return evaluate_policy(context, SIGNET_POLICY_BIOMETRICS, "measure", error);
}

static const signet_item bench_key = {.kind = SIGNET_ITEM_KEY,
                                      .accessible = SIGNET_ACCESSIBLE_AFTER_FIRST_UNLOCK,
                                      .service = "bench",
                                      .account = "finger",
                                      .access_control = SIGNET_ACCESS_BIOMETRY_ANY};

static bool sign(signet_context *context, signet_error *error) {
  const uint8_t digest[SIGNET_DIGEST_LENGTH] = {1};
  uint8_t signature[SIGNET_SIGNATURE_LENGTH];
  return sign_digest(context, bench_key.service, bench_key.account, digest, "measure", signature, error);
}

/// So many times, in a context of its own each: microseconds of each.
static int by_finger(int runs, const char *path, const char *what) {
  void *library = dlopen(path, RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  signet_context *(*create)(const char *, signet_error *) = dlsym(library, "signet_context_create");
  void (*set_prompter)(signet_context *, const signet_prompter *, void *) = dlsym(library, "signet_context_set_prompter");
  void (*release)(signet_context *) = dlsym(library, "signet_context_free");
  bool (*make)(signet_context *, const signet_item *, const char *, uint8_t *, signet_error *) = dlsym(library, "signet_key_create");
  bool (*delete)(signet_context *, int32_t, const char *, const char *, signet_error *) = dlsym(library, "signet_item_delete");
  evaluate_policy = dlsym(library, "signet_evaluate_policy");
  sign_digest = dlsym(library, "signet_key_sign");
  if (!create || !set_prompter || !evaluate_policy || !release || !make || !delete || !sign_digest) return 1;
  bool signs = !strcmp(what, "sign");
  uint8_t point[SIGNET_PUBLIC_KEY_LENGTH];
  signet_context *maker = create("bench", NULL);
  if (!maker || (signs && !make(maker, &bench_key, NULL, point, NULL))) return 1;
  const signet_prompter prompter = {sizeof prompter, show, NULL};
  for (int i = 0; i < runs; i++) {
    signet_error error = {0};
    finger_at = 0;
    double start = now();
    signet_context *context = create("bench", &error);
    if (!context) return 1;
    set_prompter(context, &prompter, NULL);
    bool is_done = signs ? sign(context, &error) : evaluate(context, &error);
    double end = now();
    release(context);
    if (finger.held >= 0) close(finger.held);
    finger.held = -1;
    printf("{\"code\":%d,\"us\":%.1f,\"after_finger_us\":%.1f}\n", is_done ? 0 : error.code, end - start,
           finger_at ? end - finger_at : -1);
  }
  if (signs) delete(maker, bench_key.kind, bench_key.service, bench_key.account, NULL);
  release(maker);
  return 0;
}

// ---- read

enum { CONTEXT = 35, DONE = 'R', VAULT_READ = 30, VALUE_REPLY = 'E' };

static size_t put_text(unsigned char *packet, const char *text) {
  size_t length = strlen(text);
  packet[0] = length;
  packet[1] = 0;
  memcpy(packet + 2, text, length);
  return length + 2;
}

static bool is_answered(int descriptor, unsigned char kind) {
  unsigned char packet[4096];
  return recv(descriptor, packet, sizeof packet, 0) >= 2 && packet[1] == kind;
}

static int open_context(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  unsigned char packet[64] = {1, CONTEXT};
  size_t length = 2 + put_text(packet + 2, "bench");
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return -1;
  return send(descriptor, packet, length, 0) > 0 && is_answered(descriptor, DONE) ? descriptor : -1;
}

static bool store_items(const char *path, int count) {
  void *library = dlopen(path, RTLD_NOW);
  if (!library) return false;
  signet_context *(*create)(const char *, signet_error *) = dlsym(library, "signet_context_create");
  bool (*add)(signet_context *, const signet_item *, const void *, size_t, const char *, signet_error *) =
      dlsym(library, "signet_item_add");
  signet_context *context = create && add ? create("bench", NULL) : NULL;
  char service[32];
  for (int i = 0; context && i < count; i++) {
    snprintf(service, sizeof service, "read%d", i);
    signet_item item = {.service = service, .account = "", .accessible = SIGNET_ACCESSIBLE_AFTER_FIRST_UNLOCK};
    if (!add(context, &item, "0123456789abcdef0123456789abcdef", 32, NULL, NULL)) return false;
  }
  // What was written a moment ago is read from the disk each time.
  usleep(200000);
  return context != NULL;
}

static int read_items(int runs, const char *path, int count) {
  double *times = calloc(runs, sizeof *times);
  const char *socket = getenv("SIGNET_SOCKET");
  int descriptor = times && socket && store_items(path, count) ? open_context(socket) : -1;
  if (descriptor < 0) return 1;
  for (int i = 0; i < runs; i++) {
    char service[32];
    unsigned char packet[64] = {1, VAULT_READ};
    snprintf(service, sizeof service, "read%d", i % count);
    double start = now();
    size_t length = 2 + put_text(packet + 2, "") + 1;
    length += put_text(packet + length, service);
    length += put_text(packet + length, "") + 1;
    if (send(descriptor, packet, length, 0) < 0 || !is_answered(descriptor, VALUE_REPLY) || !is_answered(descriptor, DONE))
      return 1;
    times[i] = now() - start;
  }
  for (int i = 0; i < runs; i++) printf("%.1f\n", times[i]);
  return 0;
}

int main(int count, char **words) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (count == 4 && !strcmp(words[1], "load")) return load(atoi(words[2]), words[3]);
  if (count == 4 && !strcmp(words[1], "begin")) return begin(atoi(words[2]), words[3]);
  if (count == 5 && (!strcmp(words[1], "evaluate") || !strcmp(words[1], "sign")))
    return read_finger(words[4]) ? 2 : by_finger(atoi(words[2]), words[3], words[1]);
  if (count == 5 && !strcmp(words[1], "read")) return read_items(atoi(words[2]), words[3], atoi(words[4]));
  if (count != 7 || strcmp(words[1], "auth") || read_finger(words[6])) return 2;
  for (int i = atoi(words[2]); i > 0; i--) {
    if (authenticate(words[3], words[4], words[5])) return 1;
  }
  return 0;
}
