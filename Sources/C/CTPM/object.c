#include "library.h"
#include <string.h>
#include <sys/random.h>

int ctpm_new_auth(uint8_t auth[CTPM_AUTH]) {
  if (getrandom(auth, CTPM_AUTH, 0) != CTPM_AUTH) return 0;
  // Zeros at the end of an authorization value are not a part of it.
  auth[CTPM_AUTH - 1] |= 1;
  return 1;
}

int ctpm_create(ESYS_TR primary, const TPM2B_SENSITIVE_CREATE *sensitive, const TPM2B_PUBLIC *template,
                struct ctpm_sealed *sealed, TPM2B_PUBLIC *made) {
  const TPM2B_DATA outside = {0};
  const TPML_PCR_SELECTION none = {0};
  TPM2B_PRIVATE *private_part = NULL;
  TPM2B_PUBLIC *public_part = NULL;
  ESYS_TR session;
  size_t size = 0;
  int is_made =
      ctpm_session(primary, TPM2_SE_HMAC, &session) &&
      ctpm_succeeds(ctpm.Esys_Create(ctpm_context, primary, session, ESYS_TR_NONE, ESYS_TR_NONE, sensitive, template, &outside,
                                     &none, &private_part, &public_part, NULL, NULL, NULL)) &&
      ctpm_succeeds(ctpm.Tss2_MU_TPM2B_PUBLIC_Marshal(public_part, sealed->object, sizeof sealed->object, &size)) &&
      ctpm_succeeds(ctpm.Tss2_MU_TPM2B_PRIVATE_Marshal(private_part, sealed->object, sizeof sealed->object, &size));
  sealed->object_size = (uint16_t)size;
  if (is_made) *made = *public_part;
  if (private_part) ctpm.Esys_Free(private_part);
  if (public_part) ctpm.Esys_Free(public_part);
  ctpm_flush(session);
  return is_made;
}

int ctpm_chip(uint8_t name[CTPM_NAME]) {
  ESYS_TR key;
  int is_known = ctpm_primary(ESYS_TR_RH_ENDORSEMENT, &key, name) == CTPM_OK;
  ctpm_flush(key);
  if (!is_known) memset(name, 0, CTPM_NAME);
  return is_known;
}

/// The key above it is another one: this TPM was cleared, or is another TPM.
static int other_primary(const struct ctpm_sealed *sealed) {
  uint8_t name[CTPM_NAME], unknown[CTPM_NAME] = {0};
  if (memcmp(sealed->endorsement, unknown, CTPM_NAME) == 0 || !ctpm_chip(name)) return CTPM_REPLACED;
  return memcmp(name, sealed->endorsement, CTPM_NAME) == 0 ? CTPM_CLEARED : CTPM_REPLACED;
}

int ctpm_primary_of(const struct ctpm_sealed *sealed, ESYS_TR *primary) {
  uint8_t name[CTPM_NAME];
  int outcome = ctpm_primary(ESYS_TR_RH_OWNER, primary, name);
  if (outcome != CTPM_OK || memcmp(name, sealed->primary, CTPM_NAME) == 0) return outcome;
  return other_primary(sealed);
}

int ctpm_load(ESYS_TR primary, ESYS_TR session, const struct ctpm_sealed *sealed, ESYS_TR *object) {
  TPM2B_PUBLIC public = {0};
  TPM2B_PRIVATE private_part = {0};
  size_t size = 0;
  *object = ESYS_TR_NONE;
  if (sealed->object_size > sizeof sealed->object ||
      !ctpm_succeeds(ctpm.Tss2_MU_TPM2B_PUBLIC_Unmarshal(sealed->object, sealed->object_size, &size, &public)) ||
      !ctpm_succeeds(ctpm.Tss2_MU_TPM2B_PRIVATE_Unmarshal(sealed->object, sealed->object_size, &size, &private_part)) ||
      size != sealed->object_size)
    return CTPM_DAMAGED;
  TPM2B_AUTH auth = {.size = CTPM_AUTH};
  memcpy(auth.buffer, sealed->auth, CTPM_AUTH);
  int is_loaded = ctpm_succeeds(ctpm.Esys_Load(ctpm_context, primary, session, ESYS_TR_NONE, ESYS_TR_NONE, &private_part, &public,
                                               object)) &&
                  ctpm_succeeds(ctpm.Esys_TR_SetAuth(ctpm_context, *object, &auth));
  explicit_bzero(&auth, sizeof auth);
  return is_loaded ? CTPM_OK : ctpm_meaning();
}
