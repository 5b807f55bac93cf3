#include "library.h"
#include <limits.h>
#include <string.h>

/// The certificate that these bytes are, and nothing behind it; NULL otherwise.
static X509 *parsed(const uint8_t *der, size_t length) {
  if (!ccrypto_is_available() || length > LONG_MAX) return NULL;
  const unsigned char *rest = der;
  X509 *certificate = ccrypto.d2i_X509(NULL, &rest, (long)length);
  if (certificate != NULL && rest == der + length) return certificate;
  ccrypto.X509_free(certificate);
  return NULL;
}

int ccertificate_check(const uint8_t *der, size_t length) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  X509 *certificate = parsed(der, length);
  ccrypto.X509_free(certificate);
  return certificate != NULL ? CCRYPTO_OK : CCRYPTO_REFUSED;
}

static int kind_of(enum ccertificate_part part) {
  switch (part) {
  case CCERTIFICATE_ORGANIZATION: return NID_organizationName;
  case CCERTIFICATE_UNIT: return NID_organizationalUnitName;
  case CCERTIFICATE_EMAIL: return NID_pkcs9_emailAddress;
  default: return NID_commonName;
  }
}

/// Of several the first.
static size_t copied(X509 *certificate, int kind, char *text, size_t capacity) {
  const X509_NAME *subject = ccrypto.X509_get_subject_name(certificate);
  int place = subject != NULL ? ccrypto.X509_NAME_get_index_by_NID(subject, kind, -1) : -1;
  const X509_NAME_ENTRY *entry = place >= 0 ? ccrypto.X509_NAME_get_entry(subject, place) : NULL;
  unsigned char *found = NULL;
  int length = entry != NULL ? ccrypto.ASN1_STRING_to_UTF8(&found, ccrypto.X509_NAME_ENTRY_get_data(entry)) : 0;
  size_t size = length > 0 && (size_t)length <= capacity ? (size_t)length : 0;
  if (size > 0) memcpy(text, found, size);
  if (found != NULL) ccrypto.CRYPTO_free(found, "", 0);
  return size;
}

size_t ccertificate_subject(const uint8_t *der, size_t length, enum ccertificate_part part, char *text, size_t capacity) {
  X509 *certificate = parsed(der, length);
  size_t size = certificate != NULL ? copied(certificate, kind_of(part), text, capacity) : 0;
  if (certificate != NULL) ccrypto.X509_free(certificate);
  return size;
}

int ccertificate_key(const uint8_t *der, size_t length, uint8_t public_key[CES256_PUBLIC]) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  X509 *certificate = parsed(der, length);
  EVP_PKEY *key = certificate != NULL ? ccrypto.X509_get0_pubkey(certificate) : NULL;
  char group[16];
  uint8_t point[1 + CES256_PUBLIC];
  size_t size = 0;
  int is_found = key != NULL && ccrypto.EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1 &&
                 strcmp(group, "prime256v1") == 0 &&
                 ccrypto.EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &size) == 1 &&
                 size == sizeof point && point[0] == POINT_CONVERSION_UNCOMPRESSED;
  if (is_found) memcpy(public_key, point + 1, CES256_PUBLIC);
  ccrypto.X509_free(certificate);
  return is_found ? CCRYPTO_OK : CCRYPTO_REFUSED;
}
