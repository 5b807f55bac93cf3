#ifndef CCRYPTO_LIBRARY_H
#define CCRYPTO_LIBRARY_H

#include "CCrypto.h"
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

/// Every function that is used, each found by its name when the library is loaded.
#define CCRYPTO_FUNCTIONS(X)                                                                                                 \
  X(EVP_PKEY_Q_keygen) X(EVP_PKEY_get_bn_param) X(EVP_PKEY_get_octet_string_param) X(EVP_PKEY_CTX_new_from_name)             \
  X(EVP_PKEY_CTX_free) X(EVP_PKEY_fromdata_init) X(EVP_PKEY_fromdata) X(EVP_PKEY_free) X(EVP_MD_CTX_new)                     \
  X(EVP_MD_CTX_free) X(EVP_DigestSignInit_ex) X(EVP_DigestSign) X(EVP_DigestVerifyInit_ex) X(EVP_DigestVerify)               \
  X(OSSL_PARAM_construct_utf8_string) X(OSSL_PARAM_construct_octet_string) X(OSSL_PARAM_construct_BN)                        \
  X(OSSL_PARAM_construct_end) X(ECDSA_SIG_new) X(ECDSA_SIG_free) X(ECDSA_SIG_get0) X(ECDSA_SIG_set0) X(d2i_ECDSA_SIG)        \
  X(i2d_ECDSA_SIG) X(BN_bn2binpad) X(BN_bin2bn) X(BN_free) X(BN_clear_free) X(OPENSSL_cleanse) X(EVP_Q_digest)               \
  X(EVP_PKEY_new_raw_public_key_ex) X(BN_secure_new) X(BN_is_zero) X(BN_cmp) X(BN_set_flags)                                 \
  X(EC_GROUP_new_by_curve_name) X(EC_GROUP_free) X(EC_GROUP_get0_order) X(EC_POINT_new) X(EC_POINT_free)                     \
  X(EC_POINT_mul) X(EC_POINT_point2oct) X(EVP_PBE_scrypt) X(EVP_KDF_fetch) X(EVP_KDF_CTX_new) X(EVP_KDF_derive)              \
  X(EVP_KDF_CTX_free) X(EVP_KDF_free) X(EVP_Q_mac) X(EVP_CIPHER_CTX_new) X(EVP_CIPHER_CTX_free) X(EVP_CIPHER_CTX_ctrl)       \
  X(EVP_chacha20_poly1305) X(EVP_CipherInit_ex) X(EVP_CipherUpdate) X(EVP_CipherFinal_ex) X(EVP_aes_128_cbc)                 \
  X(BN_get_rfc2409_prime_1024) X(BN_CTX_secure_new) X(BN_CTX_free) X(BN_mod_exp) X(BN_new) X(BN_set_word) X(BN_sub_word)     \
  X(BN_is_one) X(RAND_priv_bytes) X(RAND_bytes) X(EVP_PKEY_CTX_new_from_pkey) X(EVP_PKEY_sign_init) X(EVP_PKEY_sign)      \
  X(EVP_PKEY_verify_init) X(EVP_PKEY_verify) X(EVP_PKEY_derive_init) X(EVP_PKEY_derive_set_peer) X(EVP_PKEY_derive)    \
  X(EVP_aes_256_cbc) X(EVP_CIPHER_CTX_set_padding) X(EVP_aes_128_gcm)   \
  X(d2i_X509) X(X509_free) X(X509_get_subject_name) X(X509_NAME_get_index_by_NID) X(X509_NAME_get_entry)                     \
  X(X509_NAME_ENTRY_get_data) X(ASN1_STRING_to_UTF8) X(CRYPTO_free) X(X509_get0_pubkey) X(EVP_PKEY_get_group_name)

struct ccrypto_functions {
#define CCRYPTO_DECLARE(name) __typeof__(&name) name;
  CCRYPTO_FUNCTIONS(CCRYPTO_DECLARE)
#undef CCRYPTO_DECLARE
};

extern struct ccrypto_functions ccrypto;

/// A key of these parameters; NULL where they are none.
EVP_PKEY *ccrypto_key(const char *kind, int selection, OSSL_PARAM *parameters);

/// `digest`: NULL where the key hashes by itself. CCRYPTO_OK or CCRYPTO_REFUSED, which a key that is NULL is as well.
int ccrypto_verify(EVP_PKEY *key, const char *digest, const uint8_t *message, size_t length, const uint8_t *signature,
                   size_t signature_length);

/// libcrypto has numbers in the machine's order.
void ccrypto_turn(uint8_t *number, const uint8_t *bytes, size_t length);

#endif
