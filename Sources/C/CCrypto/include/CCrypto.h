#ifndef CCRYPTO_H
#define CCRYPTO_H

/// What signs and verifies tokens, and seals what leaves a vault, by OpenSSL's libcrypto. The library is loaded at the first call, so that a login, which signs nothing,
/// does not wait for it. In C, because its functions have to be looked up by name. Any thread may call.

#include <stddef.h>
#include <stdint.h>

/// What came of a call; 0 is success.
enum {
  CCRYPTO_OK = 0,
  /// libcrypto cannot be loaded, or lacks a function.
  CCRYPTO_NO_LIBRARY = 1,
  /// It refuses: bytes that are no key, a signature that is not that of the message, or no memory.
  CCRYPTO_REFUSED = 2,
};

/// Loads the library where that was not done; whether it is there.
int ccrypto_is_available(void);

/// Bytes of SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512.
enum { CCRYPTO_SHA1 = 20, CCRYPTO_SHA224 = 28, CCRYPTO_SHA256 = 32, CCRYPTO_SHA384 = 48, CCRYPTO_SHA512 = 64 };

/// By `size`, which is one of these.
int ccrypto_hash(const uint8_t *message, size_t length, uint8_t *digest, size_t size);

/// ES256 (RFC 7518, section 3.4: ECDSA over P-256 with SHA-256): bytes of a private key, of a public one (x and y), and of a signature
/// (r and s).
enum { CES256_PRIVATE = 32, CES256_PUBLIC = 64, CES256_SIGNATURE = 64 };

/// Makes a pair of keys.
int ces256_generate(uint8_t private_key[CES256_PRIVATE], uint8_t public_key[CES256_PUBLIC]);

/// The public key that belongs to a private one.
int ces256_public(const uint8_t private_key[CES256_PRIVATE], uint8_t public_key[CES256_PUBLIC]);

/// Whether the bytes are a point of the curve.
int ces256_is_public(const uint8_t public_key[CES256_PUBLIC]);

int ces256_sign(const uint8_t private_key[CES256_PRIVATE], const uint8_t public_key[CES256_PUBLIC], const uint8_t *message,
                size_t length, uint8_t signature[CES256_SIGNATURE]);

/// The same of what is hashed already. It refuses keys that do not belong together: nobody could verify what they sign.
int ces256_sign_digest(const uint8_t private_key[CES256_PRIVATE], const uint8_t public_key[CES256_PUBLIC],
                       const uint8_t digest[CCRYPTO_SHA256], uint8_t signature[CES256_SIGNATURE]);

int ces256_verify(const uint8_t public_key[CES256_PUBLIC], const uint8_t *message, size_t length,
                  const uint8_t signature[CES256_SIGNATURE]);

/// The longest signature in DER.
enum { CES256_DER = 80 };

/// A signature in DER (RFC 3279, section 2.2.3); its length, or 0 where there is no library or no memory.
size_t ces256_der(const uint8_t signature[CES256_SIGNATURE], uint8_t der[CES256_DER]);

/// Of a digest, by a signature in DER.
int ces256_verify_digest(const uint8_t public_key[CES256_PUBLIC], const uint8_t digest[CCRYPTO_SHA256], const uint8_t *der,
                         size_t length);

/// What two keys agree on (ECDH, SEC 1, section 3.3.1): x of a point. It refuses a public key that is not on the curve.
int ces256_agree(const uint8_t private_key[CES256_PRIVATE], const uint8_t public_key[CES256_PUBLIC], uint8_t shared[CES256_PRIVATE]);

/// Certificates of X.509 (RFC 5280), in DER. Whether bytes are one, with nothing behind it; nobody says whether to trust it.
int ccertificate_check(const uint8_t *der, size_t length);

/// What its subject is called.
enum ccertificate_part { CCERTIFICATE_NAME, CCERTIFICATE_UNIT, CCERTIFICATE_ORGANIZATION, CCERTIFICATE_EMAIL };

/// In UTF-8, without an end; its length, or 0 where there is none or `capacity` is too small.
size_t ccertificate_subject(const uint8_t *der, size_t length, enum ccertificate_part part, char *text, size_t capacity);

/// Its key (x and y). CCRYPTO_REFUSED where that is no point of P-256.
int ccertificate_key(const uint8_t *der, size_t length, uint8_t public_key[CES256_PUBLIC]);

/// RS256 (RFC 7518, section 3.3): numbers with the highest byte first, and the most bytes that they may have.
enum { CRS256_MODULUS = 1024, CRS256_EXPONENT = 8 };

struct crs256_key {
  const uint8_t *modulus;
  size_t modulus_length;
  const uint8_t *exponent;
  size_t exponent_length;
};

/// The signature is as long as the modulus.
int crs256_verify(const struct crs256_key *key, const uint8_t *message, size_t length, const uint8_t *signature);

/// Ed25519 (RFC 8032).
enum { CEDDSA_PUBLIC = 32, CEDDSA_SIGNATURE = 64 };

int ceddsa_verify(const uint8_t public_key[CEDDSA_PUBLIC], const uint8_t *message, size_t length,
                  const uint8_t signature[CEDDSA_SIGNATURE]);

/// What seals a file by a passphrase. Bytes of a key, of ChaCha20-Poly1305's nonce and tag, and scrypt's highest work factor: the
/// logarithm of N, with r = 8 and p = 1, so that it takes 1 GiB.
enum { CCRYPTO_KEY = 32, CCRYPTO_NONCE = 12, CCRYPTO_TAG = 16, CCRYPTO_WORK = 20 };

/// scrypt (RFC 7914).
int ccrypto_scrypt(const uint8_t *passphrase, size_t length, const uint8_t *salt, size_t salt_length, unsigned int work,
                   uint8_t key[CCRYPTO_KEY]);

/// HKDF with SHA-256 (RFC 5869).
int ccrypto_hkdf(const uint8_t *secret, size_t length, const uint8_t *salt, size_t salt_length, const char *purpose,
                 size_t purpose_length, uint8_t key[CCRYPTO_KEY]);

/// HMAC with SHA-256 (RFC 2104).
int ccrypto_hmac(const uint8_t key[CCRYPTO_KEY], const uint8_t *message, size_t length, uint8_t mac[CCRYPTO_SHA256]);

/// ChaCha20-Poly1305 (RFC 8439). What is sealed is CCRYPTO_TAG bytes longer; of what is opened `length` is the sealed one's.
int ccrypto_chacha_seal(const uint8_t key[CCRYPTO_KEY], const uint8_t nonce[CCRYPTO_NONCE], const uint8_t *clear,
                        size_t length, uint8_t *sealed);
int ccrypto_chacha_open(const uint8_t key[CCRYPTO_KEY], const uint8_t nonce[CCRYPTO_NONCE], const uint8_t *sealed,
                        size_t length, uint8_t *clear);

/// AES-128-GCM (NIST SP 800-38D), with the nonce of 16 bytes and the tag that ECIES of Apple's systems has. What is sealed is CCRYPTO_TAG bytes
/// longer; of what is opened `length` is the sealed one's.
enum { CCRYPTO_GCM_KEY = 16, CCRYPTO_GCM_NONCE = 16 };

int ccrypto_gcm_seal(const uint8_t key[CCRYPTO_GCM_KEY], const uint8_t nonce[CCRYPTO_GCM_NONCE], const uint8_t *clear,
                     size_t length, uint8_t *sealed);
int ccrypto_gcm_open(const uint8_t key[CCRYPTO_GCM_KEY], const uint8_t nonce[CCRYPTO_GCM_NONCE], const uint8_t *sealed,
                     size_t length, uint8_t *clear);

/// What the Secret Service puts a session's secrets into: Diffie-Hellman in the second group of Oakley (RFC 2409, section 6.2), HKDF, and
/// AES-128-CBC with PKCS #7's padding. Bytes of a public number, of the key, and of the cipher's block, which is as long as its start.
enum { CDH_PUBLIC = 128, CDH_KEY = 16, CDH_BLOCK = 16 };

/// Answers the other's public number, which has 1 to CDH_PUBLIC bytes, with one of our own and the key that both have.
int cdh_agree(const uint8_t *other, size_t length, uint8_t own[CDH_PUBLIC], uint8_t key[CDH_KEY]);

/// Writes a start by chance, and up to CDH_BLOCK bytes more than the clear ones; `sealed_length` is how many.
int cdh_seal(const uint8_t key[CDH_KEY], const uint8_t *clear, size_t length, uint8_t start[CDH_BLOCK], uint8_t *sealed,
             size_t *sealed_length);
/// `clear` has room for as many bytes as are sealed.
int cdh_open(const uint8_t key[CDH_KEY], const uint8_t start[CDH_BLOCK], const uint8_t *sealed, size_t length, uint8_t *clear,
             size_t *clear_length);

/// AES-256-CBC without padding, which security keys speak (CTAP 2.1, section 6.5). `length` is a multiple of CDH_BLOCK; `is_sealing` is 1 to
/// seal and 0 to open.
int ccrypto_cbc(int is_sealing, const uint8_t key[CCRYPTO_KEY], const uint8_t start[CDH_BLOCK], const uint8_t *from, size_t length,
                uint8_t *to);

#endif
