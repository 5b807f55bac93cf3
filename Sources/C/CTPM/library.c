#include "library.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct ctpm_functions ctpm;
ESYS_CONTEXT *ctpm_context;
static TSS2_TCTI_CONTEXT *transport;
static TSS2_RC last;

uint32_t ctpm_code(void) { return last; }

int ctpm_succeeds(TSS2_RC code) {
  if (code != TSS2_RC_SUCCESS) last = code;
  return code == TSS2_RC_SUCCESS;
}

int ctpm_meaning(void) {
  // The TPM's own codes are in the lower half; those of format one have the number of a handle or parameter in them.
  TSS2_RC code = last & 0xFFFF;
  TSS2_RC error = code & TPM2_RC_FMT1 ? code & 0xBF : code & ~TPM2_RC_WARN;
  if (error == TPM2_RC_POLICY_FAIL || code == TPM2_RC_PCR_CHANGED) return CTPM_WRONG_PCR;
  if (error == TPM2_RC_INTEGRITY) return CTPM_DAMAGED;
  return CTPM_REFUSED;
}

static int load(void) {
  // It would log to standard error, which is the journal's, what signetd says better.
  if (setenv("TSS2_LOG", "all+NONE", 1) != 0) return 0;
  static const char *const names[] = {"libtss2-esys.so.0", "libtss2-mu.so.0", "libtss2-tctildr.so.0"};
  void *libraries[3];
  for (int index = 0; index < 3; index++)
    if (!(libraries[index] = dlopen(names[index], RTLD_NOW | RTLD_LOCAL))) return 0;
#define CTPM_FIND(name)                                                                                                        \
  for (int index = 0; index < 3 && !ctpm.name; index++) ctpm.name = (__typeof__(ctpm.name))dlsym(libraries[index], #name);     \
  if (!ctpm.name) return 0;
  CTPM_FUNCTIONS(CTPM_FIND)
#undef CTPM_FIND
  return 1;
}

int ctpm_open(const char *tcti) {
  if (!load()) return CTPM_NO_LIBRARY;
  if (!ctpm_succeeds(ctpm.Tss2_TctiLdr_Initialize(tcti, &transport))) return CTPM_MISSING;
  return ctpm_succeeds(ctpm.Esys_Initialize(&ctpm_context, transport, NULL)) ? CTPM_OK : CTPM_MISSING;
}

void ctpm_close(void) {
  if (ctpm_context) ctpm.Esys_Finalize(&ctpm_context);
  if (transport) ctpm.Tss2_TctiLdr_Finalize(&transport);
}

void ctpm_flush(ESYS_TR handle) {
  if (handle != ESYS_TR_NONE) ctpm.Esys_FlushContext(ctpm_context, handle);
}

static const TPMT_SYM_DEF_OBJECT storage_cipher = {
    .algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB};

int ctpm_primary(ESYS_TR hierarchy, ESYS_TR *key, uint8_t name[CTPM_NAME]) {
  // NODA: failures, and power cuts in the middle, must not count towards the TPM's own lockout, which others depend on.
  const TPM2B_PUBLIC template = {
      .publicArea = {
          .type = TPM2_ALG_ECC,
          .nameAlg = TPM2_ALG_SHA256,
          .objectAttributes = TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT | TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT |
                              TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA,
          .parameters.eccDetail = {.symmetric = storage_cipher,
                                   .scheme.scheme = TPM2_ALG_NULL,
                                   .curveID = TPM2_ECC_NIST_P256,
                                   .kdf.scheme = TPM2_ALG_NULL}}};
  const TPM2B_SENSITIVE_CREATE sensitive = {0};
  const TPM2B_DATA outside = {0};
  const TPML_PCR_SELECTION none = {0};
  *key = ESYS_TR_NONE;
  if (!ctpm_succeeds(ctpm.Esys_CreatePrimary(ctpm_context, hierarchy, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive,
                                             &template, &outside, &none, key, NULL, NULL, NULL, NULL)))
    return CTPM_REFUSED;
  TPM2B_NAME *found = NULL;
  int is_named = ctpm_succeeds(ctpm.Esys_TR_GetName(ctpm_context, *key, &found)) && found->size == CTPM_NAME;
  if (is_named) memcpy(name, found->name, CTPM_NAME);
  if (found) ctpm.Esys_Free(found);
  return is_named ? CTPM_OK : CTPM_REFUSED;
}

int ctpm_session(ESYS_TR key, TPM2_SE type, ESYS_TR *session) {
  const TPMT_SYM_DEF cipher = {.algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB};
  const TPMA_SESSION attributes = TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_ENCRYPT | TPMA_SESSION_DECRYPT;
  *session = ESYS_TR_NONE;
  return ctpm_succeeds(ctpm.Esys_StartAuthSession(ctpm_context, key, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
                                                  NULL, type, &cipher, TPM2_ALG_SHA256, session)) &&
         ctpm_succeeds(ctpm.Esys_TRSess_SetAttributes(ctpm_context, *session, attributes, 0xFF));
}
