#include "CES256.h"

#include <dlfcn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <string.h>

/// The functions that are used, each of which is looked up under its own name.
#define FUNCTIONS(_)                                                                                                          \
  _(EVP_PKEY_Q_keygen)                                                                                                        \
  _(EVP_PKEY_get_bn_param)                                                                                                    \
  _(EVP_PKEY_get_octet_string_param)                                                                                          \
  _(EVP_PKEY_CTX_new_from_name)                                                                                               \
  _(EVP_PKEY_CTX_free)                                                                                                        \
  _(EVP_PKEY_fromdata_init)                                                                                                   \
  _(EVP_PKEY_fromdata)                                                                                                        \
  _(EVP_PKEY_free)                                                                                                            \
  _(EVP_MD_CTX_new)                                                                                                           \
  _(EVP_MD_CTX_free)                                                                                                          \
  _(EVP_DigestSignInit_ex)                                                                                                    \
  _(EVP_DigestSign)                                                                                                           \
  _(EVP_DigestVerifyInit_ex)                                                                                                  \
  _(EVP_DigestVerify)                                                                                                         \
  _(OSSL_PARAM_construct_utf8_string)                                                                                         \
  _(OSSL_PARAM_construct_octet_string)                                                                                        \
  _(OSSL_PARAM_construct_BN)                                                                                                  \
  _(OSSL_PARAM_construct_end)                                                                                                 \
  _(ECDSA_SIG_new)                                                                                                            \
  _(ECDSA_SIG_free)                                                                                                           \
  _(ECDSA_SIG_get0)                                                                                                           \
  _(ECDSA_SIG_set0)                                                                                                           \
  _(d2i_ECDSA_SIG)                                                                                                            \
  _(i2d_ECDSA_SIG)                                                                                                            \
  _(BN_bn2binpad)                                                                                                             \
  _(BN_bin2bn)                                                                                                                \
  _(BN_free)                                                                                                                  \
  _(BN_clear_free)                                                                                                            \
  _(OPENSSL_cleanse)

static struct {
#define DECLARE(name) __typeof__(&name) name;
  FUNCTIONS(DECLARE)
} crypto;

static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
#define FIND(name)                                                                                                            \
  crypto.name = (__typeof__(crypto.name))dlsym(library, #name);                                                               \
  if (crypto.name == NULL) return;
  FUNCTIONS(FIND)
  is_loaded = 1;
}

static int is_available(void) {
  pthread_once(&once, load);
  return is_loaded;
}

/// The longest signature in DER: two integers of 33 bytes, with their headers.
enum { DER = 80, COORDINATE = 32, POINT = 1 + CES256_PUBLIC, UNCOMPRESSED = 4 };

/// The pair, or the public key alone where there is no private one; NULL where the bytes are no key.
static EVP_PKEY *imported(const uint8_t *private_key, const uint8_t *public_key) {
  uint8_t point[POINT] = {UNCOMPRESSED};
  memcpy(point + 1, public_key, CES256_PUBLIC);
  // libcrypto has numbers in the machine's order.
  uint8_t number[CES256_PRIVATE] = {0};
  for (size_t i = 0; private_key != NULL && i < sizeof number; i++) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    number[i] = private_key[sizeof number - 1 - i];
#else
    number[i] = private_key[i];
#endif
  }
  OSSL_PARAM parameters[4], *next = parameters;
  *next++ = crypto.OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0);
  *next++ = crypto.OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point);
  if (private_key != NULL) *next++ = crypto.OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, number, sizeof number);
  *next = crypto.OSSL_PARAM_construct_end();
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = crypto.EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  if (context != NULL && crypto.EVP_PKEY_fromdata_init(context) == 1) {
    int selection = private_key != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    if (crypto.EVP_PKEY_fromdata(context, &key, selection, parameters) != 1) key = NULL;
  }
  crypto.EVP_PKEY_CTX_free(context);
  crypto.OPENSSL_cleanse(number, sizeof number);
  return key;
}

static int exported(EVP_PKEY *key, uint8_t *private_key, uint8_t *public_key) {
  BIGNUM *number = NULL;
  uint8_t point[POINT];
  size_t length = 0;
  int is_whole = crypto.EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 &&
                 crypto.BN_bn2binpad(number, private_key, CES256_PRIVATE) == CES256_PRIVATE &&
                 crypto.EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &length) == 1 &&
                 length == sizeof point && point[0] == UNCOMPRESSED;
  crypto.BN_clear_free(number);
  if (!is_whole) return CES256_REFUSED;
  memcpy(public_key, point + 1, CES256_PUBLIC);
  return CES256_OK;
}

int ces256_generate(uint8_t private_key[CES256_PRIVATE], uint8_t public_key[CES256_PUBLIC]) {
  if (!is_available()) return CES256_NO_LIBRARY;
  EVP_PKEY *key = crypto.EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
  if (key == NULL) return CES256_REFUSED;
  int result = exported(key, private_key, public_key);
  crypto.EVP_PKEY_free(key);
  return result;
}

/// From DER to the form of RFC 7518.
static int flattened(const uint8_t *der, size_t length, uint8_t *signature) {
  const unsigned char *rest = der;
  ECDSA_SIG *numbers = crypto.d2i_ECDSA_SIG(NULL, &rest, (long)length);
  if (numbers == NULL) return CES256_REFUSED;
  const BIGNUM *r, *s;
  crypto.ECDSA_SIG_get0(numbers, &r, &s);
  int is_whole = crypto.BN_bn2binpad(r, signature, COORDINATE) == COORDINATE &&
                 crypto.BN_bn2binpad(s, signature + COORDINATE, COORDINATE) == COORDINATE;
  crypto.ECDSA_SIG_free(numbers);
  return is_whole ? CES256_OK : CES256_REFUSED;
}

int ces256_sign(const uint8_t private_key[CES256_PRIVATE], const uint8_t public_key[CES256_PUBLIC], const uint8_t *message,
                size_t length, uint8_t signature[CES256_SIGNATURE]) {
  if (!is_available()) return CES256_NO_LIBRARY;
  int result = CES256_REFUSED;
  uint8_t der[DER];
  size_t der_length = sizeof der;
  EVP_PKEY *key = imported(private_key, public_key);
  EVP_MD_CTX *context = crypto.EVP_MD_CTX_new();
  if (key != NULL && context != NULL &&
      crypto.EVP_DigestSignInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) == 1 &&
      crypto.EVP_DigestSign(context, der, &der_length, message, length) == 1) {
    result = flattened(der, der_length, signature);
  }
  crypto.EVP_MD_CTX_free(context);
  crypto.EVP_PKEY_free(key);
  return result;
}

/// From the form of RFC 7518 to DER; its length, or 0.
static size_t unflattened(const uint8_t *signature, uint8_t *der) {
  ECDSA_SIG *numbers = crypto.ECDSA_SIG_new();
  BIGNUM *r = crypto.BN_bin2bn(signature, COORDINATE, NULL);
  BIGNUM *s = crypto.BN_bin2bn(signature + COORDINATE, COORDINATE, NULL);
  int length = 0;
  if (numbers != NULL && crypto.ECDSA_SIG_set0(numbers, r, s) == 1) {
    unsigned char *end = der;
    length = crypto.i2d_ECDSA_SIG(numbers, &end);
  } else {
    crypto.BN_free(r);
    crypto.BN_free(s);
  }
  crypto.ECDSA_SIG_free(numbers);
  return length > 0 ? (size_t)length : 0;
}

int ces256_verify(const uint8_t public_key[CES256_PUBLIC], const uint8_t *message, size_t length,
                  const uint8_t signature[CES256_SIGNATURE]) {
  if (!is_available()) return CES256_NO_LIBRARY;
  int result = CES256_REFUSED;
  uint8_t der[DER];
  size_t der_length = unflattened(signature, der);
  EVP_PKEY *key = imported(NULL, public_key);
  EVP_MD_CTX *context = crypto.EVP_MD_CTX_new();
  if (der_length > 0 && key != NULL && context != NULL &&
      crypto.EVP_DigestVerifyInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) == 1 &&
      crypto.EVP_DigestVerify(context, der, der_length, message, length) == 1) {
    result = CES256_OK;
  }
  crypto.EVP_MD_CTX_free(context);
  crypto.EVP_PKEY_free(key);
  return result;
}
