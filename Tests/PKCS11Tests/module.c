/* A program that does with the PKCS#11 module what its arguments say, one after the other, and prints what came of it.
 *
 *   module MODULE (arguments|make|sign|parts|delete|threads|fork|meanwhile|find LABEL | list)...
 *
 * `arguments` goes through the functions with what no program should give them, and prints each answer that is another one than the
 * standard's. */
#define CRYPTOKI_GNU 1
#include <p11-kit-1/p11-kit/pkcs11.h>

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct ck_function_list *p;
static _Atomic unsigned checked;

static void compare(const char *call, int line, ck_rv_t is, ck_rv_t expected) {
  checked++;
  if (is != expected) printf("line %d: %s is 0x%lx, not 0x%lx\n", line, call, is, expected);
}
#define IS(call, expected) compare(#call, __LINE__, call, expected)
#define TRUE_(condition) compare(#condition, __LINE__, !!(condition), 1)

#define COUNT(array) (sizeof(array) / sizeof *(array))

static ck_object_class_t privates = CKO_PRIVATE_KEY, publics = CKO_PUBLIC_KEY;
static unsigned char yes = 1, no = 0;
static unsigned char p256[] = {0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07};
static unsigned char p384[] = {0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22};
/* SHA-256 of `to sign`. */
static unsigned char digest[32] = {
  0x43, 0x95, 0x81, 0x47, 0x19, 0x19, 0x41, 0x67, 0xD3, 0xBA, 0xF0, 0x6C, 0x76, 0x4F, 0xBE, 0x9A,
  0x15, 0x82, 0x2E, 0x08, 0xF8, 0xAA, 0x27, 0xF7, 0x4F, 0x31, 0x8F, 0xAA, 0xFF, 0x2A, 0x12, 0x42};

static ck_session_handle_t open_session(void) {
  ck_session_handle_t session = 0;
  IS(p->C_OpenSession(0, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session), CKR_OK);
  return session;
}

/* The half of a key; 0 where there is none. */
static ck_object_handle_t find(ck_session_handle_t session, ck_object_class_t *half, const char *label) {
  struct ck_attribute wanted[] = {{CKA_CLASS, half, sizeof *half}, {CKA_LABEL, (void *)label, strlen(label)}};
  ck_object_handle_t object = 0;
  unsigned long count = 0;
  ck_rv_t begun = p->C_FindObjectsInit(session, wanted, COUNT(wanted));
  if (begun != CKR_OK) {
    printf("search 0x%lx\n", begun);
    return 0;
  }
  IS(p->C_FindObjects(session, &object, 1, &count), CKR_OK);
  IS(p->C_FindObjectsFinal(session), CKR_OK);
  return count == 1 ? object : 0;
}

static void print_hex(const char *what, const unsigned char *bytes, unsigned long count) {
  printf("%s ", what);
  for (unsigned long i = 0; i < count; i++) printf("%02x", bytes[i]);
  printf("\n");
  fflush(stdout);
}

static ck_rv_t make(ck_session_handle_t session, const char *label, unsigned char *id, unsigned long id_length,
                    unsigned char *curve, unsigned long curve_length, struct ck_attribute *more,
                    ck_object_handle_t *public, ck_object_handle_t *private) {
  struct ck_mechanism mechanism = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
  struct ck_attribute of_public[] = {{CKA_EC_PARAMS, curve, curve_length}, {CKA_TOKEN, &yes, 1}};
  struct ck_attribute of_private[] = {
    {CKA_LABEL, (void *)label, strlen(label)}, {CKA_ID, id, id_length}, {CKA_SENSITIVE, &yes, 1}, {CKA_PRIVATE, &yes, 1}, {0}};
  unsigned long count = 4;
  if (more) of_private[count++] = *more;
  return p->C_GenerateKeyPair(session, &mechanism, of_public, COUNT(of_public), of_private, count, public, private);
}

static void make_key(const char *label) {
  ck_session_handle_t session = open_session();
  ck_object_handle_t public = 0, private = 0;
  ck_rv_t made = make(session, label, (unsigned char *)"\xAB\x01", 2, p256, sizeof p256, NULL, &public, &private);
  printf("make 0x%lx\n", made);
  unsigned char point[67], id[2], info[91];
  struct ck_attribute told[] = {{CKA_EC_POINT, point, sizeof point}, {CKA_ID, id, sizeof id}, {CKA_PUBLIC_KEY_INFO, info, sizeof info}};
  if (made == CKR_OK && p->C_GetAttributeValue(session, public, told, COUNT(told)) == CKR_OK) {
    print_hex("info", info, told[2].value_len);
    print_hex("point", point, told[0].value_len);
    print_hex("id", id, told[1].value_len);
  }
  TRUE_(find(session, &privates, label) == private);
  IS(p->C_CloseSession(session), CKR_OK);
}

static void sign_with(const char *label, bool in_parts) {
  ck_session_handle_t session = open_session();
  ck_object_handle_t key = find(session, &privates, label);
  struct ck_mechanism mechanism = {in_parts ? CKM_ECDSA_SHA256 : CKM_ECDSA, NULL, 0};
  IS(p->C_SignInit(session, &mechanism, key), CKR_OK);
  unsigned char signature[80] = {0};
  unsigned long length = 0;
  ck_rv_t signed_;
  if (in_parts) {
    IS(p->C_SignUpdate(session, (unsigned char *)"to ", 3), CKR_OK);
    IS(p->C_SignUpdate(session, NULL, 0), CKR_OK);
    IS(p->C_SignUpdate(session, (unsigned char *)"sign", 4), CKR_OK);
    IS(p->C_Sign(session, digest, 1, signature, &length), CKR_OPERATION_ACTIVE);
    IS(p->C_SignFinal(session, NULL, &length), CKR_OK);
    TRUE_(length == 64);
    length = 63;
    IS(p->C_SignFinal(session, signature, &length), CKR_BUFFER_TOO_SMALL);
    length = sizeof signature;
    signed_ = p->C_SignFinal(session, signature, &length);
  } else {
    IS(p->C_Sign(session, digest, sizeof digest, NULL, &length), CKR_OK);
    TRUE_(length == 64);
    length = 1;
    IS(p->C_Sign(session, digest, sizeof digest, signature, &length), CKR_BUFFER_TOO_SMALL);
    TRUE_(length == 64);
    signed_ = p->C_Sign(session, digest, sizeof digest, signature, &length);
  }
  printf("sign 0x%lx\n", signed_);
  if (signed_ == CKR_OK) print_hex("signature", signature, length);
  IS(p->C_SignFinal(session, signature, &length), CKR_OPERATION_NOT_INITIALIZED);
  IS(p->C_CloseSession(session), CKR_OK);
}

static void delete_key(const char *label) {
  ck_session_handle_t session = open_session(), reading = 0;
  ck_object_handle_t key = find(session, &privates, label);
  IS(p->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, &reading), CKR_OK);
  IS(p->C_DestroyObject(reading, key), CKR_SESSION_READ_ONLY);
  IS(p->C_DestroyObject(session, find(session, &publics, label)), CKR_ACTION_PROHIBITED);
  IS(p->C_DestroyObject(session, key), CKR_OK);
  IS(p->C_DestroyObject(session, key), CKR_OBJECT_HANDLE_INVALID);
  TRUE_(find(session, &privates, label) == 0 && find(session, &publics, label) == 0);
  IS(p->C_CloseAllSessions(0), CKR_OK);
}

static void *in_thread(void *label) {
  for (int i = 0; i < 20; i++) {
    ck_session_handle_t session = open_session();
    TRUE_(find(session, &privates, label) != 0);
    IS(p->C_CloseSession(session), CKR_OK);
  }
  return NULL;
}

static void use_threads(const char *label) {
  pthread_t threads[4];
  for (unsigned i = 0; i < COUNT(threads); i++)
    if (pthread_create(&threads[i], NULL, in_thread, (void *)label)) abort();
  for (unsigned i = 0; i < COUNT(threads); i++) pthread_join(threads[i], NULL);
}

static void use_child(const char *label) {
  ck_session_handle_t session = open_session();
  ck_object_handle_t key = find(session, &privates, label);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    struct ck_session_info info;
    IS(p->C_GetSessionInfo(session, &info), CKR_CRYPTOKI_NOT_INITIALIZED);
    IS(p->C_Finalize(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
    IS(p->C_Initialize(NULL), CKR_OK);
    IS(p->C_GetSessionInfo(session, &info), CKR_SESSION_HANDLE_INVALID);
    ck_session_handle_t own = open_session();
    struct ck_attribute class = {CKA_CLASS, NULL, 0};
    IS(p->C_GetAttributeValue(own, key, &class, 1), CKR_OBJECT_HANDLE_INVALID);
    TRUE_(find(own, &privates, label) != 0);
    fflush(stdout);
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  printf("child %d\n", status);
  TRUE_(find(session, &privates, label) == key);
  IS(p->C_CloseSession(session), CKR_OK);
}

static void *sign_in_thread(void *label) {
  sign_with(label, false);
  return NULL;
}

/* Forks, at SIGUSR1, while another thread waits for a finger. */
static void use_child_meanwhile(const char *label) {
  pthread_t thread;
  sigset_t awaited;
  int signal = 0, status = 1;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &awaited, NULL);
  if (pthread_create(&thread, NULL, sign_in_thread, (void *)label)) abort();
  sigwait(&awaited, &signal);
  pid_t child = fork();
  if (child == 0) {
    IS(p->C_Initialize(NULL), CKR_OK);
    _exit(find(open_session(), &privates, label) == 0);
  }
  waitpid(child, &status, 0);
  printf("child %d\n", status);
  fflush(stdout);
  pthread_join(thread, NULL);
}

static void list_keys(void) {
  ck_session_handle_t session = open_session();
  ck_object_handle_t objects[64];
  unsigned long count = 0;
  IS(p->C_FindObjectsInit(session, NULL, 0), CKR_OK);
  IS(p->C_FindObjects(session, objects, COUNT(objects), &count), CKR_OK);
  IS(p->C_FindObjectsFinal(session), CKR_OK);
  printf("objects %lu\n", count);
  for (unsigned long i = 0; i < count; i++) {
    ck_object_class_t class = 0;
    unsigned char label[600], id[64];
    struct ck_attribute told[] = {{CKA_CLASS, &class, sizeof class}, {CKA_LABEL, label, sizeof label}, {CKA_ID, id, sizeof id}};
    IS(p->C_GetAttributeValue(session, objects[i], told, COUNT(told)), CKR_OK);
    printf("object %lu %.*s ", class, (int)told[1].value_len, label);
    print_hex("id", id, told[2].value_len);
  }
  IS(p->C_CloseSession(session), CKR_OK);
}

/* ---- What no program should do ---- */

static ck_rv_t mutex_make(void **mutex) { return *mutex = NULL, CKR_OK; }
static ck_rv_t mutex_do(void *mutex) { return (void)mutex, CKR_OK; }

static void try_beginning(void) {
  struct ck_c_initialize_args given = {0};
  struct ck_info info;
  ck_slot_id_t slot;
  unsigned long count = 1;
  IS(p->C_Finalize(NULL), CKR_OK);
  IS(p->C_Finalize(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
  IS(p->C_GetInfo(&info), CKR_CRYPTOKI_NOT_INITIALIZED);
  IS(p->C_GetSlotList(1, &slot, &count), CKR_CRYPTOKI_NOT_INITIALIZED);
  IS(p->C_SignFinal(1, NULL, NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
  given.reserved = &given;
  IS(p->C_Initialize(&given), CKR_ARGUMENTS_BAD);
  given = (struct ck_c_initialize_args){.create_mutex = mutex_make, .flags = CKF_OS_LOCKING_OK};
  IS(p->C_Initialize(&given), CKR_ARGUMENTS_BAD);
  given.destroy_mutex = given.lock_mutex = given.unlock_mutex = mutex_do;
  given.flags = 0;
  IS(p->C_Initialize(&given), CKR_CANT_LOCK);
  given.flags = CKF_OS_LOCKING_OK | CKF_LIBRARY_CANT_CREATE_OS_THREADS;
  IS(p->C_Initialize(&given), CKR_OK);
  IS(p->C_Initialize(NULL), CKR_CRYPTOKI_ALREADY_INITIALIZED);
  IS(p->C_Finalize(&given), CKR_ARGUMENTS_BAD);
}

static void try_slot(void) {
  struct ck_slot_info slot;
  struct ck_token_info token;
  struct ck_mechanism_info mechanism;
  struct ck_info info;
  ck_slot_id_t slots[2];
  ck_mechanism_type_t mechanisms[3];
  unsigned long count = 0;
  IS(p->C_GetInfo(NULL), CKR_ARGUMENTS_BAD);
  IS(p->C_GetInfo(&info), CKR_OK);
  TRUE_(info.cryptoki_version.major == 2 && info.cryptoki_version.minor == 40);
  IS(p->C_GetSlotList(0, NULL, NULL), CKR_ARGUMENTS_BAD);
  IS(p->C_GetSlotList(0, NULL, &count), CKR_OK);
  TRUE_(count == 1);
  count = 0;
  IS(p->C_GetSlotList(0, slots, &count), CKR_BUFFER_TOO_SMALL);
  TRUE_(count == 1);
  IS(p->C_GetSlotList(1, slots, &count), CKR_OK);
  IS(p->C_GetSlotInfo(1, &slot), CKR_SLOT_ID_INVALID);
  IS(p->C_GetSlotInfo(0, NULL), CKR_ARGUMENTS_BAD);
  IS(p->C_GetSlotInfo(0, &slot), CKR_OK);
  TRUE_(!memcmp(slot.slot_description, "Signet   ", 9) && slot.slot_description[63] == ' ' && slot.flags == CKF_TOKEN_PRESENT);
  IS(p->C_GetTokenInfo(~0UL, &token), CKR_SLOT_ID_INVALID);
  IS(p->C_GetTokenInfo(0, NULL), CKR_ARGUMENTS_BAD);
  IS(p->C_GetTokenInfo(0, &token), CKR_OK);
  TRUE_(!(token.flags & CKF_LOGIN_REQUIRED) && (token.flags & CKF_PROTECTED_AUTHENTICATION_PATH));
  count = 2;
  IS(p->C_GetMechanismList(0, mechanisms, &count), CKR_BUFFER_TOO_SMALL);
  TRUE_(count == 3);
  IS(p->C_GetMechanismList(0, mechanisms, &count), CKR_OK);
  IS(p->C_GetMechanismInfo(0, CKM_ECDSA, NULL), CKR_ARGUMENTS_BAD);
  IS(p->C_GetMechanismInfo(0, CKM_ECDSA_SHA1, &mechanism), CKR_MECHANISM_INVALID);
  IS(p->C_GetMechanismInfo(0, CKM_ECDSA_SHA256, &mechanism), CKR_OK);
  TRUE_(mechanism.min_key_size == 256 && (mechanism.flags & CKF_SIGN));
}

static void try_sessions(void) {
  ck_session_handle_t session = 0, sessions[64];
  struct ck_session_info info;
  unsigned char pin[] = "1234";
  IS(p->C_OpenSession(1, CKF_SERIAL_SESSION, NULL, NULL, &session), CKR_SLOT_ID_INVALID);
  IS(p->C_OpenSession(0, 0, NULL, NULL, &session), CKR_SESSION_PARALLEL_NOT_SUPPORTED);
  IS(p->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, NULL), CKR_ARGUMENTS_BAD);
  for (unsigned i = 0; i < COUNT(sessions); i++) IS(p->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, &sessions[i]), CKR_OK);
  IS(p->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, &session), CKR_SESSION_COUNT);
  IS(p->C_CloseSession(sessions[3]), CKR_OK);
  IS(p->C_CloseSession(sessions[3]), CKR_SESSION_HANDLE_INVALID);
  IS(p->C_GetSessionInfo(sessions[3], &info), CKR_SESSION_HANDLE_INVALID);
  IS(p->C_GetSessionInfo(sessions[4], NULL), CKR_ARGUMENTS_BAD);
  IS(p->C_Login(sessions[4], CKU_SO, pin, 4), CKR_USER_TYPE_INVALID);
  IS(p->C_Login(sessions[4], CKU_CONTEXT_SPECIFIC, pin, 4), CKR_OPERATION_NOT_INITIALIZED);
  IS(p->C_Login(sessions[4], CKU_USER, NULL, 4), CKR_ARGUMENTS_BAD);
  IS(p->C_Logout(sessions[4]), CKR_USER_NOT_LOGGED_IN);
  IS(p->C_Login(sessions[4], CKU_USER, NULL, 0), CKR_OK);
  IS(p->C_Login(sessions[5], CKU_USER, pin, 4), CKR_USER_ALREADY_LOGGED_IN);
  IS(p->C_GetSessionInfo(sessions[5], &info), CKR_OK);
  TRUE_(info.state == CKS_RO_USER_FUNCTIONS);
  IS(p->C_CloseAllSessions(7), CKR_SLOT_ID_INVALID);
  IS(p->C_CloseAllSessions(0), CKR_OK);
  IS(p->C_OpenSession(0, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session), CKR_OK);
  TRUE_(session > sessions[63]);
  IS(p->C_GetSessionInfo(session, &info), CKR_OK);
  TRUE_(info.state == CKS_RW_PUBLIC_SESSION);
  IS(p->C_CloseSession(session), CKR_OK);
}

static void try_objects(const char *label) {
  ck_session_handle_t session = open_session();
  ck_object_handle_t key = find(session, &privates, label), public = find(session, &publics, label), object = 0;
  unsigned long count = 0;
  unsigned char small[4], byte = 9;
  TRUE_(key != 0 && public != 0 && key != public);
  IS(p->C_FindObjects(session, &object, 1, &count), CKR_OPERATION_NOT_INITIALIZED);
  IS(p->C_FindObjectsFinal(session), CKR_OPERATION_NOT_INITIALIZED);
  IS(p->C_FindObjectsInit(session, NULL, 1), CKR_ARGUMENTS_BAD);
  struct ck_attribute huge[65] = {{0}};
  IS(p->C_FindObjectsInit(session, huge, COUNT(huge)), CKR_ARGUMENTS_BAD);
  IS(p->C_FindObjectsInit(session, huge, ~0UL), CKR_ARGUMENTS_BAD);
  IS(p->C_GetAttributeValue(session, key, huge, COUNT(huge)), CKR_ARGUMENTS_BAD);
  struct ck_attribute wrong[] = {{CKA_LABEL, NULL, 5}, {CKA_LABEL, small, ~0UL}, {CKA_LABEL, small, 4097}};
  for (unsigned i = 0; i < COUNT(wrong); i++) IS(p->C_FindObjectsInit(session, &wrong[i], 1), CKR_ATTRIBUTE_VALUE_INVALID);
  IS(p->C_FindObjectsInit(session, NULL, 0), CKR_OK);
  IS(p->C_FindObjectsInit(session, NULL, 0), CKR_OPERATION_ACTIVE);
  IS(p->C_FindObjects(session, NULL, 1, &count), CKR_ARGUMENTS_BAD);
  IS(p->C_FindObjects(session, &object, 1, NULL), CKR_ARGUMENTS_BAD);
  IS(p->C_FindObjects(session, &object, 0, &count), CKR_OK);
  TRUE_(count == 0);
  IS(p->C_FindObjectsFinal(session), CKR_OK);
  struct ck_attribute told[] = {
    {CKA_EXTRACTABLE, &byte, 1}, {CKA_VALUE, small, sizeof small}, {CKA_EC_POINT, small, sizeof small}, {CKA_MODULUS, NULL, 0},
    {CKA_PUBLIC_KEY_INFO, NULL, 0}};
  IS(p->C_GetAttributeValue(session, key, &told[1], 1), CKR_ATTRIBUTE_SENSITIVE);
  IS(p->C_GetAttributeValue(session, key, &told[2], 1), CKR_BUFFER_TOO_SMALL);
  IS(p->C_GetAttributeValue(session, key, &told[3], 1), CKR_ATTRIBUTE_TYPE_INVALID);
  /* What was told of a failure is no room, should a program give it back. */
  TRUE_(p->C_GetAttributeValue(session, key, told, COUNT(told)) != CKR_OK);
  TRUE_(byte == 0 && told[1].value_len == ~0UL && told[2].value_len == ~0UL && told[4].value_len == 91);
  IS(p->C_GetAttributeValue(session, public, &told[1], 1), CKR_ATTRIBUTE_TYPE_INVALID);
  IS(p->C_GetAttributeValue(session, 0, told, 1), CKR_OBJECT_HANDLE_INVALID);
  IS(p->C_GetAttributeValue(session, ~0UL, told, 1), CKR_OBJECT_HANDLE_INVALID);
  IS(p->C_GetAttributeValue(session, key, NULL, 1), CKR_ARGUMENTS_BAD);
  IS(p->C_GetAttributeValue(0, key, told, 1), CKR_SESSION_HANDLE_INVALID);
  IS(p->C_DestroyObject(session, 12345), CKR_OBJECT_HANDLE_INVALID);
  IS(p->C_CloseSession(session), CKR_OK);
}

static void try_signing(const char *label) {
  ck_session_handle_t session = open_session();
  ck_object_handle_t key = find(session, &privates, label), public = find(session, &publics, label);
  struct ck_mechanism plain = {CKM_ECDSA, NULL, 0}, hashing = {CKM_ECDSA_SHA256, NULL, 0};
  struct ck_mechanism other = {CKM_RSA_PKCS, NULL, 0}, parameter = {CKM_ECDSA, digest, 1};
  unsigned char signature[64], data[65] = {0};
  unsigned long length = sizeof signature;
  IS(p->C_SignInit(session, NULL, key), CKR_ARGUMENTS_BAD);
  IS(p->C_SignInit(session, &other, key), CKR_MECHANISM_INVALID);
  IS(p->C_SignInit(session, &parameter, key), CKR_MECHANISM_PARAM_INVALID);
  IS(p->C_SignInit(session, &plain, 999), CKR_KEY_HANDLE_INVALID);
  IS(p->C_SignInit(session, &plain, public), CKR_KEY_FUNCTION_NOT_PERMITTED);
  IS(p->C_SignInit(999, &plain, key), CKR_SESSION_HANDLE_INVALID);
  IS(p->C_Sign(session, digest, 32, signature, &length), CKR_OPERATION_NOT_INITIALIZED);
  IS(p->C_SignUpdate(session, digest, 32), CKR_OPERATION_NOT_INITIALIZED);
  IS(p->C_SignInit(session, &plain, key), CKR_OK);
  IS(p->C_SignInit(session, &plain, key), CKR_OPERATION_ACTIVE);
  IS(p->C_Sign(session, digest, 32, signature, NULL), CKR_ARGUMENTS_BAD);
  IS(p->C_Login(session, CKU_CONTEXT_SPECIFIC, NULL, 0), CKR_OK);
  /* Neither the digest of nothing nor what no digest is, before anybody is asked; what is wrong ends the signature. */
  IS(p->C_Sign(session, data, 19, signature, &length), CKR_DATA_LEN_RANGE);
  IS(p->C_SignInit(session, &plain, key), CKR_OK);
  IS(p->C_Sign(session, data, 65, signature, &length), CKR_DATA_LEN_RANGE);
  IS(p->C_SignInit(session, &plain, key), CKR_OK);
  IS(p->C_Sign(session, NULL, 32, signature, &length), CKR_ARGUMENTS_BAD);
  IS(p->C_SignInit(session, &plain, key), CKR_OK);
  IS(p->C_Sign(session, data, ~0UL, signature, &length), CKR_ARGUMENTS_BAD);
  IS(p->C_SignInit(session, &plain, key), CKR_OK);
  IS(p->C_SignUpdate(session, data, 60), CKR_OK);
  IS(p->C_SignUpdate(session, data, 5), CKR_DATA_LEN_RANGE);
  IS(p->C_SignInit(session, &hashing, key), CKR_OK);
  IS(p->C_SignUpdate(session, NULL, 1), CKR_ARGUMENTS_BAD);
  IS(p->C_SignFinal(session, signature, &length), CKR_OPERATION_NOT_INITIALIZED);
  IS(p->C_CloseSession(session), CKR_OK);
}

static void try_making(void) {
  ck_session_handle_t session = open_session(), reading = 0;
  ck_object_handle_t public = 0, private = 0;
  unsigned char long_id[65] = {1};
  char long_label[258];
  memset(long_label, 'x', 257);
  long_label[257] = 0;
  IS(p->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, &reading), CKR_OK);
  IS(make(reading, "a", NULL, 0, p256, sizeof p256, NULL, &public, &private), CKR_SESSION_READ_ONLY);
  IS(make(session, "a", NULL, 0, p384, sizeof p384, NULL, &public, &private), CKR_CURVE_NOT_SUPPORTED);
  IS(make(session, "a", long_id, sizeof long_id, p256, sizeof p256, NULL, &public, &private), CKR_ATTRIBUTE_VALUE_INVALID);
  IS(make(session, long_label, NULL, 0, p256, sizeof p256, NULL, &public, &private), CKR_ATTRIBUTE_VALUE_INVALID);
  IS(make(session, "", NULL, 0, p256, sizeof p256, NULL, &public, &private), CKR_ATTRIBUTE_VALUE_INVALID);
  IS(make(session, "a\nb", NULL, 0, p256, sizeof p256, NULL, &public, &private), CKR_ATTRIBUTE_VALUE_INVALID);
  IS(make(session, "a\xFF", NULL, 0, p256, sizeof p256, NULL, &public, &private), CKR_ATTRIBUTE_VALUE_INVALID);
  IS(make(session, "a", NULL, 0, p256, sizeof p256, NULL, NULL, &private), CKR_ARGUMENTS_BAD);
  struct ck_attribute more[] = {{CKA_EXTRACTABLE, &yes, 1}, {CKA_SIGN, &no, 1}, {CKA_VALUE, digest, 32}, {CKA_MODULUS, digest, 1}};
  ck_rv_t answers[] = {
    CKR_TEMPLATE_INCONSISTENT, CKR_TEMPLATE_INCONSISTENT, CKR_ATTRIBUTE_READ_ONLY, CKR_ATTRIBUTE_TYPE_INVALID};
  for (unsigned i = 0; i < COUNT(more); i++)
    IS(make(session, "a", NULL, 0, p256, sizeof p256, &more[i], &public, &private), answers[i]);
  struct ck_mechanism mechanism = {CKM_EC_KEY_PAIR_GEN, NULL, 0}, other = {CKM_RSA_PKCS_KEY_PAIR_GEN, NULL, 0};
  struct ck_attribute curve = {CKA_EC_PARAMS, p256, sizeof p256};
  IS(p->C_GenerateKeyPair(session, NULL, &curve, 1, NULL, 0, &public, &private), CKR_ARGUMENTS_BAD);
  IS(p->C_GenerateKeyPair(session, &other, &curve, 1, NULL, 0, &public, &private), CKR_MECHANISM_INVALID);
  IS(p->C_GenerateKeyPair(session, &mechanism, &curve, 1, NULL, 0, &public, &private), CKR_TEMPLATE_INCOMPLETE);
  IS(p->C_GenerateKeyPair(session, &mechanism, NULL, 0, NULL, 0, &public, &private), CKR_TEMPLATE_INCOMPLETE);
  IS(p->C_CloseAllSessions(0), CKR_OK);
}

/* The table has no empty place, and what is not there says so: to any arguments. */
static void try_rest(void) {
  typedef ck_rv_t (*any)(unsigned long, void *, unsigned long, void *, unsigned long, void *, unsigned long, void *);
  void **all = (void **)&p->C_Initialize, **end = (void **)(p + 1);
  unsigned refused = 0;
  for (void **one = all; one < end; one++) TRUE_(*one != NULL);
  void *absent[] = {
    p->C_InitToken, p->C_InitPIN, p->C_SetPIN, p->C_GetOperationState, p->C_SetOperationState, p->C_CreateObject, p->C_CopyObject,
    p->C_GetObjectSize, p->C_SetAttributeValue, p->C_EncryptInit, p->C_Encrypt, p->C_EncryptUpdate, p->C_EncryptFinal,
    p->C_DecryptInit, p->C_Decrypt, p->C_DecryptUpdate, p->C_DecryptFinal, p->C_DigestInit, p->C_Digest, p->C_DigestUpdate,
    p->C_DigestKey, p->C_DigestFinal, p->C_SignRecoverInit, p->C_SignRecover, p->C_VerifyInit, p->C_Verify, p->C_VerifyUpdate,
    p->C_VerifyFinal, p->C_VerifyRecoverInit, p->C_VerifyRecover, p->C_DigestEncryptUpdate, p->C_DecryptDigestUpdate,
    p->C_SignEncryptUpdate, p->C_DecryptVerifyUpdate, p->C_GenerateKey, p->C_WrapKey, p->C_UnwrapKey, p->C_DeriveKey,
    p->C_WaitForSlotEvent};
  for (unsigned i = 0; i < COUNT(absent); i++)
    refused += ((any)absent[i])(0, NULL, ~0UL, NULL, ~0UL, NULL, ~0UL, NULL) == CKR_FUNCTION_NOT_SUPPORTED;
  TRUE_(refused == COUNT(absent));
  IS(p->C_SeedRandom(0, NULL, 1), CKR_RANDOM_SEED_NOT_SUPPORTED);
  IS(p->C_GenerateRandom(0, NULL, 1), CKR_RANDOM_NO_RNG);
  IS(p->C_GetFunctionStatus(0), CKR_FUNCTION_NOT_PARALLEL);
  IS(p->C_CancelFunction(0), CKR_FUNCTION_NOT_PARALLEL);
}

int main(int count, char **words) {
  void *module = count > 1 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!module) return fprintf(stderr, "%s\n", dlerror()), 1;
  CK_C_GetFunctionList list = (CK_C_GetFunctionList)dlsym(module, "C_GetFunctionList");
  if (!list) return 1;
  IS(list(NULL), CKR_ARGUMENTS_BAD);
  IS(list(&p), CKR_OK);
  IS(p->C_Initialize(NULL), CKR_OK);
  for (int i = 2; i < count; i++) {
    const char *word = words[i], *label = i + 1 < count ? words[i + 1] : "";
    if (!strcmp(word, "arguments")) {
      try_beginning();
      try_slot();
      try_sessions();
      try_objects(label);
      try_signing(label);
      try_making();
      try_rest();
      i++;
    } else if (!strcmp(word, "make")) make_key(label), i++;
    else if (!strcmp(word, "sign")) sign_with(label, false), i++;
    else if (!strcmp(word, "parts")) sign_with(label, true), i++;
    else if (!strcmp(word, "delete")) delete_key(label), i++;
    else if (!strcmp(word, "threads")) use_threads(label), i++;
    else if (!strcmp(word, "fork")) use_child(label), i++;
    else if (!strcmp(word, "meanwhile")) use_child_meanwhile(label), i++;
    else if (!strcmp(word, "find")) printf("found %d\n", find(open_session(), &privates, label) != 0), i++;
    else if (!strcmp(word, "list")) list_keys();
    else return 1;
    fflush(stdout);
  }
  IS(p->C_Finalize(NULL), CKR_OK);
  dlclose(module);
  printf("checked %u\n", checked);
  return 0;
}
