#include <signet.h>
#include <stdio.h>
#include <string.h>

static int failed(const char *what, const signet_error *error) {
  fprintf(stderr, "%s: %s (%d) %s\n", what, error->message, error->code, error->detail);
  return 1;
}

int main(void) {
  signet_error error;
  signet_context *context = signet_context_create("Notes", &error);
  if (!context) return failed("create", &error);
  if (!signet_evaluate_policy(context, SIGNET_POLICY_DEVICE_OWNER, "open your notes", &error)) return failed("evaluate", &error);

  const char *key = "correct horse";
  signet_item item = {.service = "notes", .account = "key", .access_control = SIGNET_ACCESS_USER_PRESENCE};
  if (!signet_item_add(context, &item, key, strlen(key), NULL, &error)) return failed("add", &error);

  size_t length;
  char *copy = signet_item_copy(context, SIGNET_ITEM_PASSWORD, "notes", "key", "open your notes", &length, &error);
  if (!copy) return failed("copy", &error);
  printf("The key has %zu bytes: %s\n", length, copy);
  signet_free(copy);
  signet_context_free(context);
  return 0;
}
