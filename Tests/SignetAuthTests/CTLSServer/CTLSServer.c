#include "CTLSServer.h"
#include <openssl/ssl.h>
#include <signal.h>

void *ctls_identity(const char *certificate, const char *key) {
  // A client that refuses the certificate closes while the server writes.
  signal(SIGPIPE, SIG_IGN);
  SSL_CTX *identity = SSL_CTX_new(TLS_server_method());
  if (identity != NULL && SSL_CTX_use_certificate_chain_file(identity, certificate) == 1 &&
      SSL_CTX_use_PrivateKey_file(identity, key, SSL_FILETYPE_PEM) == 1)
    return identity;
  SSL_CTX_free(identity);
  return NULL;
}

void *ctls_accept(void *identity, int socket) {
  SSL *connection = SSL_new(identity);
  if (connection != NULL && SSL_set_fd(connection, socket) == 1 && SSL_accept(connection) == 1) return connection;
  SSL_free(connection);
  return NULL;
}

long ctls_read(void *connection, void *bytes, size_t capacity) { return SSL_read(connection, bytes, (int)capacity); }
long ctls_write(void *connection, const void *bytes, size_t length) { return SSL_write(connection, bytes, (int)length); }

void ctls_end(void *connection) {
  SSL_shutdown(connection);
  SSL_free(connection);
}
