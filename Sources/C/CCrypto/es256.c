#include "library.h"
#include <string.h>

enum { DER = CES256_DER, COORDINATE = 32, POINT = 1 + CES256_PUBLIC, UNCOMPRESSED = 4 };

/// The pair, or the public key alone where there is no private one; NULL where the bytes are no key.
static EVP_PKEY *imported(const uint8_t *private_key, const uint8_t *public_key) {
  uint8_t point[POINT] = {UNCOMPRESSED};
  memcpy(point + 1, public_key, CES256_PUBLIC);
  uint8_t number[CES256_PRIVATE] = {0};
  if (private_key != NULL) ccrypto_turn(number, private_key, sizeof number);
  OSSL_PARAM parameters[4], *next = parameters;
  *next++ = ccrypto.OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0);
  *next++ = ccrypto.OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point);
  if (private_key != NULL) *next++ = ccrypto.OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, number, sizeof number);
  *next = ccrypto.OSSL_PARAM_construct_end();
  EVP_PKEY *key = ccrypto_key("EC", private_key != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters);
  ccrypto.OPENSSL_cleanse(number, sizeof number);
  return key;
}

static int exported(EVP_PKEY *key, uint8_t *private_key, uint8_t *public_key) {
  BIGNUM *number = NULL;
  uint8_t point[POINT];
  size_t length = 0;
  int is_whole = ccrypto.EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 &&
                 ccrypto.BN_bn2binpad(number, private_key, CES256_PRIVATE) == CES256_PRIVATE &&
                 ccrypto.EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &length) == 1 &&
                 length == sizeof point && point[0] == UNCOMPRESSED;
  ccrypto.BN_clear_free(number);
  if (!is_whole) return CCRYPTO_REFUSED;
  memcpy(public_key, point + 1, CES256_PUBLIC);
  return CCRYPTO_OK;
}

int ces256_generate(uint8_t private_key[CES256_PRIVATE], uint8_t public_key[CES256_PUBLIC]) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  EVP_PKEY *key = ccrypto.EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
  if (key == NULL) return CCRYPTO_REFUSED;
  int result = exported(key, private_key, public_key);
  ccrypto.EVP_PKEY_free(key);
  return result;
}

int ces256_public(const uint8_t private_key[CES256_PRIVATE], uint8_t public_key[CES256_PUBLIC]) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  int result = CCRYPTO_REFUSED;
  uint8_t bytes[POINT];
  EC_GROUP *group = ccrypto.EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  BIGNUM *number = ccrypto.BN_secure_new();
  EC_POINT *point = group != NULL ? ccrypto.EC_POINT_new(group) : NULL;
  if (point != NULL && number != NULL && ccrypto.BN_bin2bn(private_key, CES256_PRIVATE, number) != NULL) {
    // How long it takes must not tell which number it is.
    ccrypto.BN_set_flags(number, BN_FLG_CONSTTIME);
    if (!ccrypto.BN_is_zero(number) && ccrypto.BN_cmp(number, ccrypto.EC_GROUP_get0_order(group)) < 0 &&
        ccrypto.EC_POINT_mul(group, point, number, NULL, NULL, NULL) == 1 &&
        ccrypto.EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, bytes, sizeof bytes, NULL) == sizeof bytes) {
      memcpy(public_key, bytes + 1, CES256_PUBLIC);
      result = CCRYPTO_OK;
    }
  }
  ccrypto.EC_POINT_free(point);
  ccrypto.BN_clear_free(number);
  ccrypto.EC_GROUP_free(group);
  return result;
}

int ces256_is_public(const uint8_t public_key[CES256_PUBLIC]) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  EVP_PKEY *key = imported(NULL, public_key);
  ccrypto.EVP_PKEY_free(key);
  return key != NULL ? CCRYPTO_OK : CCRYPTO_REFUSED;
}

/// From DER to the form of RFC 7518.
static int flattened(const uint8_t *der, size_t length, uint8_t *signature) {
  const unsigned char *rest = der;
  ECDSA_SIG *numbers = ccrypto.d2i_ECDSA_SIG(NULL, &rest, (long)length);
  if (numbers == NULL) return CCRYPTO_REFUSED;
  const BIGNUM *r, *s;
  ccrypto.ECDSA_SIG_get0(numbers, &r, &s);
  int is_whole = ccrypto.BN_bn2binpad(r, signature, COORDINATE) == COORDINATE &&
                 ccrypto.BN_bn2binpad(s, signature + COORDINATE, COORDINATE) == COORDINATE;
  ccrypto.ECDSA_SIG_free(numbers);
  return is_whole ? CCRYPTO_OK : CCRYPTO_REFUSED;
}

int ces256_sign(const uint8_t private_key[CES256_PRIVATE], const uint8_t public_key[CES256_PUBLIC], const uint8_t *message,
                size_t length, uint8_t signature[CES256_SIGNATURE]) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  int result = CCRYPTO_REFUSED;
  uint8_t der[DER];
  size_t der_length = sizeof der;
  EVP_PKEY *key = imported(private_key, public_key);
  EVP_MD_CTX *context = ccrypto.EVP_MD_CTX_new();
  if (key != NULL && context != NULL &&
      ccrypto.EVP_DigestSignInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) == 1 &&
      ccrypto.EVP_DigestSign(context, der, &der_length, message, length) == 1) {
    result = flattened(der, der_length, signature);
  }
  ccrypto.EVP_MD_CTX_free(context);
  ccrypto.EVP_PKEY_free(key);
  return result;
}

int ces256_sign_digest(const uint8_t private_key[CES256_PRIVATE], const uint8_t public_key[CES256_PUBLIC],
                       const uint8_t digest[CCRYPTO_SHA256], uint8_t signature[CES256_SIGNATURE]) {
  uint8_t point[CES256_PUBLIC], der[DER];
  int result = ces256_public(private_key, point);
  if (result != CCRYPTO_OK) return result;
  if (memcmp(point, public_key, sizeof point) != 0) return CCRYPTO_REFUSED;
  size_t der_length = sizeof der;
  EVP_PKEY *key = imported(private_key, public_key);
  EVP_PKEY_CTX *context = key != NULL ? ccrypto.EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
  int is_made = context != NULL && ccrypto.EVP_PKEY_sign_init(context) == 1 &&
                ccrypto.EVP_PKEY_sign(context, der, &der_length, digest, CCRYPTO_SHA256) == 1;
  result = is_made ? flattened(der, der_length, signature) : CCRYPTO_REFUSED;
  ccrypto.EVP_PKEY_CTX_free(context);
  ccrypto.EVP_PKEY_free(key);
  return result;
}

/// From the form of RFC 7518 to DER; its length, or 0.
static size_t unflattened(const uint8_t *signature, uint8_t *der) {
  ECDSA_SIG *numbers = ccrypto.ECDSA_SIG_new();
  BIGNUM *r = ccrypto.BN_bin2bn(signature, COORDINATE, NULL);
  BIGNUM *s = ccrypto.BN_bin2bn(signature + COORDINATE, COORDINATE, NULL);
  int length = 0;
  if (numbers != NULL && ccrypto.ECDSA_SIG_set0(numbers, r, s) == 1) {
    unsigned char *end = der;
    length = ccrypto.i2d_ECDSA_SIG(numbers, &end);
  } else {
    ccrypto.BN_free(r);
    ccrypto.BN_free(s);
  }
  ccrypto.ECDSA_SIG_free(numbers);
  return length > 0 ? (size_t)length : 0;
}

int ces256_verify(const uint8_t public_key[CES256_PUBLIC], const uint8_t *message, size_t length,
                  const uint8_t signature[CES256_SIGNATURE]) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  uint8_t der[DER];
  size_t der_length = unflattened(signature, der);
  EVP_PKEY *key = imported(NULL, public_key);
  int result = der_length > 0 ? ccrypto_verify(key, "SHA256", message, length, der, der_length) : CCRYPTO_REFUSED;
  ccrypto.EVP_PKEY_free(key);
  return result;
}

size_t ces256_der(const uint8_t signature[CES256_SIGNATURE], uint8_t der[CES256_DER]) {
  return ccrypto_is_available() ? unflattened(signature, der) : 0;
}

int ces256_verify_digest(const uint8_t public_key[CES256_PUBLIC], const uint8_t digest[CCRYPTO_SHA256], const uint8_t *der,
                         size_t length) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  EVP_PKEY *key = imported(NULL, public_key);
  EVP_PKEY_CTX *context = key != NULL ? ccrypto.EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
  int is_right = context != NULL && ccrypto.EVP_PKEY_verify_init(context) == 1 &&
                 ccrypto.EVP_PKEY_verify(context, der, length, digest, CCRYPTO_SHA256) == 1;
  ccrypto.EVP_PKEY_CTX_free(context);
  ccrypto.EVP_PKEY_free(key);
  return is_right ? CCRYPTO_OK : CCRYPTO_REFUSED;
}

int ces256_agree(const uint8_t private_key[CES256_PRIVATE], const uint8_t public_key[CES256_PUBLIC],
                 uint8_t shared[CES256_PRIVATE]) {
  uint8_t own[CES256_PUBLIC];
  int result = ces256_public(private_key, own);
  if (result != CCRYPTO_OK) return result;
  size_t length = CES256_PRIVATE;
  EVP_PKEY *key = imported(private_key, own), *other = imported(NULL, public_key);
  EVP_PKEY_CTX *context = key != NULL ? ccrypto.EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
  int is_agreed = context != NULL && other != NULL && ccrypto.EVP_PKEY_derive_init(context) == 1 &&
                  ccrypto.EVP_PKEY_derive_set_peer(context, other) == 1 &&
                  ccrypto.EVP_PKEY_derive(context, shared, &length) == 1 && length == CES256_PRIVATE;
  ccrypto.EVP_PKEY_CTX_free(context);
  ccrypto.EVP_PKEY_free(other);
  ccrypto.EVP_PKEY_free(key);
  return is_agreed ? CCRYPTO_OK : CCRYPTO_REFUSED;
}
