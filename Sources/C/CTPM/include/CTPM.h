#ifndef CTPM_H
#define CTPM_H

/// A TPM 2.0, for a process that talks to it once and ends. Its library (libtss2-esys) is loaded when it is needed, so that a
/// machine without a TPM needs none of it. In C, because the library's types are unions and arrays of a fixed length, which
/// Swift cannot fill in safely.

#include <stddef.h>
#include <stdint.h>

/// What came of a call. The numbers are those of `TPMFault` in SignetVocabulary, 0 is success.
enum {
  CTPM_OK = 0,
  CTPM_MISSING = 1,
  CTPM_NO_LIBRARY = 2,
  CTPM_WRONG_PCR = 3,
  CTPM_CLEARED = 4,
  CTPM_REPLACED = 5,
  CTPM_REFUSED = 6,
  CTPM_DAMAGED = 8,
};

/// Bytes of a device key, of an authorization value, and of the name of one of the TPM's own keys.
enum { CTPM_KEY = 32, CTPM_AUTH = 32, CTPM_NAME = 34 };

/// Bytes of what is signed (SHA-256), of a number of P-256, and of two: a public key (x and y), or a signature (r and s).
enum { CTPM_DIGEST = 32, CTPM_COORDINATE = 32, CTPM_POINT = 64, CTPM_SIGNATURE = 64 };

/// How often one call counts at most: a power cut leaves no more than this to be made up.
enum { CTPM_COUNTS = 2 };

/// A key that only this TPM opens, and only while these PCRs have the values that they had; or one that only this TPM signs with.
struct ctpm_sealed {
  /// Bit n for PCR n of the SHA-256 bank. 0 for a key that signs: no PCR binds it.
  uint32_t pcrs;
  uint8_t auth[CTPM_AUTH];
  /// The name of the key under which it is sealed. It is another one after the TPM was cleared.
  uint8_t primary[CTPM_NAME];
  /// The name of a key that is the same for as long as the chip is; zeros where the TPM does not tell, or Signet did not ask yet.
  uint8_t endorsement[CTPM_NAME];
  uint16_t object_size;
  /// TPM2B_PUBLIC and TPM2B_PRIVATE.
  uint8_t object[1024];
};

/// Loads the library and opens the TPM, by a TCTI as in tss2-tctildr(3).
int ctpm_open(const char *tcti);
void ctpm_close(void);
/// What the library or the TPM last answered other than success, for the log; 0 where nothing.
uint32_t ctpm_code(void);

int ctpm_seal(uint32_t pcrs, const uint8_t *key, struct ctpm_sealed *sealed);
int ctpm_unseal(const struct ctpm_sealed *sealed, uint8_t *key);

/// Has the TPM make a pair of keys for ES256 (ECDSA over P-256 with SHA-256), whose private half never leaves it. `agrees`: 1 for one that takes
/// part in key exchanges, too.
int ctpm_make_signing_key(struct ctpm_sealed *made, int agrees, uint8_t point[CTPM_POINT]);
/// Has the TPM sign. CTPM_CLEARED or CTPM_REPLACED where the TPM was cleared or is another one: then it never will again.
int ctpm_sign(const struct ctpm_sealed *key, const uint8_t digest[CTPM_DIGEST], uint8_t signature[CTPM_SIGNATURE]);
/// What such a key and another's public one agree on: x of a point. Fails as ctpm_sign does, and where the other is not on the curve.
int ctpm_agree(const struct ctpm_sealed *key, const uint8_t point[CTPM_POINT], uint8_t shared[CTPM_COORDINATE]);

/// Reads the counter at this index, which has CTPM_AUTH bytes of an authorization value, and counts until it has `target`, but
/// CTPM_COUNTS times at most. `makes`: make it where it is not there. CTPM_CLEARED where it is not there, or another one is.
int ctpm_count(uint32_t index, const uint8_t *auth, int makes, uint64_t target, uint64_t *value);

#endif
