#define _GNU_SOURCE
#include "CPowerCut.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <unistd.h>

int powercut_own_mounts(void) {
  if (unshare(CLONE_NEWNS) != 0) return -1;
  return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

int powercut_mount(const char *source, const char *target, const char *type, const char *options, int synchronous) {
  return mount(source, target, type, MS_NOSUID | MS_NODEV | (synchronous ? MS_SYNCHRONOUS : 0), options);
}

int powercut_unmount(const char *target) { return umount2(target, 0); }

int powercut_memory_file(void) { return memfd_create("signet-crash-state", MFD_CLOEXEC); }

int powercut_attach_loop(int file, int *number) {
  int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
  if (control < 0) return -1;
  int device = -1;
  // Between the two calls somebody else may take the device.
  for (int attempt = 0; attempt < 100 && device < 0; attempt++) {
    *number = ioctl(control, LOOP_CTL_GET_FREE);
    if (*number < 0) break;
    char path[32];
    snprintf(path, sizeof path, "/dev/loop%d", *number);
    device = open(path, O_RDWR | O_CLOEXEC);
    if (device < 0) break;
    struct loop_config config = {.fd = (unsigned)file, .info = {.lo_flags = LO_FLAGS_AUTOCLEAR}};
    if (ioctl(device, LOOP_CONFIGURE, &config) == 0) break;
    int cause = errno;
    close(device);
    device = -1;
    errno = cause;
    if (cause != EBUSY) break;
  }
  int cause = errno;
  close(control);
  errno = cause;
  return device;
}

int powercut_forget(int device) { return ioctl(device, BLKFLSBUF, 0); }
