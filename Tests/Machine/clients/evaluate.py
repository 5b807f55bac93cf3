"""An application that asks who is there, by libsignet, and says so."""
import ctypes

signet = ctypes.CDLL("libsignet.so.0")
signet.signet_context_create.restype = ctypes.c_void_p
signet.signet_evaluate_policy.restype = ctypes.c_bool
context = ctypes.c_void_p(signet.signet_context_create(b"Guest", None))
# A finger or the passcode.
if not signet.signet_evaluate_policy(context, 2, b"look", None):
    raise SystemExit("nobody is let in")
print("somebody is let in")
