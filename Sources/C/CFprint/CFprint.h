// libfprint's and GLib's headers.
#ifndef SIGNET_CFPRINT_H
#define SIGNET_CFPRINT_H

#include <dlfcn.h>
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

// The two properties below are libfprint's for itself: one that has no such property, or keeps it to itself, answers FALSE.
static inline gboolean cfprint_can_tell(FpDevice *_Nonnull device, const char *_Nonnull property, GType type) {
  GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(device), property);
  return spec != NULL && (spec->flags & G_PARAM_READABLE) != 0 && g_type_is_a(spec->value_type, type);
}

// Whether the reader is reached through spidev.
static inline gboolean cfprint_is_on_spi(FpDevice *_Nonnull device) {
  if (!cfprint_can_tell(device, "fpi-udev-data-spidev", G_TYPE_STRING))
    return FALSE;
  char *node = NULL;
  g_object_get(device, "fpi-udev-data-spidev", &node, NULL);
  gboolean is_there = node != NULL;
  g_free(node);
  return is_there;
}

// Where the reader's USB device is. GUsb is in the process with libfprint, and its headers need not be installed for this.
static inline gboolean cfprint_usb_place(FpDevice *_Nonnull device, guint8 *_Nonnull bus, guint8 *_Nonnull address) {
  guint8 (*bus_of)(gpointer) = (guint8 (*)(gpointer))dlsym(NULL, "g_usb_device_get_bus");
  guint8 (*address_of)(gpointer) = (guint8 (*)(gpointer))dlsym(NULL, "g_usb_device_get_address");
  if (bus_of == NULL || address_of == NULL || !cfprint_can_tell(device, "fpi-usb-device", G_TYPE_OBJECT))
    return FALSE;
  gpointer usb = NULL;
  g_object_get(device, "fpi-usb-device", &usb, NULL);
  if (usb == NULL)
    return FALSE;
  *bus = bus_of(usb);
  *address = address_of(usb);
  g_object_unref(usb);
  return TRUE;
}

#endif
