#include "CLogind.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-login.h>
#include <unistd.h>

// The functions that are used, with the types that the header gives them.
#define EACH(with)                                                                                                             \
  with(sd_pid_get_session) with(sd_pid_get_owner_uid) with(sd_session_get_uid) with(sd_session_is_remote)                      \
      with(sd_session_is_active) with(sd_session_get_class) with(sd_session_get_seat) with(sd_uid_get_sessions)                \
          with(sd_seat_get_active) with(sd_login_monitor_new) with(sd_login_monitor_unref) with(sd_login_monitor_get_fd)       \
              with(sd_login_monitor_flush)

#define DECLARE(name) __typeof__(name) *name##_;
static struct {
  EACH(DECLARE)
} library;
static bool is_loaded;

static void load(void) {
  void *handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) handle = dlopen("libelogind.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
  bool is_whole = true;
#define FIND(name) is_whole = (library.name##_ = (__typeof__(name) *)dlsym(handle, #name)) && is_whole;
  EACH(FIND)
  is_loaded = is_whole;
}

bool clogind_is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  // As the macro LOGIND_AVAILABLE of other programs does: the directory is logind's, and is there while it runs.
  if (access("/run/systemd/seats/", F_OK) < 0) return false;
  return pthread_once(&once, load) == 0 && is_loaded;
}

// What cannot be found out is answered so that nothing is allowed for it: a session that logind has closed may have processes
// still, and is nobody's.
static bool describe(const char *name, struct clogind_session *session) {
  memset(session, 0, sizeof *session);
  session->user = (uid_t)-1;
  session->is_remote = true;
  if (library.sd_session_get_uid_(name, &session->user) < 0) {
    session->user = (uid_t)-1;
    return false;
  }
  session->is_remote = library.sd_session_is_remote_(name) != 0;
  session->is_active = library.sd_session_is_active_(name) > 0;
  char *text = NULL;
  if (library.sd_session_get_seat_(name, &text) >= 0 && text && strlen(text) < sizeof session->seat) strcpy(session->seat, text);
  free(text);
  return true;
}

bool clogind_session_of(pid_t pid, struct clogind_session *session) {
  char *name = NULL;
  if (!clogind_is_there() || library.sd_pid_get_session_(pid, &name) < 0 || !name) return false;
  describe(name, session);
  free(name);
  return true;
}

bool clogind_owner_of(pid_t pid, uid_t *owner) {
  return clogind_is_there() && library.sd_pid_get_owner_uid_(pid, owner) >= 0;
}

size_t clogind_sessions_of(uid_t user, struct clogind_session *sessions, size_t capacity) {
  char **names = NULL;
  size_t count = 0;
  if (!clogind_is_there() || library.sd_uid_get_sessions_(user, 0, &names) < 0) return 0;
  for (size_t index = 0; names && names[index]; index++) {
    if (count < capacity && describe(names[index], &sessions[count])) count++;
    free(names[index]);
  }
  free(names);
  return count;
}

// Not the class "manager", which a user who lingers has without being there, nor "background", which cron's jobs have. What
// cannot be found out is no session.
bool clogind_is_logged_in(uid_t user) {
  char **names = NULL;
  bool is_logged_in = false;
  if (!clogind_is_there() || library.sd_uid_get_sessions_(user, 0, &names) < 0) return false;
  for (size_t index = 0; names && names[index]; index++) {
    char *class = NULL;
    if (library.sd_session_get_class_(names[index], &class) >= 0 && class && strncmp(class, "user", 4) == 0) is_logged_in = true;
    free(class);
    free(names[index]);
  }
  free(names);
  return is_logged_in;
}

bool clogind_active_session(const char *seat, struct clogind_session *session) {
  char *name = NULL;
  if (!clogind_is_there() || library.sd_seat_get_active_(seat, &name, NULL) < 0 || !name) return false;
  char *class = NULL;
  bool is_known = describe(name, session);
  if (is_known && library.sd_session_get_class_(name, &class) >= 0 && class) session->is_greeter = strcmp(class, "greeter") == 0;
  free(class);
  free(name);
  return is_known;
}

void *clogind_monitor(void) {
  sd_login_monitor *monitor = NULL;
  if (!clogind_is_there() || library.sd_login_monitor_new_(NULL, &monitor) < 0) return NULL;
  return monitor;
}

void clogind_end_monitor(void *monitor) { library.sd_login_monitor_unref_(monitor); }

int clogind_monitor_descriptor(void *monitor) { return library.sd_login_monitor_get_fd_(monitor); }

void clogind_silence_monitor(void *monitor) { library.sd_login_monitor_flush_(monitor); }
