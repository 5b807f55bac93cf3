// What opening a reader costs at the least: libfprint's libraries, its search for readers, and the opening itself, with nothing of
// Signet's. No login that finds no helper running can be faster, because libfprint is all that talks to a reader.
//
//   bare_reader    opens the first reader, writes a byte to standard output, and ends at once
//
// Which reader, it has from the environment, as signet-reader gives it to libfprint.
#include <fprint.h>
#include <unistd.h>

int main(void) {
  FpContext *context = fp_context_new();
  fp_context_enumerate(context);
  GPtrArray *readers = fp_context_get_devices(context);
  if (!readers || readers->len == 0) return 1;
  if (!fp_device_open_sync(readers->pdata[0], NULL, NULL)) return 1;
  // The end of the process is nobody's wait: signet-reader goes on at this point.
  _exit(write(STDOUT_FILENO, "o", 1) == 1 ? 0 : 1);
}
