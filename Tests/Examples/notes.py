"""Asks for the owner and releases a secret, by ctypes."""
import ctypes

class Error(ctypes.Structure):
    _fields_ = [("domain", ctypes.c_int32), ("code", ctypes.c_int32), ("message", ctypes.c_char_p),
                ("detail", ctypes.c_char_p), ("reserved", ctypes.c_uint64 * 2)]

signet, error = ctypes.CDLL("libsignet.so.0"), Error()
signet.signet_evaluate_policy.restype = ctypes.c_bool
signet.signet_context_create.restype = signet.signet_item_copy.restype = ctypes.c_void_p
context = ctypes.c_void_p(signet.signet_context_create(b"Notes", ctypes.byref(error)))
if not signet.signet_evaluate_policy(context, 2, b"open your notes", ctypes.byref(error)):
    raise SystemExit(f"{error.message.decode()} ({error.code}) {error.detail.decode()}")
length = ctypes.c_size_t()
value = signet.signet_item_copy(context, 0, b"notes", b"key", b"open your notes", ctypes.byref(length), ctypes.byref(error))
if not value:
    raise SystemExit(f"{error.message.decode()} ({error.code}) {error.detail.decode()}")
print(f"The key has {length.value} bytes: {ctypes.string_at(value, length.value).decode()}")
signet.signet_free(ctypes.c_void_p(value))
signet.signet_context_free(context)
