// GLib's D-Bus.
#ifndef SIGNET_CGIO_H
#define SIGNET_CGIO_H

#include <gio/gio.h>
#include <glib-unix.h>

// g_signal_connect is a macro.
static inline gulong cgio_on_closed(GDBusConnection *_Nonnull bus,
                                    void (*_Nonnull callback)(GDBusConnection *_Nonnull, gboolean, GError *_Nullable,
                                                              gpointer _Nullable),
                                    gpointer _Nullable context) {
  return g_signal_connect(bus, "closed", G_CALLBACK(callback), context);
}

#endif
