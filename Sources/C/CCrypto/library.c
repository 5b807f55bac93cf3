#include "library.h"
#include <dlfcn.h>
#include <pthread.h>

struct ccrypto_functions ccrypto;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
#define FIND(name)                                                                                                            \
  ccrypto.name = (__typeof__(ccrypto.name))dlsym(library, #name);                                                             \
  if (ccrypto.name == NULL) return;
  CCRYPTO_FUNCTIONS(FIND)
  is_loaded = 1;
}

int ccrypto_is_available(void) {
  pthread_once(&once, load);
  return is_loaded;
}

EVP_PKEY *ccrypto_key(const char *kind, int selection, OSSL_PARAM *parameters) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = ccrypto.EVP_PKEY_CTX_new_from_name(NULL, kind, NULL);
  if (context != NULL && ccrypto.EVP_PKEY_fromdata_init(context) == 1 &&
      ccrypto.EVP_PKEY_fromdata(context, &key, selection, parameters) != 1)
    key = NULL;
  ccrypto.EVP_PKEY_CTX_free(context);
  return key;
}

int ccrypto_verify(EVP_PKEY *key, const char *digest, const uint8_t *message, size_t length, const uint8_t *signature,
                   size_t signature_length) {
  EVP_MD_CTX *context = ccrypto.EVP_MD_CTX_new();
  int is_right = key != NULL && context != NULL &&
                 ccrypto.EVP_DigestVerifyInit_ex(context, NULL, digest, NULL, NULL, key, NULL) == 1 &&
                 ccrypto.EVP_DigestVerify(context, signature, signature_length, message, length) == 1;
  ccrypto.EVP_MD_CTX_free(context);
  return is_right ? CCRYPTO_OK : CCRYPTO_REFUSED;
}

void ccrypto_turn(uint8_t *number, const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    number[i] = bytes[length - 1 - i];
#else
    number[i] = bytes[i];
#endif
}

static const char *hash_name(size_t size) {
  switch (size) {
  case CCRYPTO_SHA1: return "SHA1";
  case CCRYPTO_SHA224: return "SHA224";
  case CCRYPTO_SHA384: return "SHA384";
  case CCRYPTO_SHA512: return "SHA512";
  default: return "SHA256";
  }
}

int ccrypto_hash(const uint8_t *message, size_t length, uint8_t *digest, size_t size) {
  if (!ccrypto_is_available()) return CCRYPTO_NO_LIBRARY;
  size_t made = size;
  const char *name = hash_name(size);
  return ccrypto.EVP_Q_digest(NULL, name, NULL, message, length, digest, &made) == 1 && made == size ? CCRYPTO_OK
                                                                                                       : CCRYPTO_REFUSED;
}
