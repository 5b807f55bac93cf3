#include "library.h"
#include <endian.h>
#include <string.h>

/// NODA, as for the keys. Only who has the authorization value may read or count.
static const TPMA_NV attributes =
    ((TPMA_NV)TPM2_NT_COUNTER << TPMA_NV_TPM2_NT_SHIFT) | TPMA_NV_AUTHREAD | TPMA_NV_AUTHWRITE | TPMA_NV_NO_DA;

static int define(uint32_t index, const TPM2B_AUTH *auth, ESYS_TR session, ESYS_TR *counter) {
  const TPM2B_NV_PUBLIC public = {
      .nvPublic = {.nvIndex = index, .nameAlg = TPM2_ALG_SHA256, .attributes = attributes, .dataSize = 8}};
  // The hierarchy's own authorization is empty; the session is there for the counter's value to be encrypted.
  return ctpm_succeeds(ctpm.Esys_NV_DefineSpace(ctpm_context, ESYS_TR_RH_OWNER, session, ESYS_TR_NONE, ESYS_TR_NONE, auth,
                                                &public, counter));
}

static int read_value(ESYS_TR counter, ESYS_TR session, uint64_t *value) {
  TPM2B_MAX_NV_BUFFER *data = NULL;
  int is_read =
      ctpm_succeeds(ctpm.Esys_NV_Read(ctpm_context, counter, counter, session, ESYS_TR_NONE, ESYS_TR_NONE, 8, 0, &data)) &&
      data->size == 8;
  uint64_t number = 0;
  if (is_read) memcpy(&number, data->buffer, 8);
  *value = be64toh(number);
  if (data) ctpm.Esys_Free(data);
  return is_read;
}

int ctpm_counter(uint32_t index, const uint8_t *auth_value, int defines, int increments, uint64_t *value) {
  ESYS_TR primary, session = ESYS_TR_NONE, counter = ESYS_TR_NONE;
  uint8_t name[CTPM_NAME];
  TPM2B_AUTH auth = {.size = CTPM_AUTH};
  memcpy(auth.buffer, auth_value, CTPM_AUTH);
  int outcome = ctpm_primary(ESYS_TR_RH_OWNER, &primary, name);
  if (outcome == CTPM_OK && !ctpm_session(primary, TPM2_SE_HMAC, &session)) outcome = CTPM_REFUSED;
  int is_there = outcome == CTPM_OK && ctpm_succeeds(ctpm.Esys_TR_FromTPMPublic(ctpm_context, index, ESYS_TR_NONE, ESYS_TR_NONE,
                                                                                ESYS_TR_NONE, &counter));
  if (outcome == CTPM_OK && !is_there) {
    if (!defines)
      outcome = CTPM_CLEARED;
    else if (!define(index, &auth, session, &counter))
      outcome = CTPM_REFUSED;
    // A new counter has no value before it counts for the first time.
    increments = 1;
  }
  if (outcome == CTPM_OK && (!ctpm_succeeds(ctpm.Esys_TR_SetAuth(ctpm_context, counter, &auth)) ||
                             (increments && !ctpm_succeeds(ctpm.Esys_NV_Increment(ctpm_context, counter, counter, session,
                                                                                  ESYS_TR_NONE, ESYS_TR_NONE))) ||
                             !read_value(counter, session, value)))
    outcome = CTPM_REFUSED;
  explicit_bzero(&auth, sizeof auth);
  ctpm_flush(session);
  ctpm_flush(primary);
  return outcome;
}
