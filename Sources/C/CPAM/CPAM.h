// Linux-PAM's headers. The inline functions exist because Swift cannot import variadic functions; each passes its text
// behind a fixed "%s", so that no text of ours or of a host is ever a format.
#ifndef SIGNET_CPAM_H
#define SIGNET_CPAM_H

#include <pwd.h>
#include <security/pam_appl.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <security/pam_modutil.h>
#include <shadow.h>
#include <syslog.h>

static inline int cpam_prompt(pam_handle_t *_Nonnull handle, int style, char *_Nullable *_Nullable answer,
                              const char *_Nonnull text) {
  return pam_prompt(handle, style, answer, "%s", text);
}
static inline void cpam_log(pam_handle_t *_Nonnull handle, int priority, const char *_Nonnull text) {
  pam_syslog(handle, priority, "%s", text);
}

#endif
