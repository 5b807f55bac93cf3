/* A program that does with libsignet what its arguments say, one after the other, and prints what came of it. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <signet.h>

static signet_context *context;
static const char *passcodes[16];
static int given, asked;
/* At this prompt: what is done. */
static int at_code;
static const char *at_action = "";

static void report(const char *what, bool is_done, const signet_error *error) {
  if (is_done)
    printf("%s ok\n", what);
  else
    printf("%s error %d %d %s|%s\n", what, error->domain, error->code, error->message, error->detail);
  fflush(stdout);
}

static void act(int code) {
  if (code != at_code) return;
  if (!strcmp(at_action, "again")) {
    signet_error error;
    report("again", signet_evaluate_policy(context, SIGNET_POLICY_DEVICE_OWNER, "again", &error), &error);
  }
  if (!strcmp(at_action, "cancel")) signet_cancel(context, SIGNET_ERROR_APP_CANCEL);
  if (!strcmp(at_action, "system")) signet_cancel(context, SIGNET_ERROR_SYSTEM_CANCEL);
  if (!strcmp(at_action, "decline")) signet_decline(context);
  if (!strcmp(at_action, "invalidate")) signet_invalidate(context);
  if (!strcmp(at_action, "fallback")) signet_fall_back(context);
  if (!strcmp(at_action, "alarm")) raise(SIGALRM);
  if (!strcmp(at_action, "nested")) {
    signet_error error;
    report("nested", signet_evaluate_policy(context, SIGNET_POLICY_DEVICE_OWNER, "again", &error), &error);
    report("nested-item", signet_item_delete(context, 0, "x", "", &error), &error);
  }
}

/* Does the action once a line is typed. */
static void *act_when_typed(void *unused) {
  (void)unused;
  if (getchar() != EOF) act(at_code);
  return NULL;
}

static void await_line(const char *action) {
  pthread_t thread;
  at_action = action;
  if (pthread_create(&thread, NULL, act_when_typed, NULL) || pthread_detach(thread)) abort();
}

/* From now on there is hardly any memory to be had. */
static void lack(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%lu", &pages) != 1 || fclose(file)) abort();
  rlim_t bytes = (pages + 8) * (rlim_t)sysconf(_SC_PAGESIZE);
  if (setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes})) abort();
}

static void show(void *data, signet_context *of, const signet_prompt *prompt) {
  printf("prompt %d %d %d %s|%s\n", prompt->code, prompt->value, prompt->may_fall_back, prompt->words, prompt->detail);
  fflush(stdout);
  if (data != &context || of != context) abort();
  act(prompt->code);
}

static void ask_passcode(void *data, signet_context *of, const signet_prompt *prompt) {
  show(data, of, prompt);
  if (asked < given) {
    const char *passcode = passcodes[asked++];
    if (!signet_answer_passcode(of, passcode, strlen(passcode))) abort();
  } else if (at_code != prompt->code) {
    signet_decline(of);
  }
}

static void on_alarm(int number) {
  (void)number;
  signet_cancel(context, SIGNET_ERROR_USER_CANCEL);
}

static void print_bytes(const char *what, const uint8_t *bytes, size_t count) {
  printf("%s ", what);
  for (size_t n = 0; n < count; n++) printf("%02x", bytes[n]);
  printf("\n");
}

static bool each(void *data, const signet_item *item, const signet_item_facts *facts) {
  (void)data;
  if (item->kind == SIGNET_ITEM_KEY) {
    print_bytes(item->service, item->attributes, item->attributes_length);
    return true;
  }
  printf("item %d %s %s %s %s %u %d %.*s lost=%d creator=%s\n", item->kind, item->service, item->account, item->label, item->comment,
         item->access_control, item->accessible, (int)item->attributes_length, (const char *)item->attributes, facts->is_lost,
         facts->creator);
  return true;
}

static bool each_session(void *data, const signet_session *session) {
  (void)data;
  printf("session %s %s\n", session->user, session->service);
  return true;
}

static void evaluate_in_steps(int policy) {
  signet_error error = {0};
  if (!signet_evaluation_begin(context, policy, "to test", &error)) return report("steps", false, &error);
  int steps = 0, result;
  int descriptor = signet_evaluation_descriptor(context);
  while ((result = signet_evaluation_step(context, &error)) == SIGNET_STEP_PENDING) {
    struct pollfd ready = {.fd = descriptor, .events = POLLIN};
    if (poll(&ready, 1, 20000) <= 0) abort();
    if (++steps > 10000) abort();
  }
  report("steps", result == SIGNET_STEP_SUCCEEDED, &error);
  if (signet_evaluation_descriptor(context) != -1) abort();
}

static void watch(int count) {
  signet_error error = {0};
  signet_watch *watch = signet_watch_create(&error);
  signet_state state;
  if (!watch) return report("watch", false, &error);
  while (count-- > 0 && signet_watch_next(watch, &state, &error)) {
    printf("state %d %d %d %d\n", state.state, state.lock, state.error, state.has_domain_state);
    fflush(stdout);
  }
  signet_watch_cancel(watch);
  report("watch", signet_watch_next(watch, &state, &error), &error);
  signet_watch_free(watch);
}

int main(int count, char **words) {
  signet_error error = {0};
  signet_prompter prompter = {sizeof prompter, show, ask_passcode};
  context = signet_context_create("Test <client>", &error);
  if (!context) return report("create", false, &error), 1;
  signet_context_set_prompter(context, &prompter, &context);
  signal(SIGALRM, on_alarm);
  for (int i = 1; i < count; i++) {
    const char *word = words[i];
    const char *next = i + 1 < count ? words[i + 1] : "";
    signet_item item = {.service = next, .account = "me", .label = "L", .comment = "C", .attributes = (const uint8_t *)"abc",
                        .attributes_length = 3};
    if (!strcmp(word, "can")) {
      report("can", signet_can_evaluate_policy(context, atoi(next), &error), &error), i++;
      uint8_t state[SIGNET_DOMAIN_STATE_LENGTH];
      printf("biometry %d %d\n", signet_biometry_type(context), signet_domain_state(context, state));
    } else if (!strcmp(word, "domain")) {
      uint8_t state[SIGNET_DOMAIN_STATE_LENGTH];
      if (!signet_can_evaluate_policy(context, 1, &error) || !signet_domain_state(context, state)) abort();
      print_bytes("domain", state, sizeof state);
    } else if (!strcmp(word, "evaluate")) {
      report("evaluate", signet_evaluate_policy(context, atoi(next), "to test", &error), &error), i++;
      printf("method %d\n", signet_method(context));
    } else if (!strcmp(word, "steps")) {
      evaluate_in_steps(atoi(next)), i++;
    } else if (!strcmp(word, "no-reason")) {
      report("no-reason", signet_evaluate_policy(context, 1, "", &error), &error);
    } else if (!strcmp(word, "passcode")) {
      passcodes[given++] = next, i++;
    } else if (!strcmp(word, "at")) {
      at_code = atoi(next), at_action = words[i + 2], i += 2;
    } else if (!strcmp(word, "silent")) {
      signet_context_set_interaction_allowed(context, false);
    } else if (!strcmp(word, "alarm")) {
      alarm((unsigned)atoi(next)), i++;
    } else if (!strcmp(word, "typed")) {
      await_line(next), i++;
    } else if (!strcmp(word, "reuse")) {
      signet_context_set_reuse_duration(context, (uint32_t)atoi(next)), i++;
    } else if (!strcmp(word, "lack")) {
      lack();
    } else if (!strcmp(word, "big")) {
      size_t length = (size_t)atol(words[i + 2]);
      char *value = calloc(1, length);
      report("big", value && signet_item_add(context, &item, value, length, "", &error), &error), i += 2;
      free(value);
    } else if (!strcmp(word, "default")) {
      signet_context_set_prompter(context, NULL, NULL);
    } else if (!strcmp(word, "no-fallback")) {
      signet_context_set_fallback_title(context, "");
    } else if (!strcmp(word, "invalidate")) {
      signet_invalidate(context);
    } else if (!strcmp(word, "forget")) {
      report("forget", signet_forget(context, &error), &error);
    } else if (!strcmp(word, "add") || !strcmp(word, "update")) {
      item.access_control = (uint32_t)strtoul(words[i + 3], NULL, 0);
      const char *value = words[i + 2];
      report(word,
             (word[0] == 'a' ? signet_item_add : signet_item_update)(context, &item, value, strlen(value), "to keep it", &error),
             &error);
      i += 3;
    } else if (!strcmp(word, "copy")) {
      size_t length = 99;
      char *value = signet_item_copy(context, SIGNET_ITEM_PASSWORD, next, "me", "to read it", &length, &error);
      if (value) printf("value %zu %s\n", length, value);
      report("copy", value != NULL, &error), i++;
      signet_free(value);
    } else if (!strcmp(word, "key")) {
      uint8_t point[SIGNET_PUBLIC_KEY_LENGTH] = {0};
      item.kind = SIGNET_ITEM_KEY, item.attributes_length = 0, item.access_control = (uint32_t)strtoul(words[i + 2], NULL, 0);
      report("key", signet_key_create(context, &item, "to make it", point, &error), &error), i += 2;
      print_bytes("point", point, sizeof point);
    } else if (!strcmp(word, "sign")) {
      /* SHA-256 of "to sign". */
      static const uint8_t digest[SIGNET_DIGEST_LENGTH] = {0x43, 0x95, 0x81, 0x47, 0x19, 0x19, 0x41, 0x67, 0xd3, 0xba, 0xf0, 0x6c, 0x76, 0x4f, 0xbe, 0x9a,
                                                        0x15, 0x82, 0x2e, 0x08, 0xf8, 0xaa, 0x27, 0xf7, 0x4f, 0x31, 0x8f, 0xaa, 0xff, 0x2a, 0x12, 0x42};
      uint8_t signature[SIGNET_SIGNATURE_LENGTH] = {0};
      report("sign", signet_key_sign(context, next, "me", digest, "to sign", signature, &error), &error), i++;
      print_bytes("signature", signature, sizeof signature);
    } else if (!strcmp(word, "agree")) {
      /* With a key of another's, in hexadecimal digits. */
      uint8_t point[SIGNET_PUBLIC_KEY_LENGTH] = {0}, secret[SIGNET_AGREEMENT_LENGTH] = {0};
      for (size_t j = 0; j < sizeof point; j++) sscanf(words[i + 2] + 2 * j, "%2hhx", &point[j]);
      report("agree", signet_key_agree(context, next, "me", point, "to agree", secret, &error), &error), i += 2;
      print_bytes("secret", secret, sizeof secret);
    } else if (!strcmp(word, "delete-key")) {
      report("delete-key", signet_item_delete(context, SIGNET_ITEM_KEY, next, "me", &error), &error), i++;
    } else if (!strcmp(word, "delete")) {
      report("delete", signet_item_delete(context, SIGNET_ITEM_PASSWORD, next, "me", &error), &error), i++;
    } else if (!strcmp(word, "list")) {
      report("list", signet_item_list(context, each, NULL, &error), &error);
    } else if (!strcmp(word, "sessions")) {
      report("sessions", signet_session_list(each_session, NULL, &error), &error);
    } else if (!strcmp(word, "token")) {
      char *token = signet_token_copy(&error);
      report("token", token != NULL, &error);
      signet_free(token);
    } else if (!strcmp(word, "watch")) {
      watch(atoi(next)), i++;
    } else if (!strcmp(word, "fork")) {
      /* The rest is the child's; the parent says afterwards whether its own context went on. */
      fflush(stdout);
      pid_t child = fork();
      if (child > 0) {
        int status = 0;
        waitpid(child, &status, 0);
        printf("child %d\n", status);
      }
    } else {
      fprintf(stderr, "%s?\n", word);
      return 2;
    }
    fflush(stdout);
  }
  signet_context_free(context);
  return 0;
}
