#include "CBus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "net.reactivated.Fprint"
#define ROOT "/net/reactivated/Fprint"
#define DEVICES ROOT "/Device"
#define DEVICE "net.reactivated.Fprint.Device"
#define MANAGER "net.reactivated.Fprint.Manager"
// "…/Device/" and a number.
enum { path_size = 64 };
// How many devices there may be: no machine has more readers.
enum { devices_limit = 64 };

static struct cbus_handlers handlers;

static const char *path_of(uint32_t device, char path[static path_size]) {
  snprintf(path, path_size, DEVICES "/%u", device);
  return path;
}

// False where the path is not written as ours are: "01" is no device.
static bool number_of(const char *path, uint32_t *device) {
  static const char prefix[] = DEVICES "/";
  if (strncmp(path, prefix, sizeof prefix - 1) != 0) return false;
  const char *digits = path + sizeof prefix - 1;
  size_t length = strlen(digits);
  if (length < 1 || length > 2 || (length == 2 && digits[0] == '0')) return false;
  uint32_t number = 0;
  for (; *digits; digits++) {
    if (*digits < '0' || *digits > '9') return false;
    number = number * 10 + (uint32_t)(*digits - '0');
  }
  *device = number;
  return number < devices_limit;
}

// Introspection's words, and with them what is answered: sd-bus's own tables refuse properties with a hyphen, as these have.
#define ARGUMENT(type, name, way) "<arg type='" type "' name='" name "' direction='" way "'/>"
#define METHOD(name, arguments) "<method name='" name "'>" arguments "</method>"
#define SIGNAL(name, arguments) "<signal name='" name "'>" arguments "</signal>"
#define PROPERTY(name, type) "<property name='" name "' type='" type "' access='read'/>"
#define USER ARGUMENT("s", "username", "in")
#define FINGER ARGUMENT("s", "finger_name", "in")
#define STATUS "<arg type='s' name='result'/><arg type='b' name='done'/>"

#define PROPERTIES "org.freedesktop.DBus.Properties"
#define INTROSPECTABLE "org.freedesktop.DBus.Introspectable"
#define OBJECT_MANAGER "org.freedesktop.DBus.ObjectManager"

static const char introspectable_words[] =
    "<interface name='" INTROSPECTABLE "'>" METHOD("Introspect", ARGUMENT("s", "xml_data", "out")) "</interface>";

static const char manager_words[] = "<interface name='" MANAGER "'>" METHOD("GetDevices", ARGUMENT("ao", "devices", "out"))
    METHOD("GetDefaultDevice", ARGUMENT("o", "device", "out")) "</interface>";

static const char object_manager_words[] =
    "<interface name='" OBJECT_MANAGER "'>" METHOD("GetManagedObjects", ARGUMENT("a{oa{sa{sv}}}", "objects", "out"))
        SIGNAL("InterfacesAdded", "<arg type='o' name='object'/><arg type='a{sa{sv}}' name='interfaces'/>")
            SIGNAL("InterfacesRemoved", "<arg type='o' name='object'/><arg type='as' name='interfaces'/>") "</interface>";

static const char properties_words[] =
    "<interface name='" PROPERTIES "'>" METHOD("Get", ARGUMENT("s", "interface", "in") ARGUMENT("s", "property", "in")
                                                        ARGUMENT("v", "value", "out"))
        METHOD("GetAll", ARGUMENT("s", "interface", "in") ARGUMENT("a{sv}", "properties", "out"))
            METHOD("Set", ARGUMENT("s", "interface", "in") ARGUMENT("s", "property", "in") ARGUMENT("v", "value", "in"))
                SIGNAL("PropertiesChanged", "<arg type='s' name='interface'/><arg type='a{sv}' name='changed'/>"
                                            "<arg type='as' name='invalidated'/>") "</interface>";

static const char device_words[] =
    "<interface name='" DEVICE "'>"
    METHOD("ListEnrolledFingers", USER ARGUMENT("as", "enrolled_fingers", "out"))
    METHOD("DeleteEnrolledFingers", USER "<annotation name='org.freedesktop.DBus.Deprecated' value='true'/>")
    METHOD("DeleteEnrolledFingers2", "") METHOD("DeleteEnrolledFinger", FINGER)
    METHOD("Claim", USER) METHOD("Release", "")
    METHOD("VerifyStart", FINGER) METHOD("VerifyStop", "")
    METHOD("EnrollStart", FINGER) METHOD("EnrollStop", "")
    SIGNAL("VerifyFingerSelected", "<arg type='s' name='finger_name'/>")
    SIGNAL("VerifyStatus", STATUS) SIGNAL("EnrollStatus", STATUS)
    PROPERTY("name", "s") PROPERTY("num-enroll-stages", "i") PROPERTY("scan-type", "s")
    PROPERTY("finger-present", "b") PROPERTY("finger-needed", "b") "</interface>";

static const struct {
  const char *name;
  const char *words;
  enum cbus_method method;
} methods[] = {
    {"GetDevices", "", CBUS_GET_DEVICES},
    {"GetDefaultDevice", "", CBUS_GET_DEFAULT_DEVICE},
    {"ListEnrolledFingers", "s", CBUS_LIST_ENROLLED_FINGERS},
    {"DeleteEnrolledFingers", "s", CBUS_DELETE_ENROLLED_FINGERS},
    {"DeleteEnrolledFingers2", "", CBUS_DELETE_ENROLLED_FINGERS2},
    {"DeleteEnrolledFinger", "s", CBUS_DELETE_ENROLLED_FINGER},
    {"Claim", "s", CBUS_CLAIM},
    {"Release", "", CBUS_RELEASE},
    {"VerifyStart", "s", CBUS_VERIFY_START},
    {"VerifyStop", "", CBUS_VERIFY_STOP},
    {"EnrollStart", "s", CBUS_ENROLL_START},
    {"EnrollStop", "", CBUS_ENROLL_STOP},
};
enum { method_count = sizeof methods / sizeof *methods };
static const char *const property_names[] = {"name", "num-enroll-stages", "scan-type", "finger-present", "finger-needed"};
enum { property_count = sizeof property_names / sizeof *property_names };

static bool is(const char *text, const char *other) { return text && strcmp(text, other) == 0; }

static int fail(sd_bus_message *message, const char *error, const char *sentence) {
  return sd_bus_reply_method_errorf(message, error, "%s", sentence);
}

// False where there is no such property. The manager, which is no device, has none.
static bool append_value(sd_bus_message *reply, const char *name, const struct cbus_device *device) {
  if (!device) return false;
  if (is(name, "name")) return sd_bus_message_append(reply, "v", "s", device->name) >= 0;
  if (is(name, "scan-type")) return sd_bus_message_append(reply, "v", "s", device->scan_type) >= 0;
  if (is(name, "num-enroll-stages")) return sd_bus_message_append(reply, "v", "i", device->enroll_stages) >= 0;
  if (is(name, "finger-present")) return sd_bus_message_append(reply, "v", "b", (int)device->is_finger_present) >= 0;
  if (is(name, "finger-needed")) return sd_bus_message_append(reply, "v", "b", (int)device->is_finger_needed) >= 0;
  return false;
}

static void append_values(sd_bus_message *reply, const struct cbus_device *device) {
  sd_bus_message_open_container(reply, 'a', "{sv}");
  for (size_t index = 0; device && index < property_count; index++) {
    sd_bus_message_open_container(reply, 'e', "sv");
    sd_bus_message_append_basic(reply, 's', property_names[index]);
    append_value(reply, property_names[index], device);
    sd_bus_message_close_container(reply);
  }
  sd_bus_message_close_container(reply);
}

static void append_interfaces(sd_bus_message *reply, const struct cbus_device *device) {
  sd_bus_message_open_container(reply, 'a', "{sa{sv}}");
  sd_bus_message_open_container(reply, 'e', "sa{sv}");
  sd_bus_message_append_basic(reply, 's', DEVICE);
  append_values(reply, device);
  sd_bus_message_close_container(reply);
  sd_bus_message_close_container(reply);
}

static int send_reply(sd_bus_message *reply) {
  int result = sd_bus_send(cbus_connection(), reply, NULL);
  sd_bus_message_unref(reply);
  return result < 0 ? result : 1;
}

static int answer_property(sd_bus_message *message, const char *member, const struct cbus_device *device) {
  const char *interface = "", *name = "";
  bool is_one = is(member, "Get");
  if (!is_one && !is(member, "GetAll")) {
    if (is(member, "Set")) return fail(message, SD_BUS_ERROR_PROPERTY_READ_ONLY, "It cannot be set.");
    return fail(message, SD_BUS_ERROR_UNKNOWN_METHOD, "There is no such method.");
  }
  if (!sd_bus_message_has_signature(message, is_one ? "ss" : "s") || sd_bus_message_read(message, "s", &interface) < 0)
    return fail(message, SD_BUS_ERROR_INVALID_ARGS, "It has other arguments.");
  if (!is(interface, device ? DEVICE : MANAGER)) return fail(message, SD_BUS_ERROR_UNKNOWN_INTERFACE, "There is no such interface.");
  sd_bus_message *reply = NULL;
  int result = sd_bus_message_new_method_return(message, &reply);
  if (result < 0) return result;
  if (!is_one) append_values(reply, device);
  if (is_one && (sd_bus_message_read(message, "s", &name) < 0 || !append_value(reply, name, device))) {
    sd_bus_message_unref(reply);
    return fail(message, SD_BUS_ERROR_UNKNOWN_PROPERTY, "There is no such property.");
  }
  return send_reply(reply);
}

static int answer_objects(sd_bus_message *message) {
  sd_bus_message *reply = NULL;
  int result = sd_bus_message_new_method_return(message, &reply);
  if (result < 0) return result;
  char path[path_size];
  struct cbus_device device;
  sd_bus_message_open_container(reply, 'a', "{oa{sa{sv}}}");
  for (uint32_t number = 0; number < devices_limit; number++) {
    if (!handlers.described(number, &device)) continue;
    sd_bus_message_open_container(reply, 'e', "oa{sa{sv}}");
    sd_bus_message_append_basic(reply, 'o', path_of(number, path));
    append_interfaces(reply, &device);
    sd_bus_message_close_container(reply);
  }
  sd_bus_message_close_container(reply);
  return send_reply(reply);
}

// What stands at a path.
enum place { NOTHING, ROOT_NODE, MANAGER_NODE, DEVICES_NODE, DEVICE_NODE };

static int introspect(sd_bus_message *message, enum place place) {
  char nodes[devices_limit * 24] = "";
  size_t length = 0;
  struct cbus_device device;
  for (uint32_t number = 0; place == DEVICES_NODE && number < devices_limit; number++) {
    if (handlers.described(number, &device))
      length += (size_t)snprintf(nodes + length, sizeof nodes - length, "<node name='%u'/>", number);
  }
  if (place == ROOT_NODE) strcpy(nodes, "<node name='Manager'/><node name='Device'/>");
  const char *words = place == ROOT_NODE      ? object_manager_words
                      : place == MANAGER_NODE ? manager_words
                      : place == DEVICE_NODE  ? device_words
                                              : "";
  static const char head[] = "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\" "
                             "\"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">\n<node>";
  static const char tail[] = "</node>\n";
  char text[sizeof head + sizeof introspectable_words + sizeof properties_words + sizeof device_words + sizeof nodes + sizeof tail];
  bool has_properties = place == MANAGER_NODE || place == DEVICE_NODE;
  snprintf(text, sizeof text, "%s%s%s%s%s%s", head, introspectable_words, has_properties ? properties_words : "", words, nodes, tail);
  return sd_bus_reply_method_return(message, "s", text);
}

static int answer_method(sd_bus_message *message, const char *member, enum place place, uint32_t device) {
  for (size_t index = 0; index < method_count; index++) {
    bool is_manager = methods[index].method <= CBUS_GET_DEFAULT_DEVICE;
    if (!is(member, methods[index].name) || is_manager != (place == MANAGER_NODE)) continue;
    const char *word = "", *sender = sd_bus_message_get_sender(message);
    bool is_whole = sd_bus_message_has_signature(message, methods[index].words);
    if (!is_whole || (*methods[index].words && sd_bus_message_read_basic(message, 's', &word) < 0))
      return fail(message, SD_BUS_ERROR_INVALID_ARGS, "It has other arguments.");
    if (!sender) return -EINVAL;
    handlers.called(methods[index].method, device, sender, word, (struct cbus_call *)sd_bus_message_ref(message));
    return 1;
  }
  return fail(message, SD_BUS_ERROR_UNKNOWN_METHOD, "There is no such method.");
}

static int answer(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  if (!sd_bus_message_is_method_call(message, NULL, NULL)) return 0;
  const char *path = sd_bus_message_get_path(message), *interface = sd_bus_message_get_interface(message);
  const char *member = sd_bus_message_get_member(message);
  uint32_t number = 0;
  struct cbus_device device;
  enum place place = is(path, ROOT)                                                          ? ROOT_NODE
                     : is(path, ROOT "/Manager")                                             ? MANAGER_NODE
                     : is(path, DEVICES)                                                     ? DEVICES_NODE
                     : path && number_of(path, &number) && handlers.described(number, &device) ? DEVICE_NODE
                                                                                             : NOTHING;
  if (place == NOTHING) return fail(message, SD_BUS_ERROR_UNKNOWN_OBJECT, "There is no such object.");
  if (is(interface, INTROSPECTABLE) && is(member, "Introspect")) return introspect(message, place);
  if (place == ROOT_NODE && is(interface, OBJECT_MANAGER) && is(member, "GetManagedObjects")) return answer_objects(message);
  bool is_full = place == MANAGER_NODE || place == DEVICE_NODE;
  if (is_full && is(interface, PROPERTIES)) return answer_property(message, member, place == DEVICE_NODE ? &device : NULL);
  bool is_ours = !interface || is(interface, place == MANAGER_NODE ? MANAGER : DEVICE);
  if (is_full && is_ours) return answer_method(message, member, place, number);
  return fail(message, SD_BUS_ERROR_UNKNOWN_METHOD, "There is no such method.");
}

int cbus_open(const char *address, const struct cbus_handlers *its_handlers) {
  handlers = *its_handlers;
  int result = cbus_start(address, ROOT, answer, handlers.left);
  return result ? result : cbus_take_name(NAME);
}

// Longer than a dialog stands.
static const uint64_t authorization_limit = 600 * 1000 * 1000;
#define POLKIT "org.freedesktop.PolicyKit1"
#define POLKIT_PATH "/org/freedesktop/PolicyKit1/Authority"
#define POLKIT_INTERFACE "org.freedesktop.PolicyKit1.Authority"

static int authorized(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  int is_authorized = 0, is_challenge = 0;
  bool is_answer = !sd_bus_message_is_method_error(message, NULL) && sd_bus_message_has_signature(message, "(bba{ss})") &&
                   sd_bus_message_enter_container(message, 'r', "bba{ss}") > 0 &&
                   sd_bus_message_read(message, "bb", &is_authorized, &is_challenge) >= 0;
  handlers.authorized((uint32_t)(uintptr_t)context, is_answer && is_authorized && !is_challenge);
  return 1;
}

bool cbus_authorize(const char *sender, const char *action, uint32_t question) {
  sd_bus_message *message = NULL;
  char cancellation[16];
  snprintf(cancellation, sizeof cancellation, "%u", question);
  if (sd_bus_message_new_method_call(cbus_connection(), &message, POLKIT, POLKIT_PATH, POLKIT_INTERFACE, "CheckAuthorization") < 0) return false;
  // 1: it may ask the user.
  bool is_sent = sd_bus_message_append(message, "(sa{sv})sa{ss}us", "system-bus-name", 1, "name", "s", sender, action, 0,
                                       (uint32_t)1, cancellation) >= 0 &&
                 sd_bus_call_async(cbus_connection(), NULL, message, authorized, (void *)(uintptr_t)question, authorization_limit) >= 0;
  sd_bus_message_unref(message);
  return is_sent;
}

void cbus_end_authorization(uint32_t question) {
  char cancellation[16];
  snprintf(cancellation, sizeof cancellation, "%u", question);
  sd_bus_call_method_async(cbus_connection(), NULL, POLKIT, POLKIT_PATH, POLKIT_INTERFACE, "CancelCheckAuthorization", NULL, NULL, "s",
                           cancellation);
}

static sd_bus_message *message_of(struct cbus_call *call) { return (sd_bus_message *)call; }

void cbus_refuse(struct cbus_call *call, const char *error, const char *sentence) {
  char name[128];
  snprintf(name, sizeof name, NAME ".Error.%s", error);
  sd_bus_reply_method_errorf(message_of(call), name, "%s", sentence);
  sd_bus_message_unref(message_of(call));
}

void cbus_answer(struct cbus_call *call) {
  sd_bus_reply_method_return(message_of(call), "");
  sd_bus_message_unref(message_of(call));
}

static void send_and_end(struct cbus_call *call, sd_bus_message *reply) {
  sd_bus_send(cbus_connection(), reply, NULL);
  sd_bus_message_unref(reply);
  sd_bus_message_unref(message_of(call));
}

static sd_bus_message *begin(struct cbus_call *call) {
  sd_bus_message *reply = NULL;
  if (sd_bus_message_new_method_return(message_of(call), &reply) >= 0) return reply;
  sd_bus_message_unref(message_of(call));
  return NULL;
}

void cbus_answer_devices(struct cbus_call *call, const uint32_t *devices, size_t count) {
  sd_bus_message *reply = begin(call);
  if (!reply) return;
  char path[path_size];
  sd_bus_message_open_container(reply, 'a', "o");
  for (size_t index = 0; index < count; index++) sd_bus_message_append_basic(reply, 'o', path_of(devices[index], path));
  sd_bus_message_close_container(reply);
  send_and_end(call, reply);
}

void cbus_answer_device(struct cbus_call *call, uint32_t device) {
  char path[path_size];
  sd_bus_reply_method_return(message_of(call), "o", path_of(device, path));
  sd_bus_message_unref(message_of(call));
}

void cbus_answer_texts(struct cbus_call *call, const char *texts, size_t count) {
  sd_bus_message *reply = begin(call);
  if (!reply) return;
  sd_bus_message_open_container(reply, 'a', "s");
  for (; count > 0; count--, texts += strlen(texts) + 1) sd_bus_message_append_basic(reply, 's', texts);
  sd_bus_message_close_container(reply);
  send_and_end(call, reply);
}

static sd_bus_message *begin_signal(uint32_t device, const char *name, const char *receiver) {
  char path[path_size];
  sd_bus_message *signal = NULL;
  if (sd_bus_message_new_signal(cbus_connection(), &signal, path_of(device, path), DEVICE, name) < 0) return NULL;
  if (sd_bus_message_set_destination(signal, receiver) >= 0) return signal;
  return sd_bus_message_unref(signal);
}

void cbus_tell_selected(uint32_t device, const char *receiver, const char *finger) {
  sd_bus_message *signal = begin_signal(device, "VerifyFingerSelected", receiver);
  if (signal && sd_bus_message_append(signal, "s", finger) >= 0) sd_bus_send(cbus_connection(), signal, NULL);
  sd_bus_message_unref(signal);
}

void cbus_tell(enum cbus_signal name, uint32_t device, const char *receiver, const char *result, bool is_done) {
  char text[64];
  bool is_verify = name == CBUS_VERIFY_STATUS;
  snprintf(text, sizeof text, "%s-%s", is_verify ? "verify" : "enroll", result);
  sd_bus_message *signal = begin_signal(device, is_verify ? "VerifyStatus" : "EnrollStatus", receiver);
  if (signal && sd_bus_message_append(signal, "sb", text, (int)is_done) >= 0) sd_bus_send(cbus_connection(), signal, NULL);
  sd_bus_message_unref(signal);
}

// `finger-needed` is all that changes.
void cbus_tell_needed(uint32_t number) {
  char path[path_size];
  struct cbus_device device;
  if (!handlers.described(number, &device)) return;
  sd_bus_emit_signal(cbus_connection(), path_of(number, path), PROPERTIES, "PropertiesChanged", "sa{sv}as", DEVICE, 1, "finger-needed", "b",
                     (int)device.is_finger_needed, 0);
}

void cbus_tell_added(uint32_t number) {
  char path[path_size];
  struct cbus_device device;
  sd_bus_message *signal = NULL;
  if (!handlers.described(number, &device)) return;
  if (sd_bus_message_new_signal(cbus_connection(), &signal, ROOT, OBJECT_MANAGER, "InterfacesAdded") < 0) return;
  sd_bus_message_append_basic(signal, 'o', path_of(number, path));
  append_interfaces(signal, &device);
  sd_bus_send(cbus_connection(), signal, NULL);
  sd_bus_message_unref(signal);
}

void cbus_tell_removed(uint32_t number) {
  char path[path_size];
  sd_bus_emit_signal(cbus_connection(), ROOT, OBJECT_MANAGER, "InterfacesRemoved", "oas", path_of(number, path), 1, DEVICE);
}
