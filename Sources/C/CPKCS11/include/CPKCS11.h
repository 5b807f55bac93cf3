// PKCS#11 2.40 as p11-kit's header has it, with the names that it calls GNU's; nothing of p11-kit is linked. And what of a module has to
// be there before its first call, which Embedded Swift, whose globals are made at their first use, cannot have.
#ifndef SIGNET_CPKCS11_H
#define SIGNET_CPKCS11_H

#define CRYPTOKI_GNU 1
#include <p11-kit-1/p11-kit/pkcs11.h>

// The one lock of the module. Nobody holds it in a child of fork(2), where whoever held it is not.
void cpkcs11_lock(void);
void cpkcs11_unlock(void);

// What C_GetFunctionList tells the address of; all zeros until the module has written it.
struct ck_function_list *_Nonnull cpkcs11_functions(void);

// What the program was called as, without its folder. program_invocation_short_name needs _GNU_SOURCE, and Swift takes a global variable
// for one that nobody else changes.
const char *_Nonnull cpkcs11_program(void);

#endif
