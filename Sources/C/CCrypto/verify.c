#include "library.h"

int crs256_verify(const struct crs256_key *key, const uint8_t *message, size_t length, const uint8_t *signature) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  if (key->modulus_length > CRS256_MODULUS || key->exponent_length > CRS256_EXPONENT) return CCRYPTO_REFUSED;
  uint8_t modulus[CRS256_MODULUS], exponent[CRS256_EXPONENT];
  ccrypto_turn(modulus, key->modulus, key->modulus_length);
  ccrypto_turn(exponent, key->exponent, key->exponent_length);
  OSSL_PARAM parameters[] = {
      ccrypto.OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_N, modulus, key->modulus_length),
      ccrypto.OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_E, exponent, key->exponent_length),
      ccrypto.OSSL_PARAM_construct_end(),
  };
  EVP_PKEY *imported = ccrypto_key("RSA", EVP_PKEY_PUBLIC_KEY, parameters);
  int result = ccrypto_verify(imported, "SHA256", message, length, signature, key->modulus_length);
  ccrypto.EVP_PKEY_free(imported);
  return result;
}

int ceddsa_verify(const uint8_t public_key[CEDDSA_PUBLIC], const uint8_t *message, size_t length,
                  const uint8_t signature[CEDDSA_SIGNATURE]) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  EVP_PKEY *key = ccrypto.EVP_PKEY_new_raw_public_key_ex(NULL, "ED25519", NULL, public_key, CEDDSA_PUBLIC);
  int result = ccrypto_verify(key, NULL, message, length, signature, CEDDSA_SIGNATURE);
  ccrypto.EVP_PKEY_free(key);
  return result;
}
