#!/usr/bin/python3
"""Somebody on the bus at argv[1] who knows org.freedesktop.secrets. Each line of standard input is a call: PATH, INTERFACE.METHOD and the
arguments as GVariant writes them; `@ROOT` begins a path of Signet's. What comes of it is one line, and so is every signal. Besides:
name | pid | store SESSION SIZE COUNT (a new item with a secret of so many bytes, and so many attributes) | size ITEM SESSION"""
import os
import sys

from gi.repository import Gio, GLib

NAME, ROOT = "org.freedesktop.secrets", "/org/freedesktop/secrets"
FLAGS = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
bus = Gio.DBusConnection.new_for_address_sync(sys.argv[1], FLAGS, None, None)


def say(*words):
    print(*words, flush=True)


def call(path, interface, method, arguments, then=None, name=NAME):
    def answered(_, result):
        try:
            value = bus.call_finish(result).unpack()
            say(method, "ok", then(value) if then else value)
        except GLib.Error as error:
            say(method, "error", Gio.DBusError.get_remote_error(error))

    bus.call(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 60000, None, answered)


def store(session, size, count):
    value = bytes(index % 251 for index in range(size))
    properties = {
        "org.freedesktop.Secret.Item.Label": GLib.Variant("s", "made here"),
        "org.freedesktop.Secret.Item.Attributes": GLib.Variant("a{ss}", {f"name{index}": "value" for index in range(count)}),
    }
    secret = (session, b"", value, "application/octet-stream")
    call(ROOT + "/collection/login", "org.freedesktop.Secret.Collection", "CreateItem",
         GLib.Variant("(a{sv}(oayays)b)", (properties, secret, False)))


def told(values):
    value = bytes(values[0][2])
    right = value == bytes(index % 251 for index in range(len(value)))
    return f"{len(value)} {values[0][3]}" if right else "other bytes"


def hear(_bus, _sender, path, _interface, signal, arguments):
    say("signal", signal, path, arguments.unpack())


def does(line):
    words = line.split(" ", 2)
    if words[0] == "name":
        say("name is", bus.get_unique_name())
    elif words[0] == "pid":
        call("/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID", GLib.Variant("(s)", (NAME,)),
             lambda value: value[0], "org.freedesktop.DBus")
    elif words[0] == "store":
        size, count = words[2].split()
        store(words[1], int(size), int(count))
    elif words[0] == "size":
        call(words[1], "org.freedesktop.Secret.Item", "GetSecret", GLib.Variant("(o)", (words[2],)), told)
    else:
        interface, method = words[1].rsplit(".", 1)
        if not interface.startswith("org."):
            interface = "org.freedesktop.Secret." + interface
        text = words[2].replace("@ROOT", ROOT) if len(words) > 2 else "()"
        call(words[0].replace("@ROOT", ROOT), interface, method, GLib.Variant.parse(None, text, None, None))


def lines(source, _condition):
    # Unbuffered, or a second line that came with the first would wait for a third.
    chunk = os.read(source, 1 << 16)
    if not chunk:
        os._exit(0)
    rest[0] += chunk
    *whole, rest[0] = rest[0].split(b"\n")
    for line in whole:
        does(line.decode())
    return True


rest = [b""]
bus.signal_subscribe(NAME, None, None, None, None, Gio.DBusSignalFlags.NONE, hear)
GLib.io_add_watch(0, GLib.IOCondition.IN | GLib.IOCondition.HUP, lines)
say("ready")
GLib.MainLoop().run()
