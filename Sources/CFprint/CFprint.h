// libfprint's and GLib's headers.
#ifndef SIGNET_CFPRINT_H
#define SIGNET_CFPRINT_H

#include <fprint.h>
#include <glib-unix.h>

// g_signal_connect is a macro.
static inline gulong cfprint_on_removed(FpDevice *_Nonnull device,
                                        void (*_Nonnull callback)(FpDevice *_Nonnull, gpointer _Nullable),
                                        gpointer _Nullable context) {
  return g_signal_connect(device, "removed", G_CALLBACK(callback), context);
}

#endif
