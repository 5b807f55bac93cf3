/* Many contexts and many threads in one process, and what they leave behind: nothing. */
#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <signet.h>

enum { CONTEXTS = 1000, THREADS = 100 };
static int turns = 10;

static int descriptors(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (folder && readdir(folder)) count++;
  if (folder) closedir(folder);
  return count;
}

static int maps(void) {
  int count = 0, byte;
  FILE *file = fopen("/proc/self/maps", "r");
  while (file && (byte = getc(file)) != EOF) count += byte == '\n';
  if (file) fclose(file);
  return count;
}

static void use(const char *name) {
  signet_error error;
  signet_context *context = signet_context_create(name, &error);
  if (!context) abort();
  if (!signet_can_evaluate_policy(context, SIGNET_POLICY_DEVICE_OWNER, &error) && error.domain != SIGNET_DOMAIN_AUTHENTICATION) abort();
  signet_item_list(context, NULL, NULL, NULL);
  signet_context_free(context);
}

static void *run(void *unused) {
  (void)unused;
  for (int turn = 0; turn < turns; turn++) use("thread");
  return NULL;
}

static void all_at_once(void) {
  static signet_context *contexts[CONTEXTS];
  for (int i = 0; i < CONTEXTS; i++)
    if (!(contexts[i] = signet_context_create("many", NULL))) abort();
  for (int i = 0; i < CONTEXTS; i++) signet_context_free(contexts[i]);
}

static void all_threads(void) {
  static pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, run, NULL)) abort();
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

int main(int count, char **words) {
  if (count > 1) turns = atoi(words[1]);
  mallopt(M_ARENA_MAX, 1);
  all_at_once(), all_threads();
  int open = descriptors(), mapped = maps();
  size_t used = mallinfo2().uordblks;
  for (int round = 0; round < 3; round++) all_at_once(), all_threads();
  printf("descriptors %d heap %ld maps %d\n", descriptors() - open, (long)(mallinfo2().uordblks - used), maps() - mapped);
  return 0;
}
