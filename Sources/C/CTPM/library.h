#ifndef CTPM_LIBRARY_H
#define CTPM_LIBRARY_H

#include "CTPM.h"
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_tctildr.h>

/// Every function that is used, each found by its name when the library is loaded.
#define CTPM_FUNCTIONS(X)                                                                                                    \
  X(Esys_Initialize) X(Esys_Finalize) X(Esys_Free) X(Esys_CreatePrimary) X(Esys_Create) X(Esys_Load) X(Esys_Unseal)          \
  X(Esys_StartAuthSession) X(Esys_PolicyPCR) X(Esys_PolicyAuthValue) X(Esys_PolicyGetDigest) X(Esys_FlushContext)            \
  X(Esys_TR_SetAuth) X(Esys_TR_GetName) X(Esys_TRSess_SetAttributes) X(Tss2_MU_TPM2B_PUBLIC_Marshal)                         \
  X(Tss2_MU_TPM2B_PRIVATE_Marshal) X(Tss2_MU_TPM2B_PUBLIC_Unmarshal) X(Tss2_MU_TPM2B_PRIVATE_Unmarshal)                      \
  X(Tss2_TctiLdr_Initialize) X(Tss2_TctiLdr_Finalize) X(Esys_TR_FromTPMPublic) X(Esys_NV_DefineSpace)                       \
  X(Esys_NV_UndefineSpace) X(Esys_NV_Read) X(Esys_NV_Increment) X(Esys_Sign) X(Esys_ECDH_ZGen)

struct ctpm_functions {
#define CTPM_DECLARE(name) __typeof__(&name) name;
  CTPM_FUNCTIONS(CTPM_DECLARE)
#undef CTPM_DECLARE
};

extern struct ctpm_functions ctpm;
extern ESYS_CONTEXT *ctpm_context;

/// Remembers the code of a failure; whether the call was a success.
int ctpm_succeeds(TSS2_RC code);
/// What a failure means for who asked.
int ctpm_meaning(void);

/// Makes the key of the storage hierarchy (`hierarchy` ESYS_TR_RH_OWNER) or of the chip (ESYS_TR_RH_ENDORSEMENT), and its name.
int ctpm_primary(ESYS_TR hierarchy, ESYS_TR *key, uint8_t name[CTPM_NAME]);
/// Begins a session that is encrypted for this key, so that nobody who taps the bus reads what goes over it.
int ctpm_session(ESYS_TR key, TPM2_SE type, ESYS_TR *session);
void ctpm_flush(ESYS_TR handle);

/// A new authorization value.
int ctpm_new_auth(uint8_t auth[CTPM_AUTH]);
/// Has the TPM make an object below this key, whose two parts go into `sealed`. `made`: what is public of it.
int ctpm_create(ESYS_TR primary, const TPM2B_SENSITIVE_CREATE *sensitive, const TPM2B_PUBLIC *template,
                struct ctpm_sealed *sealed, TPM2B_PUBLIC *made);
/// Makes the key above the object, and says what became of it where it is another one than that below which the object was made.
int ctpm_primary_of(const struct ctpm_sealed *sealed, ESYS_TR *primary);
/// Loads the object into the TPM, with its authorization value. CTPM_OK, or what the failure means.
int ctpm_load(ESYS_TR primary, ESYS_TR session, const struct ctpm_sealed *sealed, ESYS_TR *object);
/// The name of the chip's own key; false, and zeros, where the TPM does not let it be made.
int ctpm_chip(uint8_t name[CTPM_NAME]);

#endif
