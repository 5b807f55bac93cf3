#include "library.h"
#include <endian.h>
#include <string.h>

/// NODA, as for the keys. Only who has the authorization value may read or count.
static const TPMA_NV attributes =
    ((TPMA_NV)TPM2_NT_COUNTER << TPMA_NV_TPM2_NT_SHIFT) | TPMA_NV_AUTHREAD | TPMA_NV_AUTHWRITE | TPMA_NV_NO_DA;

struct counter {
  ESYS_TR handle, session;
  uint32_t index;
  TPM2B_AUTH auth;
};

static int find(struct counter *counter) {
  return ctpm_succeeds(ctpm.Esys_TR_FromTPMPublic(ctpm_context, counter->index, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
                                                  &counter->handle)) &&
         ctpm_succeeds(ctpm.Esys_TR_SetAuth(ctpm_context, counter->handle, &counter->auth));
}

static int increment(const struct counter *counter) {
  return ctpm_succeeds(ctpm.Esys_NV_Increment(ctpm_context, counter->handle, counter->handle, counter->session, ESYS_TR_NONE,
                                              ESYS_TR_NONE));
}

static int read_value(const struct counter *counter, uint64_t *value) {
  TPM2B_MAX_NV_BUFFER *data = NULL;
  int is_read = ctpm_succeeds(ctpm.Esys_NV_Read(ctpm_context, counter->handle, counter->handle, counter->session, ESYS_TR_NONE,
                                                ESYS_TR_NONE, 8, 0, &data)) &&
                data->size == 8;
  uint64_t number = 0;
  if (is_read) memcpy(&number, data->buffer, 8);
  *value = be64toh(number);
  if (data) ctpm.Esys_Free(data);
  return is_read;
}

/// The TPM begins a new counter above all that it ever had, so that making one anew takes no count back.
static int make(struct counter *counter) {
  const TPM2B_NV_PUBLIC public = {
      .nvPublic = {.nvIndex = counter->index, .nameAlg = TPM2_ALG_SHA256, .attributes = attributes, .dataSize = 8}};
  // One that is there and does not count is another installation's, or was left by a power cut before its first count.
  if (find(counter) && (increment(counter) || !ctpm_succeeds(ctpm.Esys_NV_UndefineSpace(
                                                  ctpm_context, ESYS_TR_RH_OWNER, counter->handle, counter->session,
                                                  ESYS_TR_NONE, ESYS_TR_NONE))))
    return 1;
  // The hierarchy's own authorization is empty; the session is there for the counter's value to be encrypted.
  return ctpm_succeeds(ctpm.Esys_NV_DefineSpace(ctpm_context, ESYS_TR_RH_OWNER, counter->session, ESYS_TR_NONE, ESYS_TR_NONE,
                                                &counter->auth, &public, &counter->handle)) &&
         ctpm_succeeds(ctpm.Esys_TR_SetAuth(ctpm_context, counter->handle, &counter->auth)) && increment(counter);
}

static int count(struct counter *counter, int makes, uint64_t target, uint64_t *value) {
  if (makes ? !make(counter) : !find(counter)) return makes ? CTPM_REFUSED : CTPM_CLEARED;
  // One that is not readable with this value is not the one that was made.
  if (!read_value(counter, value)) return ctpm_meaning() == CTPM_REFUSED && !makes ? CTPM_CLEARED : CTPM_REFUSED;
  for (int times = 0; *value < target && times < CTPM_COUNTS; times++)
    if (!increment(counter) || !read_value(counter, value)) return CTPM_REFUSED;
  return CTPM_OK;
}

int ctpm_count(uint32_t index, const uint8_t *auth, int makes, uint64_t target, uint64_t *value) {
  struct counter counter = {.handle = ESYS_TR_NONE, .session = ESYS_TR_NONE, .index = index, .auth.size = CTPM_AUTH};
  memcpy(counter.auth.buffer, auth, CTPM_AUTH);
  // Zeros at the end of an authorization value are not a part of it.
  counter.auth.buffer[CTPM_AUTH - 1] |= 1;
  ESYS_TR primary;
  uint8_t name[CTPM_NAME];
  int outcome = ctpm_primary(ESYS_TR_RH_OWNER, &primary, name);
  if (outcome == CTPM_OK && !ctpm_session(primary, TPM2_SE_HMAC, &counter.session)) outcome = CTPM_REFUSED;
  if (outcome == CTPM_OK) outcome = count(&counter, makes, target, value);
  explicit_bzero(&counter.auth, sizeof counter.auth);
  ctpm_flush(counter.session);
  ctpm_flush(primary);
  return outcome;
}
