#!/usr/bin/python3
"""Somebody on the bus at argv[1] who knows fprintd. Does what the lines of standard input say, and tells of every signal:
METHOD [WORD] at device 0, or at another as N/METHOD | Get PROPERTY | GetAll | Objects | flood METHOD COUNT"""
import sys

from gi.repository import Gio, GLib

NAME, ROOT = "net.reactivated.Fprint", "/net/reactivated/Fprint"
DEVICE = NAME + ".Device"
FLAGS = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION

bus = Gio.DBusConnection.new_for_address_sync(sys.argv[1], FLAGS, None, None)


def say(*words):
    print(*words, flush=True)


def call(path, interface, method, arguments, then):
    def answered(_, result):
        try:
            then(bus.call_finish(result).unpack())
        except GLib.Error as error:
            say(method, "error", Gio.DBusError.get_remote_error(error).removeprefix(NAME + ".Error."))

    bus.call(NAME, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 60000, None, answered)


def device(text):
    number, _, method = text.rpartition("/")
    return f"{ROOT}/Device/{number or 0}", method


def do(words):
    path, method = device(words[0])
    if method in ("GetDevices", "GetDefaultDevice"):
        call(ROOT + "/Manager", NAME + ".Manager", method, None, lambda answer: say(method, "ok", answer[0]))
    elif method == "Get":
        call(path, "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (DEVICE, words[1])),
             lambda answer: say("Get", "ok", answer[0]))
    elif method == "GetAll":
        call(path, "org.freedesktop.DBus.Properties", "GetAll", GLib.Variant("(s)", (DEVICE,)),
             lambda answer: say("GetAll", "ok", sorted(answer[0].items())))
    elif method == "Objects":
        call(ROOT, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", None,
             lambda answer: say("Objects", "ok", sorted(answer[0])))
    elif method == "Introspect":
        def known(answer):
            node = Gio.DBusNodeInfo.new_for_xml(answer[0]).lookup_interface(DEVICE)
            say("Introspect", "ok", len(node.methods), len(node.signals), len(node.properties))
        call(path, "org.freedesktop.DBus.Introspectable", "Introspect", None, known)
    elif method == "flood":
        count = int(words[2])
        left = [count, 0]

        def one(isAnswered):
            left[0] -= 1
            left[1] += isAnswered
            if left[0] == 0:
                say("flood", "ok", left[1] > 0)

        def answered(_, result):
            try:
                bus.call_finish(result)
                one(1)
            except GLib.Error as error:
                one("Error.NoEnrolledPrints" in error.message)
        for _ in range(count):
            bus.call(NAME, path, DEVICE, words[1], GLib.Variant("(s)", ("",)), None, Gio.DBusCallFlags.NONE, 60000, None, answered)
    else:
        takes = method in ("ListEnrolledFingers", "Claim", "VerifyStart", "EnrollStart", "DeleteEnrolledFinger",
                           "DeleteEnrolledFingers")
        word = words[1] if len(words) > 1 else ""
        call(path, DEVICE, method, GLib.Variant("(s)", (word,)) if takes else None,
             lambda answer: say(method, "ok", *answer))


def signalled(_, sender, path, interface, signal, arguments):
    say("signal", signal, *arguments.unpack())


def line(channel, condition):
    text = sys.stdin.readline()
    if not text:
        loop.quit()
        return False
    do(text.split())
    return True


loop = GLib.MainLoop()
bus.signal_subscribe(NAME, None, None, None, None, Gio.DBusSignalFlags.NONE, signalled)
GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, line)
say("ready")
loop.run()
