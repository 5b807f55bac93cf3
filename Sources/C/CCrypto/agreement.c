#include "library.h"
#include <limits.h>

// The shared number has leading zeros, and nobody salts it: so do all who speak this.
static int derived(const BIGNUM *shared, uint8_t key[CDH_KEY]) {
  uint8_t bytes[CDH_PUBLIC], long_key[CCRYPTO_KEY], salt[CCRYPTO_SHA256] = {0};
  int is_made = ccrypto.BN_bn2binpad(shared, bytes, sizeof bytes) == (int)sizeof bytes &&
                ccrypto_hkdf(bytes, sizeof bytes, salt, sizeof salt, "", 0, long_key) == CCRYPTO_OK;
  // HKDF's shorter answer begins its longer one.
  for (size_t i = 0; is_made && i < CDH_KEY; i++) key[i] = long_key[i];
  ccrypto.OPENSSL_cleanse(bytes, sizeof bytes);
  ccrypto.OPENSSL_cleanse(long_key, sizeof long_key);
  return is_made;
}

// 2 to p - 2: one of the others would make a key that everybody knows.
static int is_public(const BIGNUM *number, BIGNUM *less) {
  return ccrypto.BN_sub_word(less, 1) == 1 && !ccrypto.BN_is_zero(number) && !ccrypto.BN_is_one(number) &&
         ccrypto.BN_cmp(number, less) < 0;
}

int cdh_agree(const uint8_t *other, size_t length, uint8_t own[CDH_PUBLIC], uint8_t key[CDH_KEY]) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  if (length < 1 || length > CDH_PUBLIC) return CCRYPTO_REFUSED;
  uint8_t secret[CDH_PUBLIC];
  BIGNUM *prime = ccrypto.BN_get_rfc2409_prime_1024(NULL), *less = ccrypto.BN_get_rfc2409_prime_1024(NULL);
  BIGNUM *base = ccrypto.BN_new(), *public_number = ccrypto.BN_new(), *shared = ccrypto.BN_secure_new();
  BIGNUM *theirs = ccrypto.BN_bin2bn(other, (int)length, NULL), *exponent = ccrypto.BN_secure_new();
  BN_CTX *context = ccrypto.BN_CTX_secure_new();
  int is_made = prime != NULL && less != NULL && base != NULL && public_number != NULL && shared != NULL && theirs != NULL &&
                exponent != NULL && context != NULL && is_public(theirs, less) &&
                ccrypto.RAND_priv_bytes(secret, sizeof secret) == 1 &&
                ccrypto.BN_bin2bn(secret, sizeof secret, exponent) != NULL && ccrypto.BN_set_word(base, 2) == 1;
  if (is_made) ccrypto.BN_set_flags(exponent, BN_FLG_CONSTTIME);
  is_made = is_made && ccrypto.BN_mod_exp(public_number, base, exponent, prime, context) == 1 &&
            ccrypto.BN_mod_exp(shared, theirs, exponent, prime, context) == 1 &&
            ccrypto.BN_bn2binpad(public_number, own, CDH_PUBLIC) == CDH_PUBLIC && derived(shared, key);
  ccrypto.OPENSSL_cleanse(secret, sizeof secret);
  ccrypto.BN_CTX_free(context);
  ccrypto.BN_clear_free(exponent);
  ccrypto.BN_clear_free(shared);
  ccrypto.BN_free(theirs);
  ccrypto.BN_free(public_number);
  ccrypto.BN_free(base);
  ccrypto.BN_free(less);
  ccrypto.BN_free(prime);
  return is_made ? CCRYPTO_OK : CCRYPTO_REFUSED;
}

static int ciphered(int is_sealing, const uint8_t *key, const uint8_t *start, const uint8_t *from, size_t length, uint8_t *to,
                    size_t *to_length) {
  if (length > INT_MAX - CDH_BLOCK) return CCRYPTO_REFUSED;
  int made = 0, more = 0;
  EVP_CIPHER_CTX *context = ccrypto.EVP_CIPHER_CTX_new();
  int is_done = context != NULL &&
                ccrypto.EVP_CipherInit_ex(context, ccrypto.EVP_aes_128_cbc(), NULL, key, start, is_sealing) == 1 &&
                (length == 0 || ccrypto.EVP_CipherUpdate(context, to, &made, from, (int)length) == 1) &&
                ccrypto.EVP_CipherFinal_ex(context, to + made, &more) == 1;
  ccrypto.EVP_CIPHER_CTX_free(context);
  *to_length = is_done ? (size_t)(made + more) : 0;
  return is_done ? CCRYPTO_OK : CCRYPTO_REFUSED;
}

int cdh_seal(const uint8_t key[CDH_KEY], const uint8_t *clear, size_t length, uint8_t start[CDH_BLOCK], uint8_t *sealed,
             size_t *sealed_length) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  if (ccrypto.RAND_bytes(start, CDH_BLOCK) != 1) return CCRYPTO_REFUSED;
  return ciphered(1, key, start, clear, length, sealed, sealed_length);
}

int cdh_open(const uint8_t key[CDH_KEY], const uint8_t start[CDH_BLOCK], const uint8_t *sealed, size_t length, uint8_t *clear,
             size_t *clear_length) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  if (length < CDH_BLOCK || length % CDH_BLOCK != 0) return CCRYPTO_REFUSED;
  return ciphered(0, key, start, sealed, length, clear, clear_length);
}
