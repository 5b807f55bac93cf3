#include "CBus.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static sd_bus *bus;
static const char *name_taken;
static void (*tell_left)(const char *name);

sd_bus *cbus_connection(void) { return bus; }

int cbus_connect(const char *address) {
  int result = sd_bus_new(&bus);
  if (result >= 0) result = sd_bus_set_address(bus, address);
  if (result >= 0) result = sd_bus_set_bus_client(bus, true);
  if (result >= 0) result = sd_bus_set_method_call_timeout(bus, 2 * 1000 * 1000);
  if (result >= 0) result = sd_bus_start(bus);
  return result < 0 ? -result : 0;
}

int cbus_start(const char *address, const char *root, sd_bus_message_handler_t answer, void (*left)(const char *name)) {
  tell_left = left;
  int failure = cbus_connect(address);
  if (failure) return failure;
  int result = sd_bus_add_fallback(bus, NULL, root, answer, NULL);
  return result < 0 ? -result : 0;
}

int cbus_take_name(const char *name) {
  name_taken = name;
  int result = sd_bus_request_name(bus, name, 0);
  return result < 0 ? -result : 0;
}

void cbus_release_name(void) { sd_bus_release_name(bus, name_taken); }

int cbus_descriptor(void) { return sd_bus_get_fd(bus); }

short cbus_events(void) {
  int events = sd_bus_get_events(bus);
  return events < 0 ? POLLIN : (short)events;
}

int cbus_timeout(void) {
  uint64_t until;
  if (sd_bus_get_timeout(bus, &until) < 0 || until == UINT64_MAX) return -1;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t microseconds = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
  return until <= microseconds ? 0 : (int)((until - microseconds) / 1000 + 1);
}

bool cbus_process(void) {
  int result;
  while ((result = sd_bus_process(bus, NULL)) > 0) {}
  return result >= 0;
}

void cbus_flush(void) { sd_bus_flush(bus); }

bool cbus_sender(const char *name, struct cbus_sender *sender) {
  sd_bus_creds *credentials = NULL;
  if (sd_bus_get_name_creds(bus, name, SD_BUS_CREDS_EUID | SD_BUS_CREDS_PID, &credentials) < 0) return false;
  bool is_known = sd_bus_creds_get_euid(credentials, &sender->uid) >= 0 && sd_bus_creds_get_pid(credentials, &sender->pid) >= 0;
  sd_bus_creds_unref(credentials);
  return is_known;
}

static int left(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  const char *name, *before, *now;
  if (sd_bus_message_read(message, "sss", &name, &before, &now) >= 0 && !*now) tell_left(name);
  return 0;
}

void *cbus_watch(const char *name) {
  // A unique name: a colon, digits and a dot. Anything else could say more than a name.
  if (strspn(name, ":.0123456789") != strlen(name) || strlen(name) > 64) return NULL;
  char rule[256];
  snprintf(rule, sizeof rule,
           "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='%s'",
           name);
  sd_bus_slot *slot = NULL;
  return sd_bus_add_match_async(bus, &slot, rule, left, NULL, NULL) < 0 ? NULL : slot;
}

void cbus_unwatch(void *watch) { sd_bus_slot_unref(watch); }
