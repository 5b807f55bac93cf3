// A PAM module whose arguments are the steps of its authentication, or of its account phase. What a step expects and does not find ends it with
// PAM_SYSTEM_ERR, which no test takes for a pass.
#define _GNU_SOURCE 1
#include <dirent.h>
#include <fcntl.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int converse(pam_handle_t *handle, int count, const struct pam_message **messages, struct pam_response **replies) {
  const struct pam_conv *conversation = NULL;
  if (pam_get_item(handle, PAM_CONV, (const void **)&conversation) != PAM_SUCCESS || !conversation) return PAM_SYSTEM_ERR;
  return conversation->conv(count, messages, replies, conversation->appdata_ptr);
}

static int ask(pam_handle_t *handle, int style, int wanted) {
  char *answer = NULL;
  int code = pam_prompt(handle, style, &answer, "Question: ");
  if (code != PAM_SUCCESS) return code;
  int is_right = answer && strcmp(answer, "right") == 0;
  free(answer);
  return wanted < 0 || is_right == wanted ? PAM_SUCCESS : PAM_AUTH_ERR;
}

// Two messages in one call: a text, then a question; or two questions.
static int ask_two(pam_handle_t *handle, int first) {
  struct pam_message a = {first, "First"}, b = {PAM_PROMPT_ECHO_OFF, "Second"};
  const struct pam_message *messages[] = {&a, &b};
  struct pam_response *replies = NULL;
  int code = converse(handle, 2, messages, &replies);
  if (code != PAM_SUCCESS) return replies ? PAM_SYSTEM_ERR : code;
  if (replies[0].resp || !replies[1].resp) return PAM_SYSTEM_ERR;
  code = strcmp(replies[1].resp, "right") == 0 ? PAM_SUCCESS : PAM_AUTH_ERR;
  free(replies[1].resp);
  free(replies);
  return code;
}

static int too_many(pam_handle_t *handle) {
  struct pam_message message = {PAM_TEXT_INFO, "Text"};
  const struct pam_message *messages[PAM_MAX_NUM_MSG + 1];
  struct pam_response *replies = NULL;
  for (int i = 0; i <= PAM_MAX_NUM_MSG; i++) messages[i] = &message;
  return converse(handle, PAM_MAX_NUM_MSG + 1, messages, &replies);
}

// Standard input is /dev/null, and above the standard descriptors everything is close-on-exec.
static int descriptors_are_clean(void) {
  struct stat input;
  if (fstat(0, &input) < 0 || input.st_rdev != makedev(1, 3)) return 0;
  for (int number = 3; number < 256; number++) {
    int flags = fcntl(number, F_GETFD);
    if (flags >= 0 && !(flags & FD_CLOEXEC)) return 0;
  }
  return 1;
}

static int is_confined(void) {
  struct rlimit core;
  int parent_death = 0;
  return prctl(PR_GET_DUMPABLE) == 0 && getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_max == 0 &&
         prctl(PR_GET_PDEATHSIG, &parent_death) == 0 && parent_death == SIGKILL;
}

static int hang(const char *path) {
  char byte;
  int pipe = open(path, O_RDONLY);
  if (pipe >= 0) (void)!read(pipe, &byte, 1);
  return PAM_SYSTEM_ERR;
}

// As pam_unix does: it asks, and where the passcode is wrong it wants that libpam waits so many seconds.
static int ask_and_delay(pam_handle_t *handle, int seconds) {
  int code = ask(handle, PAM_PROMPT_ECHO_OFF, 1);
  if (code != PAM_SUCCESS) pam_fail_delay(handle, seconds * 1000000u);
  return code;
}

static int step(pam_handle_t *handle, int flags, const char *word) {
  if (!strcmp(word, "hidden")) return ask(handle, PAM_PROMPT_ECHO_OFF, 1);
  if (!strcmp(word, "hidden-whatever")) return ask(handle, PAM_PROMPT_ECHO_OFF, -1);
  if (!strcmp(word, "visible")) return ask(handle, PAM_PROMPT_ECHO_ON, 1);
  if (!strcmp(word, "visible-whatever")) return ask(handle, PAM_PROMPT_ECHO_ON, -1), PAM_SUCCESS;
  if (!strcmp(word, "radio")) return ask(handle, PAM_RADIO_TYPE, -1);
  if (!strcmp(word, "info")) return pam_prompt(handle, PAM_TEXT_INFO, NULL, "Text");
  if (!strcmp(word, "error")) return pam_prompt(handle, PAM_ERROR_MSG, NULL, "Text");
  if (!strcmp(word, "text-and-question")) return ask_two(handle, PAM_TEXT_INFO);
  if (!strcmp(word, "two-questions")) return ask_two(handle, PAM_PROMPT_ECHO_OFF);
  if (!strcmp(word, "too-many")) return too_many(handle);
  if (!strcmp(word, "silent")) return flags & PAM_SILENT ? PAM_SUCCESS : PAM_SYSTEM_ERR;
  if (!strcmp(word, "no-environment")) return !environ || !*environ ? PAM_SUCCESS : PAM_SYSTEM_ERR;
  if (!strcmp(word, "descriptors")) return descriptors_are_clean() ? PAM_SUCCESS : PAM_SYSTEM_ERR;
  if (!strcmp(word, "confined")) return is_confined() ? PAM_SUCCESS : PAM_SYSTEM_ERR;
  if (!strncmp(word, "user=", 5)) return pam_set_item(handle, PAM_USER, word + 5);
  if (!strncmp(word, "hang=", 5)) return hang(word + 5);
  if (!strncmp(word, "delay-if-wrong=", 15)) return ask_and_delay(handle, atoi(word + 15));
  if (!strcmp(word, "crash")) abort();
  return PAM_SYSTEM_ERR;
}

int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **words) {
  for (int i = 0; i < count; i++) {
    if (!strncmp(words[i], "return=", 7)) return atoi(words[i] + 7);
    int code = step(handle, flags, words[i]);
    if (code != PAM_SUCCESS) return code;
  }
  return PAM_SUCCESS;
}

int pam_sm_acct_mgmt(pam_handle_t *handle, int flags, int count, const char **words) {
  return pam_sm_authenticate(handle, flags, count, words);
}

int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **words) {
  (void)handle, (void)flags, (void)count, (void)words;
  return PAM_IGNORE;
}
