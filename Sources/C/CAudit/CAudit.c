#include "CAudit.h"
#include <dlfcn.h>
#include <stddef.h>
#include <unistd.h>

static int (*audit_open)(void);
static int (*audit_log_acct_message)(int, int, const char *, const char *, const char *, unsigned int, const char *, const char *,
                                     const char *, int);
static int descriptor = -1;

static int load(void) {
  static int was_tried;
  if (!was_tried) {
    was_tried = 1;
    void *library = dlopen("libaudit.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return 0;
    audit_open = (__typeof__(audit_open))dlsym(library, "audit_open");
    audit_log_acct_message = (__typeof__(audit_log_acct_message))dlsym(library, "audit_log_acct_message");
  }
  return audit_open != NULL && audit_log_acct_message != NULL;
}

int caudit_write(int type, const char *operation, const char *account, uint32_t uid, const char *terminal, int is_success) {
  if (!load()) return 0;
  if (descriptor < 0) descriptor = audit_open();
  if (descriptor < 0) return 0;
  // No name of a program: the kernel tells whose record it is, and libaudit adds the path of this executable.
  if (audit_log_acct_message(descriptor, type, NULL, operation, account, uid, NULL, NULL, terminal, is_success) > 0) return 1;
  close(descriptor);
  descriptor = -1;
  return 0;
}
