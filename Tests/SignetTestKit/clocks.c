// Preloaded into a program: its wall clock and its boot clock are ahead, or behind, by as many seconds as the two numbers in
// the file CLOCKS say. The machine's own clocks are left alone.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
  int code = (int)syscall(SYS_clock_gettime, clock, now);
  const char *path = getenv("CLOCKS");
  FILE *file = path ? fopen(path, "re") : NULL;
  long long wall = 0, boot = 0;
  if (file && fscanf(file, "%lld %lld", &wall, &boot) == 2) {
    if (clock == CLOCK_REALTIME) now->tv_sec += wall;
    if (clock == CLOCK_BOOTTIME) now->tv_sec += boot;
  }
  if (file) fclose(file);
  return code;
}
