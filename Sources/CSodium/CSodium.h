// libsodium's hashes. Linked dynamically: Debian's security updates reach it without a new build of ours.
#ifndef SIGNET_CSODIUM_H
#define SIGNET_CSODIUM_H

#include <sodium/crypto_hash_sha256.h>

#endif
