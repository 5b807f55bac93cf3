#ifndef CES256_H
#define CES256_H

/// ES256 (RFC 7518, section 3.4: ECDSA over P-256 with SHA-256), by OpenSSL's libcrypto. The library is loaded at the first call,
/// so that a login, which signs nothing, does not wait for it. In C, because its functions have to be looked up by name.

#include <stddef.h>
#include <stdint.h>

/// Bytes of a private key, of a public one (x and y), and of a signature (r and s).
enum { CES256_PRIVATE = 32, CES256_PUBLIC = 64, CES256_SIGNATURE = 64 };

/// What came of a call; 0 is success.
enum {
  CES256_OK = 0,
  /// libcrypto cannot be loaded, or lacks a function.
  CES256_NO_LIBRARY = 1,
  /// It refuses: bytes that are no key, or no memory.
  CES256_REFUSED = 2,
};

/// Makes a pair of keys.
int ces256_generate(uint8_t private_key[CES256_PRIVATE], uint8_t public_key[CES256_PUBLIC]);

/// Signs a message. Safe from any thread, as the other calls are.
int ces256_sign(const uint8_t private_key[CES256_PRIVATE], const uint8_t public_key[CES256_PUBLIC], const uint8_t *message,
                size_t length, uint8_t signature[CES256_SIGNATURE]);

/// CES256_REFUSED where the signature is not that of the message.
int ces256_verify(const uint8_t public_key[CES256_PUBLIC], const uint8_t *message, size_t length,
                  const uint8_t signature[CES256_SIGNATURE]);

#endif
