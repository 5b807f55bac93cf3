/* signet.h - ask for the owner's finger or passcode, and keep secrets that only they release.
 *
 * The words and the numbers are those of Apple's LocalAuthentication and Security frameworks: policies, access control, error
 * codes. The work is signetd's; this library only carries what is asked and answered. See signet(3).
 *
 * Threads. Each function may be called from any thread. A context serves one call at a time: an evaluation that begins while
 * another is under way in the same context ends at once with SIGNET_ERROR_SYSTEM_CANCEL; other calls wait for their turn.
 * signet_cancel, signet_invalidate, signet_answer_passcode, signet_decline and signet_fall_back are for the time meanwhile.
 * Different contexts have nothing in common.
 *
 * Signals. signet_cancel may be called in a signal handler. Nothing else may.
 *
 * fork(2). A child may go on using a context: it gets a connection of its own at its first call, and nothing that the parent
 * has proved. An evaluation or a watch that was under way is the parent's.
 *
 * Memory. What a function returns as a pointer to be freed says so; signet_free frees it, and wipes it first. Texts are UTF-8
 * and end in a zero byte. A text that is given is copied. A pointer that a callback gets is valid until the callback returns.
 *
 * Errors. A function that can fail takes a signet_error, which may be NULL. It is written only where the function fails.
 */
#ifndef SIGNET_H
#define SIGNET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* ---- Errors ---- */

/* What an error's code is one of. */
enum {
  SIGNET_DOMAIN_AUTHENTICATION = 1, /* SIGNET_ERROR_...: Apple's LAError */
  SIGNET_DOMAIN_ITEMS = 2,          /* SIGNET_STATUS_...: Apple's OSStatus */
  SIGNET_DOMAIN_SYSTEM = 3          /* errno(3) */
};

/* SIGNET_DOMAIN_AUTHENTICATION */
enum {
  SIGNET_ERROR_AUTHENTICATION_FAILED = -1,   /* three misses in this evaluation, or wrong passcodes */
  SIGNET_ERROR_USER_CANCEL = -2,             /* the user gave up */
  SIGNET_ERROR_USER_FALLBACK = -3,           /* the user asked for the passcode, and the policy does not take it */
  SIGNET_ERROR_SYSTEM_CANCEL = -4,           /* suspend, session switch, or another evaluation in this context */
  SIGNET_ERROR_PASSCODE_NOT_SET = -5,        /* the user has no passcode */
  SIGNET_ERROR_BIOMETRY_NOT_AVAILABLE = -6,  /* no reader, none that may be used here, or no signetd */
  SIGNET_ERROR_BIOMETRY_NOT_ENROLLED = -7,   /* no finger is enrolled */
  SIGNET_ERROR_BIOMETRY_LOCKOUT = -8,        /* five misses: only the passcode lets the reader scan again */
  SIGNET_ERROR_APP_CANCEL = -9,              /* signet_cancel or signet_invalidate while it was under way */
  SIGNET_ERROR_INVALID_CONTEXT = -10,        /* the context was invalidated, or may not ask this */
  SIGNET_ERROR_NOT_INTERACTIVE = -1004       /* somebody would have to be asked, and that is forbidden or impossible */
};

/* SIGNET_DOMAIN_ITEMS */
enum {
  SIGNET_STATUS_DISK_FULL = -34,                 /* the vault is full */
  SIGNET_STATUS_PARAM = -50,                     /* a text or a value is too long or not allowed */
  SIGNET_STATUS_ALLOCATE = -108,                 /* no memory */
  SIGNET_STATUS_USER_CANCELED = -128,            /* the user gave up */
  SIGNET_STATUS_NOT_AVAILABLE = -25291,          /* no signetd, or a vault that does not open */
  SIGNET_STATUS_AUTH_FAILED = -25293,            /* not proved: not recognised, locked, fingers changed, no passcode, ... */
  SIGNET_STATUS_DUPLICATE_ITEM = -25299,         /* there is one of this name */
  SIGNET_STATUS_ITEM_NOT_FOUND = -25300,         /* there is none of this name */
  SIGNET_STATUS_INTERACTION_NOT_ALLOWED = -25308 /* somebody would have to be asked, and that is forbidden or impossible */
};

/* Why a function failed. */
typedef struct signet_error {
  int32_t domain;         /* SIGNET_DOMAIN_... */
  int32_t code;           /* of the domain; never 0 */
  const char *message;    /* the code in words; static */
  const char *detail;     /* what happened and what to do, for whoever debugs; static, never NULL, may be empty */
  uint64_t reserved[2];   /* 0 */
} signet_error;

/* ---- The library ---- */

/* Its version, as "0.1.0". Static. */
const char *signet_version(void);

/* Wipes and frees what a function of this library has returned to be freed. NULL is let pass. */
void signet_free(void *pointer);

/* ---- Contexts ---- */

/* What one part of a program asks signetd. What an evaluation has proved in it releases items in it, for five minutes at most,
 * until the user is locked, the enrolled fingers change, or signet_forget. */
typedef struct signet_context signet_context;

/* Makes a context. No connection is made yet.
 *   name: what the program calls itself, shown to the user beside what the system knows of it; NULL for none.
 * Returns NULL where there is no memory or no descriptor (SIGNET_DOMAIN_SYSTEM). signet_context_free frees it. */
signet_context *signet_context_create(const char *name, signet_error *error);

/* Ends the context and frees it: what was proved in it is gone. An evaluation that was begun is cancelled. No other call may be
 * under way in it, and none may follow. NULL is let pass. */
void signet_context_free(signet_context *context);

/* What the user can be asked for. */
enum {
  SIGNET_PROMPT_TOUCH = 1,              /* value & 1: swipe, else press; value >> 4: finger (1 left thumb .. 10 right little), 0 any */
  SIGNET_PROMPT_NOT_RECOGNISED = 2,     /* a miss; value: misses left in this evaluation */
  SIGNET_PROMPT_SCAN_AGAIN = 3,         /* a poor scan; value: 0 any, 1 too short, 2 not centred, 3 lift first, 4 too fast */
  SIGNET_PROMPT_LOCKED = 4,             /* the passcode is required; value: why (signet_state's lock) */
  SIGNET_PROMPT_READER_BUSY = 5,        /* the reader scans for somebody else; detail: who */
  SIGNET_PROMPT_READER_UNAVAILABLE = 6, /* value: why, 0 any; the words say it */
  SIGNET_PROMPT_TIMED_OUT = 7,          /* no finger came in time */
  SIGNET_PROMPT_NO_ATTEMPTS_LEFT = 8,   /* this evaluation's misses are used up */
  SIGNET_PROMPT_PASSCODE_DELAYED = 9,   /* too many wrong passcodes; value: minutes, or 128 + seconds */
  SIGNET_PROMPT_WRONG_PASSCODE = 10,    /* value: attempts left in this evaluation */
  SIGNET_PROMPT_CONSENT = 11,           /* another program's item; detail: who asks, a line feed, who made it */
  SIGNET_PROMPT_PASSCODE_NOT_ENOUGH = 12, /* passcodes cannot be checked: the system asks for more than one */
  SIGNET_PROMPT_PASSCODE = 100          /* ask for the passcode; value: why, one of SIGNET_PASSCODE_... */
};

/* Why the passcode is asked for. */
enum {
  SIGNET_PASSCODE_USER_FALLBACK = 1,
  SIGNET_PASSCODE_MISSES = 2,
  SIGNET_PASSCODE_LOCKOUT = 3,
  SIGNET_PASSCODE_READER_UNAVAILABLE = 4,
  SIGNET_PASSCODE_TIMED_OUT = 5,
  SIGNET_PASSCODE_ADMINISTRATION = 6,
  SIGNET_PASSCODE_VAULT = 7,
  SIGNET_PASSCODE_OLD = 8,
  SIGNET_PASSCODE_WRONG = 9,
  SIGNET_PASSCODE_CONSENT = 10
};

/* What is to be shown or asked: as numbers, for programs with words of their own, and in words. */
typedef struct signet_prompt {
  int32_t code;         /* SIGNET_PROMPT_...; one that is not known is shown by its words */
  int32_t value;        /* as the code describes it */
  const char *detail;   /* as the code describes it; of other programs: without control characters, may be empty */
  const char *words;    /* a sentence in the language of the process's locale, may be empty */
  bool may_fall_back;   /* whether to offer the passcode, which signet_fall_back asks for */
} signet_prompt;

/* How a program shows and asks by itself. Called in the thread that called the library, never in a signal handler; a callback
 * may take its time, and signetd waits for a passcode as long as it takes. In a callback only signet_answer_passcode,
 * signet_decline, signet_fall_back, signet_cancel and signet_invalidate may be called for the same context. */
typedef struct signet_prompter {
  size_t size; /* sizeof(signet_prompter) */
  /* Shows a prompt. NULL: nothing is shown. */
  void (*show)(void *data, signet_context *context, const signet_prompt *prompt);
  /* Asks for the passcode, and answers by signet_answer_passcode or signet_decline: in the callback, or later, from any thread.
   * NULL: nobody can be asked. */
  void (*ask_passcode)(void *data, signet_context *context, const signet_prompt *prompt);
} signet_prompter;

/* Sets who shows and asks. NULL, as at first: the terminal in whose foreground the process is, else the desktop (by
 * signet-prompt(8), so that a passcode never comes into this process), else nobody.
 *   data: handed to the callbacks. */
void signet_context_set_prompter(signet_context *context, const signet_prompter *prompter, void *data);

/* What the way to the passcode is called; NULL for the usual words, "" to offer none. */
void signet_context_set_fallback_title(signet_context *context, const char *title);

/* What giving up is called; NULL or "" for the usual words. */
void signet_context_set_cancel_title(signet_context *context, const char *title);

/* How long ago, in seconds, the user may have unlocked a screen at this seat by finger so that an evaluation succeeds without
 * one; at most 300, 0 as at first. It releases no items. */
void signet_context_set_reuse_duration(signet_context *context, uint32_t seconds);

/* Whether the user may be shown and asked anything; true at first. */
void signet_context_set_interaction_allowed(signet_context *context, bool allowed);

/* How long a finger is waited for, in seconds (1 to 3600; 60 at first). */
void signet_context_set_timeout(signet_context *context, uint32_t seconds);

/* Ends what is under way in the context; nothing where nothing is. The one function that a signal handler may call.
 *   reason: SIGNET_ERROR_USER_CANCEL, SIGNET_ERROR_SYSTEM_CANCEL, or for anything else SIGNET_ERROR_APP_CANCEL: what the call
 *   that is ended fails with. */
void signet_cancel(signet_context *context, int32_t reason);

/* Ends the context for good: what was proved is gone, what is under way ends with SIGNET_ERROR_APP_CANCEL, and all that follows
 * with SIGNET_ERROR_INVALID_CONTEXT. Again does nothing. */
void signet_invalidate(signet_context *context);

/* Has signetd forget what was proved in the context. */
bool signet_forget(signet_context *context, signet_error *error);

/* ---- Evaluations ---- */

/* What an evaluation may use: Apple's LAPolicy. */
enum {
  SIGNET_POLICY_BIOMETRICS = 1,  /* a finger only */
  SIGNET_POLICY_DEVICE_OWNER = 2 /* a finger where usable, else the passcode */
};

/* Apple's LABiometryType. */
enum { SIGNET_BIOMETRY_NONE = 0, SIGNET_BIOMETRY_TOUCH_ID = 1 };

/* What proved a success. */
enum { SIGNET_METHOD_NONE = 0, SIGNET_METHOD_FINGERPRINT = 1, SIGNET_METHOD_PASSCODE = 2 };

/* Bytes of a domain state. */
#define SIGNET_DOMAIN_STATE_LENGTH 32

/* Whether an evaluation could succeed now; nothing is shown. Otherwise the error says how it would end
 * (SIGNET_DOMAIN_AUTHENTICATION). Sets what signet_biometry_type and signet_domain_state tell. */
bool signet_can_evaluate_policy(signet_context *context, int32_t policy, signet_error *error);

/* What the user can be recognised by: SIGNET_BIOMETRY_NONE until signet_can_evaluate_policy was called, and without a reader. */
int32_t signet_biometry_type(signet_context *context);

/* Copies what stands for the enrolled fingers into `state`: SIGNET_DOMAIN_STATE_LENGTH bytes that change exactly when a finger is
 * added or removed, and tell nothing else. False, and no change, where a finger is not usable, or signet_can_evaluate_policy
 * was not called. */
bool signet_domain_state(signet_context *context, uint8_t *state);

/* Proves that the owner is there; blocks until then, or until it has failed.
 *   reason: what for, in the user's words; NULL or "" is an error (EINVAL).
 * An error of SIGNET_DOMAIN_AUTHENTICATION says how it ended. */
bool signet_evaluate_policy(signet_context *context, int32_t policy, const char *reason, signet_error *error);

/* What proved the context's latest success; SIGNET_METHOD_NONE before one. */
int32_t signet_method(signet_context *context);

/* Begins an evaluation for a program with a main loop of its own: signet_evaluation_step follows it to its end.
 * signet_context_free, signet_cancel and signet_invalidate end it early. */
bool signet_evaluation_begin(signet_context *context, int32_t policy, const char *reason, signet_error *error);

/* A descriptor that is readable whenever signet_evaluation_step has something to do (also when time is up); -1 where no
 * evaluation is under way. It is the library's, and the same until the evaluation ends: only poll it. */
int signet_evaluation_descriptor(signet_context *context);

/* What signet_evaluation_step comes to. */
enum { SIGNET_STEP_FAILED = -1, SIGNET_STEP_PENDING = 0, SIGNET_STEP_SUCCEEDED = 1 };

/* Does what there is to do, callbacks included, without waiting. SIGNET_STEP_PENDING: again when the descriptor is readable.
 * The others end the evaluation; only a failure writes the error. */
int signet_evaluation_step(signet_context *context, signet_error *error);

/* Answers the prompter's question for the passcode. From any thread; the bytes are copied into memory that is wiped.
 *   length: 0 to 512 bytes, without a zero byte at the end.
 * False where it is longer, or there is no memory. An answer to no question is thrown away. */
bool signet_answer_passcode(signet_context *context, const void *passcode, size_t length);

/* The user gave up: ends what is under way with SIGNET_ERROR_USER_CANCEL. From any thread. */
void signet_decline(signet_context *context);

/* The user wants the passcode instead of the finger. From any thread; nothing before the first miss where a finger alone counts. */
void signet_fall_back(signet_context *context);

/* ---- Items ---- */

/* What an item is. */
enum {
  SIGNET_ITEM_PASSWORD = 0,          /* a generic password */
  SIGNET_ITEM_INTERNET_PASSWORD = 2, /* what its service says of server, port and so on is the programs' own */
  /* The same two, other items than those: a program said that they may go to other machines, which they never do. */
  SIGNET_ITEM_SYNCHRONIZABLE = 4,
  SIGNET_ITEM_SYNCHRONIZABLE_INTERNET_PASSWORD = 5,
  SIGNET_ITEM_KEY = 6                /* a key (see below): listed and deleted as the others, never stored, replaced or copied */
};

/* What must be proved before an item is released: Apple's SecAccessControlCreateFlags. 0: nothing. */
#define SIGNET_ACCESS_USER_PRESENCE (1u << 0)        /* a finger or the passcode; alone */
#define SIGNET_ACCESS_BIOMETRY_ANY (1u << 1)         /* a finger that is enrolled then */
#define SIGNET_ACCESS_BIOMETRY_CURRENT_SET (1u << 3) /* a finger; the item is lost when the enrolled fingers change */
#define SIGNET_ACCESS_DEVICE_PASSCODE (1u << 4)      /* the passcode */
#define SIGNET_ACCESS_OR (1u << 14)                  /* one of them is enough */
#define SIGNET_ACCESS_AND (1u << 15)                 /* all of them are needed, as without OR and AND */

/* When an item may be read at all. */
enum {
  SIGNET_ACCESSIBLE_WHEN_UNLOCKED = 1,      /* while the user has an open session; the default, also for 0 */
  SIGNET_ACCESSIBLE_AFTER_FIRST_UNLOCK = 2, /* from the first passcode after boot until the key is erased */
  SIGNET_ACCESSIBLE_WHEN_PASSCODE_SET = 3   /* as WHEN_UNLOCKED; removed when the user has no passcode any more */
};

/* All about an item but its value. A name is unique: kind, service and account. */
typedef struct signet_item {
  int32_t kind;             /* SIGNET_ITEM_... */
  int32_t accessible;       /* SIGNET_ACCESSIBLE_... */
  const char *service;      /* at most 256 bytes; NULL for "" */
  const char *account;      /* at most 256 bytes; NULL for "" */
  const char *label;        /* at most 1,024 bytes; NULL for "" */
  const char *comment;      /* at most 1,024 bytes; NULL for "" */
  uint32_t access_control;  /* SIGNET_ACCESS_... */
  uint32_t attributes_length; /* at most 1,024 */
  const uint8_t *attributes;  /* what else the program knows of it, in a form of its own; may be NULL */
} signet_item;

/* What a list tells of an item besides. */
typedef struct signet_item_facts {
  uint64_t created;         /* seconds since 1970 */
  uint64_t modified;        /* seconds since 1970 */
  bool is_lost;             /* the enrolled fingers changed, and nothing opens it any more */
  const char *creator;      /* the program that stored it, as the kernel named it; may be empty */
} signet_item_facts;

/* The longest value, in bytes. */
#define SIGNET_VALUE_LIMIT 65536

/* Stores a new item. The passcode may be asked for where the vault is closed.
 *   value: `length` bytes, at most SIGNET_VALUE_LIMIT; NULL only where length is 0.
 *   reason: why somebody may be asked, in the user's words; NULL for none. So for all functions here. */
bool signet_item_add(signet_context *context, const signet_item *item, const void *value, size_t length, const char *reason,
                     signet_error *error);

/* Replaces an item that is there, with all that belongs to it. */
bool signet_item_update(signet_context *context, const signet_item *item, const void *value, size_t length, const char *reason,
                        signet_error *error);

/* Releases an item's value. What the item asks for is proved by what the context holds already; the rest is asked of the user.
 *   length: where the value's length goes; may be NULL. A zero byte stands behind the value.
 * Returns the value, which signet_free frees and wipes; NULL where it fails. */
void *signet_item_copy(signet_context *context, int32_t kind, const char *service, const char *account, const char *reason,
                       size_t *length, signet_error *error);

/* Deletes an item. Nothing needs to be proved. */
bool signet_item_delete(signet_context *context, int32_t kind, const char *service, const char *account, signet_error *error);

/* Forgets which programs besides its creator may read an item. */
bool signet_item_revoke(signet_context *context, int32_t kind, const char *service, const char *account, signet_error *error);

/* Calls `each` for every item of the user, until it returns false. No values are released, and nothing is asked. In the callback
 * the context may be used again. */
bool signet_item_list(signet_context *context,
                      bool (*each)(void *data, const signet_item *item, const signet_item_facts *facts), void *data,
                      signet_error *error);

/* ---- Keys ---- */

/* A key signs by ECDSA over P-256, and agrees with others' keys by ECDH. signetd makes it and keeps the private half, which no program
 * ever gets; each use takes what reading an item of the same access control takes. signet_item_list tells its public half as its attributes. */

#define SIGNET_PUBLIC_KEY_LENGTH 65 /* a point: 4, x and y (SEC 1, section 2.3.3) */
#define SIGNET_DIGEST_LENGTH 32     /* SHA-256 of what is signed */
#define SIGNET_SIGNATURE_LENGTH 64  /* r and s, the highest byte first */
#define SIGNET_AGREEMENT_LENGTH 32  /* x of a point (SEC 1, section 3.3.1) */

/* Makes a key. The passcode may be asked for where the vault is closed.
 *   key: of the kind SIGNET_ITEM_KEY, without attributes.
 *   public_key: where SIGNET_PUBLIC_KEY_LENGTH bytes go. */
bool signet_key_create(signet_context *context, const signet_item *key, const char *reason, uint8_t *public_key,
                       signet_error *error);

/* Signs a digest. What the key asks for is proved by what the context holds already; the rest is asked of the user.
 *   digest: SIGNET_DIGEST_LENGTH bytes.
 *   signature: where SIGNET_SIGNATURE_LENGTH bytes go. */
bool signet_key_sign(signet_context *context, const char *service, const char *account, const uint8_t *digest,
                     const char *reason, uint8_t *signature, signet_error *error);

/* Tells what the key and another's public one agree on, which is the same for both: to be fed to a key derivation, and no key itself.
 * What has to be proved is as for a signature. From one who gives a point
 * that is not on the curve signetd hangs up (SIGNET_STATUS_NOT_AVAILABLE): check those of strangers.
 *   public_key: the other's, SIGNET_PUBLIC_KEY_LENGTH bytes.
 *   secret: where SIGNET_AGREEMENT_LENGTH bytes go, which the caller wipes. */
bool signet_key_agree(signet_context *context, const char *service, const char *account, const uint8_t *public_key,
                      const char *reason, uint8_t *secret, signet_error *error);

/* ---- The login session ---- */

/* Copies this session's token, 64 hexadecimal digits and a zero byte, out of the kernel's session keyring, or has it from
 * signetd, where the user's own service manager started this program and the user is at the machine: a secret, with which one can act as
 * this session. signet_free frees and wipes it. NULL where there is none (SIGNET_DOMAIN_SYSTEM: ENOKEY,
 * EKEYEXPIRED, EKEYREVOKED, ...). */
char *signet_token_copy(signet_error *error);

/* An open session that holds a token. */
typedef struct signet_session {
  const char *identifier; /* 8 hexadecimal digits; no part of the token */
  const char *user;
  const char *service;    /* the PAM service */
  const char *terminal;   /* may be empty */
  uint32_t uid;
  int32_t method;         /* SIGNET_METHOD_... */
  uint64_t opened;        /* seconds since 1970 */
} signet_session;

/* Calls `each` for every open session of the user, until it returns false; for root of everybody's. */
bool signet_session_list(bool (*each)(void *data, const signet_session *session), void *data, signet_error *error);

/* ---- Watching ---- */

/* How the user's fingers stand. */
enum {
  SIGNET_STATE_USABLE = 1,     /* a finger can be asked for */
  SIGNET_STATE_LOCKOUT = 2,    /* only the passcode will do */
  SIGNET_STATE_NOT_WORKING = 3 /* no reader, no finger, no passcode, not for this session, or no signetd */
};

typedef struct signet_state {
  int32_t state; /* SIGNET_STATE_... */
  int32_t lock;  /* why only the passcode will do: 0 not, 1 misses, 2 state unusable, 3 restart, 4 inactivity, 5 its age,
                    6 by request */
  int32_t error; /* what an evaluation by finger would fail with at once, SIGNET_ERROR_...; 0: it could succeed */
  bool has_domain_state;
  uint8_t domain_state[SIGNET_DOMAIN_STATE_LENGTH]; /* as signet_domain_state */
} signet_state;

/* Tells how the user's fingers stand, at once and after each change. Nothing is polled: signetd tells by itself. */
typedef struct signet_watch signet_watch;

/* Begins to watch. NULL where there is no memory or no descriptor. signet_watch_free frees it. */
signet_watch *signet_watch_create(signet_error *error);

/* A descriptor that is readable whenever signet_watch_step has something to do. It is the library's: only poll it. */
int signet_watch_descriptor(signet_watch *watch);

/* Does what there is to do without waiting: 1 where `state` was written, 0 where nothing changed, -1 where the watch has ended. */
int signet_watch_step(signet_watch *watch, signet_state *state, signet_error *error);

/* Waits for the next change, the first of which is the present state. False where the watch has ended. */
bool signet_watch_next(signet_watch *watch, signet_state *state, signet_error *error);

/* Ends a watch: a call that waits fails with SIGNET_ERROR_APP_CANCEL. From any thread, and in a signal handler. */
void signet_watch_cancel(signet_watch *watch);

/* Frees a watch, in which no call may be under way. NULL is let pass. */
void signet_watch_free(signet_watch *watch);

#if defined(__cplusplus)
}
#endif

#endif
