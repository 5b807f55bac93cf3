// A FIDO authenticator as a HID device that a program plays (/dev/uhid; Documentation/hid/uhid.rst of Linux): the kernel's structures are
// unions with arrays that Swift would import as tuples of thousands. Nothing is decided here, and nothing of a report is read.
#ifndef SIGNET_CUHID_H
#define SIGNET_CUHID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { cuhid_report_size = 64 };

// What the kernel said.
enum cuhid_event {
  // Nothing that is for us: it began, or was opened.
  CUHID_OTHER,
  // The last program that had it open has closed it.
  CUHID_CLOSED,
  // A program has written a report.
  CUHID_REPORT,
  // A program has written something else, or asked for what there is not, and was told so.
  CUHID_REFUSED,
  // There is nothing to read yet.
  CUHID_NOTHING,
  // The device is gone.
  CUHID_GONE,
};

// A descriptor of a node, or of a socket in a node's place; -1 with errno.
int cuhid_open(const char *_Nonnull path);
// Makes the device of such a descriptor, for a user; it lasts until the descriptor is closed. Returns 0, or -1 with errno.
int cuhid_create(int descriptor, uid_t user);
// The next event. The report is complete where it is one.
enum cuhid_event cuhid_next(int descriptor, uint8_t *_Nonnull report);
// Gives programs a report to read. Returns 0, or -1 with errno.
int cuhid_send(int descriptor, const uint8_t *_Nonnull report);

#endif
