#include "library.h"
#include <string.h>

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
  TPM2B_PUBLIC template = {.publicArea = {.type = TPM2_ALG_KEYEDHASH,
                                          .nameAlg = TPM2_ALG_SHA256,
                                          .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_NODA,
                                          .parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL}};
  if (!policy_digest(primary, sealed->pcrs, &template.publicArea.authPolicy)) return 0;
  TPM2B_SENSITIVE_CREATE sensitive = {.sensitive = {.userAuth.size = CTPM_AUTH, .data.size = CTPM_KEY}};
  memcpy(sensitive.sensitive.userAuth.buffer, sealed->auth, CTPM_AUTH);
  memcpy(sensitive.sensitive.data.buffer, key, CTPM_KEY);
  TPM2B_PUBLIC made;
  int is_made = ctpm_create(primary, &sensitive, &template, sealed, &made);
  explicit_bzero(&sensitive, sizeof sensitive);
  return is_made;
}

int ctpm_seal(uint32_t pcrs, const uint8_t *key, struct ctpm_sealed *sealed) {
  memset(sealed, 0, sizeof *sealed);
  sealed->pcrs = pcrs;
  if (!ctpm_new_auth(sealed->auth)) return CTPM_REFUSED;
  ctpm_chip(sealed->endorsement);
  ESYS_TR primary;
  int outcome = ctpm_primary(ESYS_TR_RH_OWNER, &primary, sealed->primary);
  if (outcome == CTPM_OK && !create(primary, key, sealed)) outcome = CTPM_REFUSED;
  ctpm_flush(primary);
  return outcome;
}

static int open_object(ESYS_TR primary, const struct ctpm_sealed *sealed, uint8_t *key) {
  ESYS_TR session, object = ESYS_TR_NONE, policy = ESYS_TR_NONE;
  TPM2B_SENSITIVE_DATA *data = NULL;
  int outcome = ctpm_session(primary, TPM2_SE_HMAC, &session) ? ctpm_load(primary, session, sealed, &object) : ctpm_meaning();
  if (outcome == CTPM_OK &&
      !(ctpm_session(primary, TPM2_SE_POLICY, &policy) && restrict_session(policy, sealed->pcrs) &&
        ctpm_succeeds(ctpm.Esys_Unseal(ctpm_context, object, policy, ESYS_TR_NONE, ESYS_TR_NONE, &data))))
    outcome = ctpm_meaning();
  if (outcome == CTPM_OK && data->size != CTPM_KEY) outcome = CTPM_DAMAGED;
  if (outcome == CTPM_OK) memcpy(key, data->buffer, CTPM_KEY);
  if (data) {
    explicit_bzero(data, sizeof *data);
    ctpm.Esys_Free(data);
  }
  ctpm_flush(policy);
  ctpm_flush(object);
  ctpm_flush(session);
  return outcome;
}

int ctpm_unseal(const struct ctpm_sealed *sealed, uint8_t *key) {
  ESYS_TR primary;
  int outcome = ctpm_primary_of(sealed, &primary);
  if (outcome == CTPM_OK) outcome = open_object(primary, sealed, key);
  ctpm_flush(primary);
  return outcome;
}
