#include "library.h"
#include <string.h>

/// A key that the TPM makes itself and never gives away. Unlike the device key it is bound to no PCR: who asks for a signature
/// needs its authorization value, which lies under the device key, and so is bound already. An update of the firmware, after which a
/// passcode brings the device key back, must not cost the key, too. NODA, as for the others.
static const TPM2B_PUBLIC template = {
    .publicArea = {
        .type = TPM2_ALG_ECC,
        .nameAlg = TPM2_ALG_SHA256,
        .objectAttributes = TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT |
                            TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA,
        .parameters.eccDetail = {.symmetric.algorithm = TPM2_ALG_NULL,
                                 .scheme = {.scheme = TPM2_ALG_ECDSA, .details.ecdsa.hashAlg = TPM2_ALG_SHA256},
                                 .curveID = TPM2_ECC_NIST_P256,
                                 .kdf.scheme = TPM2_ALG_NULL}}};

/// With the highest byte first, as the TPM has it, and as long as others want it: the TPM may leave zeros at its beginning out.
static int put(const TPM2B_ECC_PARAMETER *number, uint8_t *place) {
  if (number->size > CTPM_COORDINATE) return 0;
  memset(place, 0, CTPM_COORDINATE);
  memcpy(place + CTPM_COORDINATE - number->size, number->buffer, number->size);
  return 1;
}

static int create(ESYS_TR primary, int agrees, struct ctpm_sealed *made, uint8_t point[CTPM_POINT]) {
  TPM2B_SENSITIVE_CREATE sensitive = {.sensitive.userAuth.size = CTPM_AUTH};
  memcpy(sensitive.sensitive.userAuth.buffer, made->auth, CTPM_AUTH);
  TPM2B_PUBLIC wanted = template, public;
  if (agrees) {
    wanted.publicArea.objectAttributes |= TPMA_OBJECT_DECRYPT;
    // A key for both says with each use which it is.
    wanted.publicArea.parameters.eccDetail.scheme.scheme = TPM2_ALG_NULL;
  }
  int is_made = ctpm_create(primary, &sensitive, &wanted, made, &public);
  explicit_bzero(&sensitive, sizeof sensitive);
  return is_made && public.publicArea.type == TPM2_ALG_ECC &&
         public.publicArea.objectAttributes == wanted.publicArea.objectAttributes &&
         public.publicArea.parameters.eccDetail.curveID == TPM2_ECC_NIST_P256 &&
         put(&public.publicArea.unique.ecc.x, point) && put(&public.publicArea.unique.ecc.y, point + CTPM_COORDINATE);
}

int ctpm_make_signing_key(struct ctpm_sealed *made, int agrees, uint8_t point[CTPM_POINT]) {
  memset(made, 0, sizeof *made);
  if (!ctpm_new_auth(made->auth)) return CTPM_REFUSED;
  ctpm_chip(made->endorsement);
  ESYS_TR primary;
  int outcome = ctpm_primary(ESYS_TR_RH_OWNER, &primary, made->primary);
  if (outcome == CTPM_OK && !create(primary, agrees, made, point)) outcome = CTPM_REFUSED;
  ctpm_flush(primary);
  return outcome;
}

static int sign(ESYS_TR key, ESYS_TR session, const uint8_t *bytes, uint8_t *signature) {
  TPM2B_DIGEST digest = {.size = CTPM_DIGEST};
  memcpy(digest.buffer, bytes, CTPM_DIGEST);
  const TPMT_SIG_SCHEME scheme = {.scheme = TPM2_ALG_ECDSA, .details.ecdsa.hashAlg = TPM2_ALG_SHA256};
  // Only a restricted key wants to know who made the digest.
  const TPMT_TK_HASHCHECK unknown = {.tag = TPM2_ST_HASHCHECK, .hierarchy = TPM2_RH_NULL};
  TPMT_SIGNATURE *made = NULL;
  int is_signed = ctpm_succeeds(ctpm.Esys_Sign(ctpm_context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &digest, &scheme,
                                               &unknown, &made)) &&
                  made->sigAlg == TPM2_ALG_ECDSA && put(&made->signature.ecdsa.signatureR, signature) &&
                  put(&made->signature.ecdsa.signatureS, signature + CTPM_COORDINATE);
  if (made) ctpm.Esys_Free(made);
  return is_signed;
}

static int agree(ESYS_TR key, ESYS_TR session, const uint8_t *other, uint8_t *shared) {
  TPM2B_ECC_POINT point = {.point = {.x.size = CTPM_COORDINATE, .y.size = CTPM_COORDINATE}};
  memcpy(point.point.x.buffer, other, CTPM_COORDINATE);
  memcpy(point.point.y.buffer, other + CTPM_COORDINATE, CTPM_COORDINATE);
  TPM2B_ECC_POINT *made = NULL;
  int is_agreed = ctpm_succeeds(ctpm.Esys_ECDH_ZGen(ctpm_context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &point, &made)) &&
                  put(&made->point.x, shared);
  if (made) {
    explicit_bzero(made, sizeof *made);
    ctpm.Esys_Free(made);
  }
  return is_agreed;
}

/// Loads a key, and does something with it.
static int used(const struct ctpm_sealed *key, int (*use)(ESYS_TR, ESYS_TR, const uint8_t *, uint8_t *), const uint8_t *given,
                uint8_t *made) {
  ESYS_TR primary, session = ESYS_TR_NONE, object = ESYS_TR_NONE;
  int outcome = ctpm_primary_of(key, &primary);
  if (outcome == CTPM_OK && !ctpm_session(primary, TPM2_SE_HMAC, &session)) outcome = CTPM_REFUSED;
  if (outcome == CTPM_OK) outcome = ctpm_load(primary, session, key, &object);
  if (outcome == CTPM_OK && !use(object, session, given, made)) outcome = CTPM_REFUSED;
  ctpm_flush(object);
  ctpm_flush(session);
  ctpm_flush(primary);
  return outcome;
}

int ctpm_sign(const struct ctpm_sealed *key, const uint8_t digest[CTPM_DIGEST], uint8_t signature[CTPM_SIGNATURE]) {
  return used(key, sign, digest, signature);
}

int ctpm_agree(const struct ctpm_sealed *key, const uint8_t point[CTPM_POINT], uint8_t shared[CTPM_COORDINATE]) {
  return used(key, agree, point, shared);
}
