#include "library.h"
#include <string.h>
#include <sys/random.h>

/// The policy: these PCRs as they are now, and the authorization value.
static int restrict_session(ESYS_TR session, uint32_t pcrs) {
  const TPML_PCR_SELECTION selection = {
      .count = 1,
      .pcrSelections = {{.hash = TPM2_ALG_SHA256,
                         .sizeofSelect = 3,
                         .pcrSelect = {(BYTE)pcrs, (BYTE)(pcrs >> 8), (BYTE)(pcrs >> 16)}}}};
  return ctpm_succeeds(ctpm.Esys_PolicyPCR(ctpm_context, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, NULL, &selection)) &&
         ctpm_succeeds(ctpm.Esys_PolicyAuthValue(ctpm_context, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE));
}

static int policy_digest(ESYS_TR primary, uint32_t pcrs, TPM2B_DIGEST *digest) {
  ESYS_TR trial;
  TPM2B_DIGEST *found = NULL;
  int is_found = ctpm_session(primary, TPM2_SE_TRIAL, &trial) && restrict_session(trial, pcrs) &&
                 ctpm_succeeds(ctpm.Esys_PolicyGetDigest(ctpm_context, trial, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &found));
  if (is_found) *digest = *found;
  if (found) ctpm.Esys_Free(found);
  ctpm_flush(trial);
  return is_found;
}

static int create(ESYS_TR primary, const uint8_t *key, struct ctpm_sealed *sealed) {
  TPM2B_PUBLIC public = {.publicArea = {.type = TPM2_ALG_KEYEDHASH,
                                        .nameAlg = TPM2_ALG_SHA256,
                                        .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_NODA,
                                        .parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL}};
  if (!policy_digest(primary, sealed->pcrs, &public.publicArea.authPolicy)) return 0;
  TPM2B_SENSITIVE_CREATE sensitive = {.sensitive = {.userAuth.size = CTPM_AUTH, .data.size = CTPM_KEY}};
  memcpy(sensitive.sensitive.userAuth.buffer, sealed->auth, CTPM_AUTH);
  memcpy(sensitive.sensitive.data.buffer, key, CTPM_KEY);
  const TPM2B_DATA outside = {0};
  const TPML_PCR_SELECTION none = {0};
  TPM2B_PRIVATE *private_part = NULL;
  TPM2B_PUBLIC *public_part = NULL;
  ESYS_TR session;
  size_t size = 0;
  int is_made =
      ctpm_session(primary, TPM2_SE_HMAC, &session) &&
      ctpm_succeeds(ctpm.Esys_Create(ctpm_context, primary, session, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &public, &outside,
                                     &none, &private_part, &public_part, NULL, NULL, NULL)) &&
      ctpm_succeeds(ctpm.Tss2_MU_TPM2B_PUBLIC_Marshal(public_part, sealed->object, sizeof sealed->object, &size)) &&
      ctpm_succeeds(ctpm.Tss2_MU_TPM2B_PRIVATE_Marshal(private_part, sealed->object, sizeof sealed->object, &size));
  sealed->object_size = (uint16_t)size;
  explicit_bzero(&sensitive, sizeof sensitive);
  if (private_part) ctpm.Esys_Free(private_part);
  if (public_part) ctpm.Esys_Free(public_part);
  ctpm_flush(session);
  return is_made;
}

/// The name of the chip's own key; false, and zeros, where the TPM does not let it be made.
static int chip(uint8_t name[CTPM_NAME]) {
  ESYS_TR key;
  int is_known = ctpm_primary(ESYS_TR_RH_ENDORSEMENT, &key, name) == CTPM_OK;
  ctpm_flush(key);
  if (!is_known) memset(name, 0, CTPM_NAME);
  return is_known;
}

int ctpm_seal(uint32_t pcrs, const uint8_t *key, struct ctpm_sealed *sealed) {
  memset(sealed, 0, sizeof *sealed);
  sealed->pcrs = pcrs;
  if (getrandom(sealed->auth, CTPM_AUTH, 0) != CTPM_AUTH) return CTPM_REFUSED;
  // Zeros at the end of an authorization value are not a part of it.
  sealed->auth[CTPM_AUTH - 1] |= 1;
  chip(sealed->endorsement);
  ESYS_TR primary;
  int outcome = ctpm_primary(ESYS_TR_RH_OWNER, &primary, sealed->primary);
  if (outcome == CTPM_OK && !create(primary, key, sealed)) outcome = CTPM_REFUSED;
  ctpm_flush(primary);
  return outcome;
}

static int open_object(ESYS_TR primary, const struct ctpm_sealed *sealed, uint8_t *key) {
  TPM2B_PUBLIC public = {0};
  TPM2B_PRIVATE private_part = {0};
  size_t size = 0;
  if (sealed->object_size > sizeof sealed->object ||
      !ctpm_succeeds(ctpm.Tss2_MU_TPM2B_PUBLIC_Unmarshal(sealed->object, sealed->object_size, &size, &public)) ||
      !ctpm_succeeds(ctpm.Tss2_MU_TPM2B_PRIVATE_Unmarshal(sealed->object, sealed->object_size, &size, &private_part)) ||
      size != sealed->object_size)
    return CTPM_DAMAGED;
  ESYS_TR session, object = ESYS_TR_NONE, policy = ESYS_TR_NONE;
  TPM2B_SENSITIVE_DATA *data = NULL;
  TPM2B_AUTH auth = {.size = CTPM_AUTH};
  memcpy(auth.buffer, sealed->auth, CTPM_AUTH);
  int outcome =
      ctpm_session(primary, TPM2_SE_HMAC, &session) &&
              ctpm_succeeds(ctpm.Esys_Load(ctpm_context, primary, session, ESYS_TR_NONE, ESYS_TR_NONE, &private_part, &public,
                                           &object)) &&
              ctpm_succeeds(ctpm.Esys_TR_SetAuth(ctpm_context, object, &auth)) &&
              ctpm_session(primary, TPM2_SE_POLICY, &policy) && restrict_session(policy, sealed->pcrs) &&
              ctpm_succeeds(ctpm.Esys_Unseal(ctpm_context, object, policy, ESYS_TR_NONE, ESYS_TR_NONE, &data))
          ? CTPM_OK
          : ctpm_meaning();
  if (outcome == CTPM_OK && data->size != CTPM_KEY) outcome = CTPM_DAMAGED;
  if (outcome == CTPM_OK) memcpy(key, data->buffer, CTPM_KEY);
  if (data) {
    explicit_bzero(data, sizeof *data);
    ctpm.Esys_Free(data);
  }
  explicit_bzero(&auth, sizeof auth);
  ctpm_flush(policy);
  ctpm_flush(object);
  ctpm_flush(session);
  return outcome;
}

/// The key above it is another one: this TPM was cleared, or is another TPM.
static int other_primary(const struct ctpm_sealed *sealed) {
  uint8_t name[CTPM_NAME], unknown[CTPM_NAME] = {0};
  if (memcmp(sealed->endorsement, unknown, CTPM_NAME) == 0 || !chip(name)) return CTPM_REPLACED;
  return memcmp(name, sealed->endorsement, CTPM_NAME) == 0 ? CTPM_CLEARED : CTPM_REPLACED;
}

int ctpm_unseal(const struct ctpm_sealed *sealed, uint8_t *key) {
  ESYS_TR primary;
  uint8_t name[CTPM_NAME];
  int outcome = ctpm_primary(ESYS_TR_RH_OWNER, &primary, name);
  if (outcome == CTPM_OK)
    outcome = memcmp(name, sealed->primary, CTPM_NAME) == 0 ? open_object(primary, sealed, key) : other_primary(sealed);
  ctpm_flush(primary);
  return outcome;
}
