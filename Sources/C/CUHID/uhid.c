#include "CUHID.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/hid.h>
#include <linux/input.h>
#include <linux/uhid.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// What a security key says of itself (FIDO CTAP 2.1, 11.2.8.2): one collection with reports of 64 bytes, without numbers, in either direction.
static const uint8_t descriptor_of_reports[] = {
    0x06, 0xd0, 0xf1,  // Usage Page (FIDO Alliance)
    0x09, 0x01,        // Usage (U2F HID Authenticator Device)
    0xa1, 0x01,        // Collection (Application)
    0x09, 0x20,        //   Usage (Input Report Data)
    0x15, 0x00,        //   Logical Minimum (0)
    0x26, 0xff, 0x00,  //   Logical Maximum (255)
    0x75, 0x08,        //   Report Size (8)
    0x95, 0x40,        //   Report Count (64)
    0x81, 0x02,        //   Input (Data, Variable, Absolute)
    0x09, 0x21,        //   Usage (Output Report Data)
    0x15, 0x00,        //   Logical Minimum (0)
    0x26, 0xff, 0x00,  //   Logical Maximum (255)
    0x75, 0x08,        //   Report Size (8)
    0x95, 0x40,        //   Report Count (64)
    0x91, 0x02,        //   Output (Data, Variable, Absolute)
    0xc0,              // End Collection
};

// Clients of FIDO on Linux look at USB's devices only. The vendor is nobody's in the USB Implementers Forum's list, so that what is known
// of real devices by their numbers, rules of udev's and browsers' exceptions among it, never holds for this one.
enum { vendor = 0xf1d0, product = 0x0001, version = 0x0100 };

static int connect_to(const char *path) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof name.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(name.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&name, sizeof name) == 0) return descriptor;
  int cause = errno;
  close(descriptor);
  errno = cause;
  return -1;
}

int cuhid_open(const char *path) {
  int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  // What open(2) says of a socket.
  return descriptor < 0 && errno == ENXIO ? connect_to(path) : descriptor;
}

// The kernel takes an event that is cut behind what it has to say, as if zeros followed.
static int put(int descriptor, const void *event, size_t size) {
  ssize_t written = write(descriptor, event, size);
  if (written == (ssize_t)size) return 0;
  if (written >= 0) errno = EIO;
  return -1;
}

int cuhid_create(int descriptor, uid_t user) {
  struct uhid_event event = {.type = UHID_CREATE2};
  struct uhid_create2_req *device = &event.u.create2;
  snprintf((char *)device->name, sizeof device->name, "Signet passkey");
  snprintf((char *)device->phys, sizeof device->phys, "signet-hid");
  snprintf((char *)device->uniq, sizeof device->uniq, "%u", user);
  device->bus = BUS_USB;
  device->vendor = vendor;
  device->product = product;
  device->version = version;
  device->rd_size = sizeof descriptor_of_reports;
  memcpy(device->rd_data, descriptor_of_reports, sizeof descriptor_of_reports);
  return put(descriptor, &event, offsetof(struct uhid_event, u.create2.rd_data) + sizeof descriptor_of_reports);
}

// Who asks waits for an answer, five seconds long.
static enum cuhid_event refuse(int descriptor, uint32_t type, uint32_t number) {
  struct uhid_event answer = {.type = type};
  size_t size;
  if (type == UHID_GET_REPORT_REPLY) {
    answer.u.get_report_reply.id = number;
    answer.u.get_report_reply.err = EIO;
    size = offsetof(struct uhid_event, u.get_report_reply.data);
  } else {
    answer.u.set_report_reply.id = number;
    answer.u.set_report_reply.err = EIO;
    size = offsetof(struct uhid_event, u) + sizeof answer.u.set_report_reply;
  }
  return put(descriptor, &answer, size) == 0 ? CUHID_REFUSED : CUHID_GONE;
}

enum cuhid_event cuhid_next(int descriptor, uint8_t *report) {
  struct uhid_event event;
  memset(&event, 0, sizeof event);
  ssize_t size = read(descriptor, &event, sizeof event);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return CUHID_NOTHING;
  if (size < (ssize_t)sizeof event.type) return CUHID_GONE;
  switch (event.type) {
  case UHID_OUTPUT:
    // In front of what hidraw's clients write stands the report's number, 0 where there are none (Documentation/hid/hidraw.rst).
    if (event.u.output.size != cuhid_report_size + 1 || event.u.output.data[0] != 0) return CUHID_REFUSED;
    memcpy(report, event.u.output.data + 1, cuhid_report_size);
    return CUHID_REPORT;
  case UHID_GET_REPORT: return refuse(descriptor, UHID_GET_REPORT_REPLY, event.u.get_report.id);
  case UHID_SET_REPORT: return refuse(descriptor, UHID_SET_REPORT_REPLY, event.u.set_report.id);
  case UHID_CLOSE: return CUHID_CLOSED;
  default: return CUHID_OTHER;
  }
}

int cuhid_send(int descriptor, const uint8_t *report) {
  struct uhid_event event = {.type = UHID_INPUT2, .u.input2.size = cuhid_report_size};
  memcpy(event.u.input2.data, report, cuhid_report_size);
  return put(descriptor, &event, offsetof(struct uhid_event, u.input2.data) + cuhid_report_size);
}
