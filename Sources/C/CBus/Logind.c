#include "CBus.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAME "org.freedesktop.login1"
#define SESSION NAME ".Session"
#define SEAT NAME ".Seat"
#define SEAT_PATH "/org/freedesktop/login1/seat/seat0"
#define BUS "org.freedesktop.DBus"
#define PROPERTIES BUS ".Properties"

// A machine that starts has much to do before it answers.
static const uint64_t limit = 60 * 1000 * 1000;
static struct cbus_logind_handlers handlers;
// Logind's own name on this bus; empty where nobody is believed to be logind.
static char logind[64];

static const struct cbus_session nothing = {-1, -1, -1, -1};

static bool is(const char *text, const char *other) { return text && strcmp(text, other) == 0; }

static bool is_of_logind(sd_bus_message *message) { return *logind && is(sd_bus_message_get_sender(message), logind); }

// What the properties so far say of where a session is; each may be missing.
struct place {
  int is_users, is_remote, is_at_seat, is_closing;
};

// Reads one value; less than 0 where it has another type than it should.
static int read_property(sd_bus_message *message, const char *name, struct cbus_session *session, struct place *place) {
  const char *text = "", *path = "";
  uint32_t uid = 0;
  int flag = 0, result;
  if (is(name, "Active") || is(name, "LockedHint") || is(name, "Remote")) {
    if ((result = sd_bus_message_read(message, "v", "b", &flag)) < 0) return result;
    *(is(name, "Active") ? &session->is_active : is(name, "Remote") ? &place->is_remote : &session->is_locked) = flag;
  } else if (is(name, "Class") || is(name, "State")) {
    if ((result = sd_bus_message_read(message, "v", "s", &text)) < 0) return result;
    if (is(name, "Class")) place->is_users = strncmp(text, "user", 4) == 0;
    if (is(name, "State")) place->is_closing = is(text, "closing");
  } else if (is(name, "Seat")) {
    if ((result = sd_bus_message_read(message, "v", "(so)", &text, &path)) < 0) return result;
    place->is_at_seat = is(text, "seat0");
  } else if (is(name, "User")) {
    if ((result = sd_bus_message_read(message, "v", "(uo)", &uid, &path)) < 0) return result;
    session->uid = uid;
  } else {
    return sd_bus_message_skip(message, "v");
  }
  return 0;
}

// Reads a dictionary of a session's properties.
static bool read_session(sd_bus_message *message, struct cbus_session *session) {
  struct place place = {-1, -1, -1, -1};
  *session = nothing;
  if (sd_bus_message_enter_container(message, 'a', "{sv}") < 0) return false;
  int result;
  while ((result = sd_bus_message_enter_container(message, 'e', "sv")) > 0) {
    const char *name;
    if (sd_bus_message_read(message, "s", &name) < 0 || read_property(message, name, session, &place) < 0) return false;
    if (sd_bus_message_exit_container(message) < 0) return false;
  }
  // All four were said, and say this.
  if (place.is_users >= 0 && place.is_remote >= 0 && place.is_at_seat >= 0 && place.is_closing >= 0)
    session->is_at_seat = place.is_users && !place.is_remote && place.is_at_seat && !place.is_closing;
  return result == 0 && sd_bus_message_exit_container(message) >= 0;
}

// Reads `ActiveSession` of the seat: a name, and a path, which is "/" where there is none.
static void tell_activated(sd_bus_message *message) {
  const char *name = "", *path = "";
  bool is_told = sd_bus_message_read(message, "v", "(so)", &name, &path) >= 0;
  handlers.activated(is_told && *name ? path : "");
}

static int on_seat(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  const char *interface;
  if (!is_of_logind(message) || sd_bus_message_read(message, "s", &interface) < 0 || !is(interface, SEAT)) return 0;
  if (sd_bus_message_enter_container(message, 'a', "{sv}") < 0) return 0;
  while (sd_bus_message_enter_container(message, 'e', "sv") > 0) {
    const char *name;
    if (sd_bus_message_read(message, "s", &name) < 0) return 0;
    if (is(name, "ActiveSession"))
      tell_activated(message);
    else if (sd_bus_message_skip(message, "v") < 0)
      return 0;
    if (sd_bus_message_exit_container(message) < 0) return 0;
  }
  return 0;
}

static int on_properties(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  const char *interface, *path = sd_bus_message_get_path(message);
  struct cbus_session session;
  if (!is_of_logind(message) || !path || sd_bus_message_read(message, "s", &interface) < 0 || !is(interface, SESSION)) return 0;
  if (read_session(message, &session)) handlers.changed(path, &session);
  return 0;
}

static int on_session(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  const char *path = sd_bus_message_get_path(message), *member = sd_bus_message_get_member(message);
  if (is_of_logind(message) && path && (is(member, "Lock") || is(member, "Unlock"))) handlers.locked(path, is(member, "Lock"));
  return 0;
}

static int on_active(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  if (!is_of_logind(message)) return 0;
  if (sd_bus_message_is_method_error(message, NULL) || !sd_bus_message_has_signature(message, "v"))
    handlers.activated("");
  else
    tell_activated(message);
  return 0;
}

// The bus lets nobody but root have the name. Our own processes could trace us anyway; it makes tests without root possible.
static bool is_believed(const char *name) {
  struct cbus_sender sender;
  return cbus_sender(name, &sender) && (sender.uid == 0 || sender.uid == geteuid());
}

static sd_bus_message *call(const char *path, const char *interface, const char *method) {
  sd_bus_message *message = NULL;
  if (sd_bus_message_new_method_call(cbus_connection(), &message, logind, path, interface, method) < 0) return NULL;
  sd_bus_message_set_auto_start(message, false);
  return message;
}

static void take_owner(const char *name) {
  *logind = 0;
  handlers.vanished();
  if (!*name || strlen(name) >= sizeof logind || !is_believed(name)) return;
  strcpy(logind, name);
  sd_bus_message *message = call(SEAT_PATH, PROPERTIES, "Get");
  if (message && sd_bus_message_append(message, "ss", SEAT, "ActiveSession") >= 0)
    sd_bus_call_async(cbus_connection(), NULL, message, on_active, NULL, limit);
  sd_bus_message_unref(message);
}

static int on_owner_changed(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  const char *name, *before, *now;
  if (is(sd_bus_message_get_sender(message), BUS) && sd_bus_message_read(message, "sss", &name, &before, &now) >= 0 && is(name, NAME))
    take_owner(now);
  return 0;
}

static int on_owner(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  const char *owner;
  if (!sd_bus_message_is_method_error(message, NULL) && sd_bus_message_read(message, "s", &owner) >= 0) take_owner(owner);
  return 0;
}

static int on_removed(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  const char *name, *path;
  if (is_of_logind(message) && sd_bus_message_read(message, "so", &name, &path) >= 0) handlers.removed(path);
  return 0;
}

static int match(const char *rule, sd_bus_message_handler_t handler) {
  return sd_bus_add_match_async(cbus_connection(), NULL, rule, handler, NULL, NULL);
}

int cbus_watch_logind(const struct cbus_logind_handlers *its_handlers) {
  handlers = *its_handlers;
  int result = match("type='signal',sender='" BUS "',interface='" BUS "',member='NameOwnerChanged',arg0='" NAME "'", on_owner_changed);
  if (result >= 0)
    result = match("type='signal',sender='" NAME "',interface='" PROPERTIES "',member='PropertiesChanged',path='" SEAT_PATH "'", on_seat);
  if (result >= 0)
    result = match("type='signal',sender='" NAME "',interface='" PROPERTIES
                   "',member='PropertiesChanged',path_namespace='/org/freedesktop/login1/session'",
                   on_properties);
  if (result >= 0) result = match("type='signal',sender='" NAME "',interface='" SESSION "'", on_session);
  if (result >= 0) result = match("type='signal',sender='" NAME "',interface='" NAME ".Manager',member='SessionRemoved'", on_removed);
  // Asked behind the rules, so that no change falls between them and the answer.
  if (result >= 0)
    result = sd_bus_call_method_async(cbus_connection(), NULL, BUS, "/org/freedesktop/DBus", BUS, "GetNameOwner", on_owner, NULL, "s", NAME);
  return result < 0 ? -result : 0;
}

static int on_described(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  struct cbus_session session = nothing;
  bool is_answer = is_of_logind(message) && !sd_bus_message_is_method_error(message, NULL) && read_session(message, &session);
  handlers.described((uint32_t)(uintptr_t)context, is_answer ? &session : &nothing);
  return 0;
}

void cbus_ask_session(const char *session, uint32_t question) {
  sd_bus_message *message = call(session, PROPERTIES, "GetAll");
  if (message && sd_bus_message_append(message, "s", SESSION) >= 0)
    sd_bus_call_async(cbus_connection(), NULL, message, on_described, (void *)(uintptr_t)question, limit);
  sd_bus_message_unref(message);
}
