#!/usr/bin/python3
"""Somebody on the bus at argv[1] who can play logind. Does what the lines of standard input say, and answers each:
own | release | session NAME UID | odd-session NAME | lock NAME | lock-at-all NAME | unlock NAME
at-seat NAME UID [PROPERTY=VALUE...] | set NAME PROPERTY VALUE | active NAME (or nobody) | end NAME"""
import sys

from gi.repository import Gio, GLib

NAME = "org.freedesktop.login1"
FLAGS = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION

bus = Gio.DBusConnection.new_for_address_sync(sys.argv[1], FLAGS, None, None)


def ask(method, arguments):
    return bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, arguments, None,
                         Gio.DBusCallFlags.NONE, 5000, None)


def path(session):
    return "/org/freedesktop/login1/session/" + session


def register(session, kind, value):
    node = Gio.DBusNodeInfo.new_for_xml(
        '<node><interface name="org.freedesktop.login1.Session"><property name="User" type="%s" access="read"/>'
        '</interface></node>' % kind)
    bus.register_object(path(session), node.interfaces[0], None, lambda *_: GLib.Variant(kind, value), None)


# A login at this machine, as logind describes one.
AT_SEAT = {"Seat": ("(so)", ("seat0", "/org/freedesktop/login1/seat/seat0")), "Remote": ("b", False), "Active": ("b", True),
           "Class": ("s", "user"), "State": ("s", "active"), "LockedHint": ("b", False)}
SEAT = "/org/freedesktop/login1/seat/seat0"
objects = {}


def publish(place, interface, values):
    """An object with these properties; what it has of them now is in `objects`."""
    words = "".join(f'<property name="{name}" type="{kind}" access="read"/>' for name, (kind, _) in values.items())
    node = Gio.DBusNodeInfo.new_for_xml(f'<node><interface name="{interface}">{words}</interface></node>')
    objects[place] = values
    bus.register_object(place, node.interfaces[0], None, lambda *call: GLib.Variant(*objects[place][call[4]]), None)


def change(place, interface, name, value):
    kind = objects[place][name][0]
    objects[place][name] = (kind, value)
    arguments = GLib.Variant("(sa{sv}as)", (interface, {name: GLib.Variant(kind, value)}, []))
    bus.emit_signal(None, place, "org.freedesktop.DBus.Properties", "PropertiesChanged", arguments)
    ask("GetId", None)


def parsed(kind, text):
    return text == "true" if kind == "b" else (text, "/" + text) if kind == "(so)" else text


def sit(session, uid, *changes):
    values = dict(AT_SEAT, User=("(uo)", (int(uid), "/org/freedesktop/login1/user/_" + uid)))
    for name, text in (change.split("=") for change in changes):
        values[name] = (values[name][0], parsed(values[name][0], text))
    publish(path(session), NAME + ".Session", values)


def activate(session):
    if SEAT not in objects:
        publish(SEAT, NAME + ".Seat", {"ActiveSession": ("(so)", ("", "/"))})
    change(SEAT, NAME + ".Seat", "ActiveSession", ("", "/") if session == "nobody" else (session, path(session)))


def end(session):
    bus.emit_signal(None, "/org/freedesktop/login1", NAME + ".Manager", "SessionRemoved", GLib.Variant("(so)", (session, path(session))))
    ask("GetId", None)


def lock(session, destination, signal="Lock"):
    bus.emit_signal(destination, path(session), NAME + ".Session", signal, None)
    # Once this is answered the bus has passed the signal on.
    ask("GetId", None)


def do(words):
    command, rest = words[0], words[1:]
    if command == "own":
        ask("RequestName", GLib.Variant("(su)", (NAME, 4)))
    elif command == "release":
        ask("ReleaseName", GLib.Variant("(s)", (NAME,)))
    elif command == "session":
        register(rest[0], "(uo)", (int(rest[1]), "/org/freedesktop/login1/user/_" + rest[1]))
    elif command == "odd-session":
        register(rest[0], "s", "root")
    elif command == "at-seat":
        sit(*rest)
    elif command == "set":
        change(path(rest[0]), NAME + ".Session", rest[1], parsed(objects[path(rest[0])][rest[1]][0], rest[2]))
    elif command == "active":
        activate(rest[0])
    elif command == "end":
        end(rest[0])
    elif command == "lock":
        lock(rest[0], None)
    elif command == "unlock":
        lock(rest[0], None, "Unlock")
    elif command == "lock-at-all":
        # To everybody by name, as anybody on a bus may: no match rule is asked then.
        for name in ask("ListNames", None).unpack()[0]:
            if name.startswith(":") and name != bus.get_unique_name():
                lock(rest[0], name)
    print("done", flush=True)


def line(channel, condition):
    text = sys.stdin.readline()
    if not text:
        loop.quit()
        return False
    do(text.split())
    return True


loop = GLib.MainLoop()
bus.set_exit_on_close(False)
GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, line)
print("ready", flush=True)
loop.run()
