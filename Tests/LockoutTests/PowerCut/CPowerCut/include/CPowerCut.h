// What the crash test needs of the kernel and Swift cannot import: variadic calls, and what _GNU_SOURCE hides.
#ifndef SIGNET_CPOWERCUT_H
#define SIGNET_CPOWERCUT_H

#include <linux/fuse.h>

// unshare(2) is behind _GNU_SOURCE. Gives the calling thread mounts of its own: they go with the thread and with what it
// started, however they end. 0, or -1 with errno.
int powercut_own_mounts(void);

// mount(2) and umount2(2): their flags are enumerators and macros at once. `synchronous` is MS_SYNCHRONOUS.
// 0, or -1 with errno.
int powercut_mount(const char *_Nonnull source, const char *_Nonnull target, const char *_Nonnull type,
                   const char *_Nonnull options, int synchronous);
int powercut_unmount(const char *_Nonnull target);

// memfd_create(2) is behind _GNU_SOURCE.
int powercut_memory_file(void);

// ioctl(2) is variadic. Gives a free loop device this file until it is closed and unmounted.
// Returns its descriptor and sets its number, or -1 with errno.
int powercut_attach_loop(int file, int *_Nonnull number);

// Forgets what the kernel keeps of a block device that nothing is mounted from: its file was changed underneath.
int powercut_forget(int device);

#endif
