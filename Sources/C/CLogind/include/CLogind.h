// logind's answers (sd-login(3)), by the library that is there: libsystemd, or elogind's. It is loaded at the first question,
// because signetd has to start fast, and on a machine without it has to work. All from any thread.
#ifndef SIGNET_CLOGIND_H
#define SIGNET_CLOGIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct clogind_session {
  uid_t user;
  bool is_remote;
  bool is_active;
  bool is_greeter;
  // Empty for none.
  char seat[64];
};

// Whether logind runs and can be asked.
bool clogind_is_there(void);

// The session of a process. False where it is in none.
bool clogind_session_of(pid_t pid, struct clogind_session *_Nonnull session);

// Whose slice a process is in. False for a process of the system.
bool clogind_owner_of(pid_t pid, uid_t *_Nonnull owner);

// The sessions of a user, `capacity` at most. Returns how many.
size_t clogind_sessions_of(uid_t user, struct clogind_session *_Nonnull sessions, size_t capacity);

// Whether a user has a session that has not ended, in the foreground or not, here or by ssh.
bool clogind_is_logged_in(uid_t user);

// Something that tells when a session, a seat or a user changed; NULL where nothing does. Use it from one thread at a time.
void *_Nullable clogind_monitor(void);
void clogind_end_monitor(void *_Nonnull monitor);
// For poll(2): readable when something changed; or -1.
int clogind_monitor_descriptor(void *_Nonnull monitor);
// What changed until now is known.
void clogind_silence_monitor(void *_Nonnull monitor);

// The session in the foreground of a seat; the others' `is_greeter` is not asked for. False where there is none.
bool clogind_active_session(const char *_Nonnull seat, struct clogind_session *_Nonnull session);

#endif
