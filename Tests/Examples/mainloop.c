/* An evaluation in GLib's main loop: nothing blocks, and the program goes on with its other work. */
#include <glib-unix.h>
#include <signet.h>
#include <stdio.h>
#include <string.h>

static GMainLoop *loop;
static int result;

static void show(void *data, signet_context *context, const signet_prompt *prompt) {
  (void)data, (void)context;
  printf("%s\n", prompt->words);
  fflush(stdout);
}

static gboolean ready(gint descriptor, GIOCondition condition, gpointer data) {
  (void)descriptor, (void)condition;
  signet_error error;
  result = signet_evaluation_step(data, &error);
  if (result == SIGNET_STEP_PENDING) return G_SOURCE_CONTINUE;
  if (result == SIGNET_STEP_FAILED) printf("%s\n", error.message);
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

static gboolean tick(gpointer data) {
  (void)data;
  printf("The loop goes on\n");
  fflush(stdout);
  return G_SOURCE_REMOVE;
}

int main(void) {
  signet_error error;
  signet_prompter prompter = {.size = sizeof prompter, .show = show};
  signet_context *context = signet_context_create("Notes", &error);
  if (!context) return 1;
  signet_context_set_prompter(context, &prompter, NULL);
  if (!signet_evaluation_begin(context, SIGNET_POLICY_BIOMETRICS, "open your notes", &error)) return 1;
  loop = g_main_loop_new(NULL, FALSE);
  g_timeout_add(10, tick, NULL);
  g_unix_fd_add(signet_evaluation_descriptor(context), G_IO_IN, ready, context);
  g_main_loop_run(loop);
  printf("%s\n", result == SIGNET_STEP_SUCCEEDED ? "Hello, owner" : "Sorry");
  g_main_loop_unref(loop);
  signet_context_free(context);
  return result == SIGNET_STEP_SUCCEEDED ? 0 : 1;
}
