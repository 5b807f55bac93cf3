// Records for auditd, by libaudit. It is loaded at the first record, so that nothing of it is there where no auditd runs. One thread at a
// time.
#ifndef CAUDIT_H
#define CAUDIT_H

#include <stdint.h>

// Types of records, as libaudit.h numbers them.
enum {
  CAUDIT_USER_AUTH = 1100,
  CAUDIT_USER_CHAUTHTOK = 1108,
  CAUDIT_ACCT_LOCK = 1135,
  CAUDIT_ACCT_UNLOCK = 1136,
  CAUDIT_RESP_ACCT_LOCK = 2207,
};

// Writes a record (audit_log_acct_message(3)) about an account. `operation` is one word; `terminal` may be NULL. Waits until the kernel
// has taken it. False where there is no libaudit, or the kernel takes none.
int caudit_write(int type, const char *operation, const char *account, uint32_t uid, const char *terminal, int is_success);

#endif
