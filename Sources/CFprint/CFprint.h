// libfprint's and GLib's headers.
#ifndef SIGNET_CFPRINT_H
#define SIGNET_CFPRINT_H

#include <fprint.h>
#include <glib-unix.h>

// g_signal_connect is a macro.
static inline gulong cfprint_on_notify_removed(FpDevice *_Nonnull device,
                                               void (*_Nonnull callback)(FpDevice *_Nonnull, GParamSpec *_Nullable,
                                                                         gpointer _Nullable),
                                               gpointer _Nullable context) {
  return g_signal_connect(device, "notify::removed", G_CALLBACK(callback), context);
}

static inline gulong cfprint_on_notify_finger_status(FpDevice *_Nonnull device,
                                                     void (*_Nonnull callback)(FpDevice *_Nonnull,
                                                                               GParamSpec *_Nullable,
                                                                               gpointer _Nullable),
                                                     gpointer _Nullable context) {
  return g_signal_connect(device, "notify::finger-status", G_CALLBACK(callback), context);
}

static inline void cfprint_on_plugging(FpContext *_Nonnull fprint,
                                       void (*_Nonnull callback)(FpContext *_Nonnull, FpDevice *_Nullable,
                                                                 gpointer _Nullable),
                                       gpointer _Nullable context) {
  g_signal_connect(fprint, "device-added", G_CALLBACK(callback), context);
  g_signal_connect(fprint, "device-removed", G_CALLBACK(callback), context);
}

// g_object_get is variadic.
static inline gboolean cfprint_is_removed(FpDevice *_Nonnull device) {
  gboolean removed = FALSE;
  g_object_get(device, "removed", &removed, NULL);
  return removed;
}

#endif
