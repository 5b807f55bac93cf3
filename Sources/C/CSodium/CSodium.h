// libsodium's hashes, authenticated encryption and scrypt. Linked dynamically: Debian's security updates reach it without a
// new build of ours.
#ifndef SIGNET_CSODIUM_H
#define SIGNET_CSODIUM_H

#include <sodium/crypto_aead_xchacha20poly1305.h>
#include <sodium/crypto_generichash.h>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/crypto_pwhash_scryptsalsa208sha256.h>
#include <sodium/crypto_secretstream_xchacha20poly1305.h>
#include <sodium/utils.h>

#endif
