// A service on a bus, by sd-bus (sd-bus(3)): GIO's would take a second thread and twice the memory. One bus a process, used from one
// thread. What the service says is its own: Fprint.h has fprintd's interface, whose answers are variadic functions' work.
// Logind.h listens to logind.
#ifndef SIGNET_CBUS_H
#define SIGNET_CBUS_H

// First, so that what both have of libc is CLinux's in Swift, too.
#include "CLinux.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <systemd/sd-bus.h>

// Who has a name on the bus.
struct cbus_sender {
  uid_t uid;
  pid_t pid;
};

// Connects, and no more. Returns 0, or an errno.
int cbus_connect(const char *_Nonnull address);
// Connects, to answer. `answer` is called for every call of an object at `root` or below, `left` where somebody who was watched has left the bus.
// Returns 0, or an errno.
int cbus_start(const char *_Nonnull address, const char *_Nonnull root, sd_bus_message_handler_t _Nonnull answer,
               void (*_Nonnull left)(const char *_Nonnull name));
// The text stays. Returns 0, or an errno: EEXIST where another has the name.
int cbus_take_name(const char *_Nonnull name);
sd_bus *_Nonnull cbus_connection(void);
// Gives the name back. Calls that had come before are processed as ever.
void cbus_release_name(void);

// For poll(2), and for how many milliseconds at most; -1 for as long as it takes.
int cbus_descriptor(void);
short cbus_events(void);
int cbus_timeout(void);
// Handles what has come. Returns false where the connection is lost.
bool cbus_process(void);
void cbus_flush(void);

// Asks the bus. False where nobody has the name.
bool cbus_sender(const char *_Nonnull name, struct cbus_sender *_Nonnull sender);
// `left` is called when the owner of the name goes, and who has gone before is not found by `cbus_sender` any more. Returns what ends this,
// or NULL.
void *_Nullable cbus_watch(const char *_Nonnull name);
void cbus_unwatch(void *_Nonnull watch);

#include "Fprint.h"
#include "Logind.h"

#endif
