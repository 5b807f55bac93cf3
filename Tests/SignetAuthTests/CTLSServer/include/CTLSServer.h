#ifndef CTLSSERVER_H
#define CTLSSERVER_H

/// The server's end of TLS, by OpenSSL, for a test's own server. In C: what it is set up by are macros.

#include <stddef.h>

/// A certificate with its key, both in PEM; NULL where they cannot be read.
void *_Nullable ctls_identity(const char *_Nonnull certificate, const char *_Nonnull key);
/// A connection after its handshake; NULL where that fails.
void *_Nullable ctls_accept(void *_Nonnull identity, int socket);
/// As read(2) and write(2).
long ctls_read(void *_Nonnull connection, void *_Nonnull bytes, size_t capacity);
long ctls_write(void *_Nonnull connection, const void *_Nonnull bytes, size_t length);
/// Says that it ends; the socket stays open.
void ctls_end(void *_Nonnull connection);

#endif
