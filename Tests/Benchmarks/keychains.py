#!/usr/bin/python3
"""Stores items and looks them up again by a library, in one process, as a program does: milliseconds of each as a JSON line.

usage: keychains.py signet LIBSIGNET COUNT | libsecret COUNT
"""
import ctypes
import json
import sys
import time

VALUE = b"v" * 32


class Item(ctypes.Structure):
    """signet_item of signet.h."""
    _fields_ = [("kind", ctypes.c_int32), ("accessible", ctypes.c_int32), ("service", ctypes.c_char_p),
                ("account", ctypes.c_char_p), ("label", ctypes.c_char_p), ("comment", ctypes.c_char_p),
                ("access_control", ctypes.c_uint32), ("attributes_length", ctypes.c_uint32), ("attributes", ctypes.c_void_p)]


class Attribute(ctypes.Structure):
    """SecretSchemaAttribute of libsecret."""
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_int)]


class Schema(ctypes.Structure):
    """SecretSchema of libsecret; without flags, of texts only."""
    _fields_ = [("name", ctypes.c_char_p), ("flags", ctypes.c_int), ("attributes", Attribute * 32),
                ("reserved", ctypes.c_int), ("pointers", ctypes.c_void_p * 7)]


class Signet:
    AFTER_FIRST_UNLOCK = 2

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.signet_context_create.restype = ctypes.c_void_p
        self.library.signet_item_add.restype = ctypes.c_bool
        self.library.signet_item_copy.restype = ctypes.c_void_p
        self.context = ctypes.c_void_p(self.library.signet_context_create(b"bench", None))

    def store(self, name):
        item = Item(0, self.AFTER_FIRST_UNLOCK, name, b"", b"x", b"", 0, 0, None)
        return self.library.signet_item_add(self.context, ctypes.byref(item), VALUE, ctypes.c_size_t(len(VALUE)), None, None)

    def look_up(self, name):
        length = ctypes.c_size_t()
        found = self.library.signet_item_copy(self.context, 0, name, b"", None, ctypes.byref(length), None)
        return found and ctypes.string_at(found, length.value) == VALUE


class Libsecret:
    def __init__(self):
        self.library = ctypes.CDLL("libsecret-1.so.0")
        self.library.secret_password_lookup_sync.restype = ctypes.c_char_p
        self.schema = Schema(b"org.example.Bench", 0)
        self.schema.attributes[0] = Attribute(b"name", 0)

    def store(self, name):
        return self.library.secret_password_store_sync(ctypes.byref(self.schema), None, b"x", VALUE, None, None, b"name", name,
                                                       None)

    def look_up(self, name):
        return self.library.secret_password_lookup_sync(ctypes.byref(self.schema), None, None, b"name", name, None) == VALUE


def timed(act, names):
    times = []
    for name in names:
        start = time.monotonic()
        if not act(name):
            raise SystemExit(f"{act.__qualname__} {name.decode()} failed")
        times.append((time.monotonic() - start) * 1e3)
    return times


def main():
    which, *rest, count = sys.argv[1:]
    library = Signet(*rest) if which == "signet" else Libsecret()
    names = [b"kept%d" % number for number in range(int(count))]
    print(json.dumps({"store": timed(library.store, names), "lookup": timed(library.look_up, names)}))


if __name__ == "__main__":
    main()
