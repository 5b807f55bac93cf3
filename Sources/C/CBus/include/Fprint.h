// net.reactivated.Fprint, whose messages are built by variadic functions. Nothing is decided here.
#ifndef SIGNET_CBUS_FPRINT_H
#define SIGNET_CBUS_FPRINT_H

// The methods of both interfaces.
enum cbus_method {
  CBUS_GET_DEVICES,
  CBUS_GET_DEFAULT_DEVICE,
  CBUS_LIST_ENROLLED_FINGERS,
  CBUS_DELETE_ENROLLED_FINGERS,
  CBUS_DELETE_ENROLLED_FINGERS2,
  CBUS_DELETE_ENROLLED_FINGER,
  CBUS_CLAIM,
  CBUS_RELEASE,
  CBUS_VERIFY_START,
  CBUS_VERIFY_STOP,
  CBUS_ENROLL_START,
  CBUS_ENROLL_STOP,
};

enum cbus_signal { CBUS_VERIFY_STATUS, CBUS_ENROLL_STATUS };

// A device's properties.
struct cbus_device {
  const char *_Nonnull name;
  const char *_Nonnull scan_type;
  int32_t enroll_stages;
  bool is_finger_present;
  bool is_finger_needed;
};

// A call that is to be answered, once.
struct cbus_call;

struct cbus_handlers {
  // `device` is the number in the path, `word` the method's argument, or empty. The call belongs to whoever is called.
  void (*_Nonnull called)(enum cbus_method method, uint32_t device, const char *_Nonnull sender, const char *_Nonnull word,
                          struct cbus_call *_Nonnull call);
  // False where there is no such device. What it points to has to stay until the next call.
  bool (*_Nonnull described)(uint32_t device, struct cbus_device *_Nonnull properties);
  // Somebody who was watched has left the bus.
  void (*_Nonnull left)(const char *_Nonnull name);
  // Polkit has decided.
  void (*_Nonnull authorized)(uint32_t question, bool is_authorized);
};

// Connects, and takes the name. Returns 0, or an errno.
int cbus_open(const char *_Nonnull address, const struct cbus_handlers *_Nonnull handlers);
// Has polkit ask whoever sits before the sender. `question` is a number of the caller's, which no other one has. False where it cannot.
bool cbus_authorize(const char *_Nonnull sender, const char *_Nonnull action, uint32_t question);
// Takes its dialog away; what it says then is not told.
void cbus_end_authorization(uint32_t question);

// How the interface's error is called behind `net.reactivated.Fprint.Error.`, and a sentence.
void cbus_refuse(struct cbus_call *_Nonnull call, const char *_Nonnull error, const char *_Nonnull sentence);
void cbus_answer(struct cbus_call *_Nonnull call);
// With devices, by their numbers: as a list, or one as itself.
void cbus_answer_devices(struct cbus_call *_Nonnull call, const uint32_t *_Nonnull devices, size_t count);
void cbus_answer_device(struct cbus_call *_Nonnull call, uint32_t device);
// With texts, each of which ends with a zero byte.
void cbus_answer_texts(struct cbus_call *_Nonnull call, const char *_Nonnull texts, size_t count);

// To one name on the bus: what a touch was is nobody else's business.
void cbus_tell_selected(uint32_t device, const char *_Nonnull receiver, const char *_Nonnull finger);
// `result` is the word behind `verify-` or `enroll-`.
void cbus_tell(enum cbus_signal signal, uint32_t device, const char *_Nonnull receiver, const char *_Nonnull result, bool is_done);
// To everybody who listens.
void cbus_tell_needed(uint32_t device);
void cbus_tell_added(uint32_t device);
void cbus_tell_removed(uint32_t device);

#endif
