#include "library.h"
#include <limits.h>

int ccrypto_scrypt(const uint8_t *passphrase, size_t length, const uint8_t *salt, size_t salt_length, unsigned int work,
                   uint8_t key[CCRYPTO_KEY]) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  if (work < 1 || work > CCRYPTO_WORK) return CCRYPTO_REFUSED;
  // scrypt takes 128 * r * N bytes and a little; libcrypto allows much less where nothing is said.
  uint64_t memory = (UINT64_C(1024) << work) + (1 << 20);
  return ccrypto.EVP_PBE_scrypt((const char *)passphrase, length, salt, salt_length, UINT64_C(1) << work, 8, 1, memory, key,
                                CCRYPTO_KEY) == 1
             ? CCRYPTO_OK
             : CCRYPTO_REFUSED;
}

int ccrypto_hkdf(const uint8_t *secret, size_t length, const uint8_t *salt, size_t salt_length, const char *purpose,
                 size_t purpose_length, uint8_t key[CCRYPTO_KEY]) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  EVP_KDF *kind = ccrypto.EVP_KDF_fetch(NULL, "HKDF", NULL);
  EVP_KDF_CTX *context = kind != NULL ? ccrypto.EVP_KDF_CTX_new(kind) : NULL;
  OSSL_PARAM parameters[] = {
      ccrypto.OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
      ccrypto.OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, length),
      ccrypto.OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_length),
      ccrypto.OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)purpose, purpose_length),
      ccrypto.OSSL_PARAM_construct_end(),
  };
  int is_made = context != NULL && ccrypto.EVP_KDF_derive(context, key, CCRYPTO_KEY, parameters) == 1;
  ccrypto.EVP_KDF_CTX_free(context);
  ccrypto.EVP_KDF_free(kind);
  return is_made ? CCRYPTO_OK : CCRYPTO_REFUSED;
}

int ccrypto_hmac(const uint8_t key[CCRYPTO_KEY], const uint8_t *message, size_t length, uint8_t mac[CCRYPTO_SHA256]) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  size_t made = 0;
  return ccrypto.EVP_Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, key, CCRYPTO_KEY, message, length, mac, CCRYPTO_SHA256,
                           &made) != NULL &&
                 made == CCRYPTO_SHA256
             ? CCRYPTO_OK
             : CCRYPTO_REFUSED;
}

/// A cipher that knows what was altered, and bytes of what it begins with.
struct cipher {
  const EVP_CIPHER *kind;
  int nonce_length;
};

/// `is_sealing`: 1 to seal, 0 to open. The tag is written or compared.
static int ciphered(int is_sealing, struct cipher cipher, const uint8_t *key, const uint8_t *nonce, const uint8_t *from,
                    size_t length, uint8_t *to, uint8_t *tag) {
  if (length > INT_MAX) return CCRYPTO_REFUSED;
  int made = 0, more = 0;
  EVP_CIPHER_CTX *context = ccrypto.EVP_CIPHER_CTX_new();
  int is_done = context != NULL &&
                ccrypto.EVP_CipherInit_ex(context, cipher.kind, NULL, NULL, NULL, is_sealing) == 1 &&
                ccrypto.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, cipher.nonce_length, NULL) == 1 &&
                ccrypto.EVP_CipherInit_ex(context, NULL, NULL, key, nonce, is_sealing) == 1 &&
                (is_sealing || ccrypto.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CCRYPTO_TAG, tag) == 1) &&
                (length == 0 || ccrypto.EVP_CipherUpdate(context, to, &made, from, (int)length) == 1) &&
                ccrypto.EVP_CipherFinal_ex(context, to + made, &more) == 1 && (size_t)(made + more) == length &&
                (!is_sealing || ccrypto.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CCRYPTO_TAG, tag) == 1);
  ccrypto.EVP_CIPHER_CTX_free(context);
  // What was not authentic is nobody's to see.
  if (!is_done && length > 0) ccrypto.OPENSSL_cleanse(to, length);
  return is_done ? CCRYPTO_OK : CCRYPTO_REFUSED;
}

/// The same of what has its tag behind it.
static int opened(struct cipher cipher, const uint8_t *key, const uint8_t *nonce, const uint8_t *sealed, size_t length,
                  uint8_t *clear) {
  if (length < CCRYPTO_TAG) return CCRYPTO_REFUSED;
  uint8_t tag[CCRYPTO_TAG];
  for (size_t i = 0; i < sizeof tag; i++) tag[i] = sealed[length - CCRYPTO_TAG + i];
  return ciphered(0, cipher, key, nonce, sealed, length - CCRYPTO_TAG, clear, tag);
}

static struct cipher chacha(void) { return (struct cipher){ccrypto.EVP_chacha20_poly1305(), CCRYPTO_NONCE}; }

int ccrypto_chacha_seal(const uint8_t key[CCRYPTO_KEY], const uint8_t nonce[CCRYPTO_NONCE], const uint8_t *clear,
                        size_t length, uint8_t *sealed) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  return ciphered(1, chacha(), key, nonce, clear, length, sealed, sealed + length);
}

int ccrypto_chacha_open(const uint8_t key[CCRYPTO_KEY], const uint8_t nonce[CCRYPTO_NONCE], const uint8_t *sealed,
                        size_t length, uint8_t *clear) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  return opened(chacha(), key, nonce, sealed, length, clear);
}

static struct cipher gcm(void) { return (struct cipher){ccrypto.EVP_aes_128_gcm(), CCRYPTO_GCM_NONCE}; }

int ccrypto_gcm_seal(const uint8_t key[CCRYPTO_GCM_KEY], const uint8_t nonce[CCRYPTO_GCM_NONCE], const uint8_t *clear,
                     size_t length, uint8_t *sealed) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  return ciphered(1, gcm(), key, nonce, clear, length, sealed, sealed + length);
}

int ccrypto_gcm_open(const uint8_t key[CCRYPTO_GCM_KEY], const uint8_t nonce[CCRYPTO_GCM_NONCE], const uint8_t *sealed,
                     size_t length, uint8_t *clear) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  return opened(gcm(), key, nonce, sealed, length, clear);
}

int ccrypto_cbc(int is_sealing, const uint8_t key[CCRYPTO_KEY], const uint8_t start[CDH_BLOCK], const uint8_t *from, size_t length,
                uint8_t *to) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  if (length > INT_MAX || length % CDH_BLOCK != 0) return CCRYPTO_REFUSED;
  int made = 0;
  EVP_CIPHER_CTX *context = ccrypto.EVP_CIPHER_CTX_new();
  int is_done = context != NULL && ccrypto.EVP_CipherInit_ex(context, ccrypto.EVP_aes_256_cbc(), NULL, key, start, is_sealing) == 1 &&
                ccrypto.EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
                ccrypto.EVP_CipherUpdate(context, to, &made, from, (int)length) == 1 && (size_t)made == length;
  ccrypto.EVP_CIPHER_CTX_free(context);
  return is_done ? CCRYPTO_OK : CCRYPTO_REFUSED;
}
