// Who sits at seat0, as logind says (org.freedesktop.login1(5)): the messages are read by variadic functions. Nothing is decided here.
#ifndef SIGNET_CBUS_LOGIND_H
#define SIGNET_CBUS_LOGIND_H

// What is known of a session; -1: not said.
struct cbus_session {
  int64_t uid;
  // A user's own session, at seat0, and not from elsewhere or about to end.
  int is_at_seat;
  int is_active;
  int is_locked;
};

struct cbus_logind_handlers {
  // This session is the active one of the seat now, none where the path is empty. Also when logind has been found.
  void (*_Nonnull activated)(const char *_Nonnull session);
  // The answer to `cbus_ask_session`; all is -1 where there is none.
  void (*_Nonnull described)(uint32_t question, const struct cbus_session *_Nonnull session);
  // Something of a session is another.
  void (*_Nonnull changed)(const char *_Nonnull session, const struct cbus_session *_Nonnull session_now);
  // Whoever locks screens was asked to lock this one, or to open it.
  void (*_Nonnull locked)(const char *_Nonnull session, bool is_locked);
  // There is no such session any more.
  void (*_Nonnull removed)(const char *_Nonnull session);
  // What was known of logind holds no longer: it is gone, or another one has its name.
  void (*_Nonnull vanished)(void);
};

// On the bus that is connected. Returns 0, or an errno.
int cbus_watch_logind(const struct cbus_logind_handlers *_Nonnull handlers);
// Has logind describe a session. `question` is a number of the caller's.
void cbus_ask_session(const char *_Nonnull session, uint32_t question);

#endif
