#!/usr/bin/python3
"""Somebody on the bus at argv[1] who knows fprintd. Does what the lines of standard input say, and tells of every signal:
METHOD [WORD] at device 0, or at another as N/METHOD | Get PROPERTY | GetAll | Objects | flood METHOD COUNT | heard |
raw PATH INTERFACE METHOD [with a number] | crowd COUNT | storm COUNT USER

As polkit it tells what it is asked, and decides about the oldest question: polkit | consent | refuse"""
import os
import random
import sys

from gi.repository import Gio, GLib

NAME, ROOT = "net.reactivated.Fprint", "/net/reactivated/Fprint"
DEVICE = NAME + ".Device"
FLAGS = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION



def connect():
    connection = Gio.DBusConnection.new_for_address_sync(sys.argv[1], FLAGS, None, None)
    connection.set_exit_on_close(False)
    return connection


bus = connect()


def say(*words):
    print(*words, flush=True)


def call(path, interface, method, arguments, then):
    def answered(_, result):
        try:
            then(bus.call_finish(result).unpack())
        except GLib.Error as error:
            remote = Gio.DBusError.get_remote_error(error)
            say(method, "error", remote.removeprefix(NAME + ".Error.") if remote else error.message)

    bus.call(NAME, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 60000, None, answered)


def call_raw(path, interface, method, arguments):
    def answered(_, result):
        try:
            bus.call_finish(result)
            say("raw ok")
        except GLib.Error as error:
            say("raw error", Gio.DBusError.get_remote_error(error))
    bus.call(NAME, ROOT + path, NAME + interface, method, arguments, None, Gio.DBusCallFlags.NONE, 60000, None, answered)


def call_all(calls, then):
    """(connection, method, arguments) each, all at once; `then` is told which succeeded, with what, when all are answered."""
    answered, succeeded = [], []

    def one(connection, result, index):
        try:
            succeeded.append((index, connection.call_finish(result).unpack()))
        except GLib.Error:
            pass
        answered.append(index)
        if len(answered) == len(calls):
            then(succeeded)

    for index, (connection, method, arguments) in enumerate(calls):
        connection.call(NAME, ROOT + "/Device/0", DEVICE, method, arguments, None, Gio.DBusCallFlags.NONE, 60000, None, one, index)


def crowd(count):
    everybody = [connect() for _ in range(count)]
    calls = [(connection, "Claim", GLib.Variant("(s)", ("",))) for connection in everybody]
    call_all(calls, lambda succeeded: say("crowd", "ok", len(everybody), len(succeeded)))


WORDS = ["", "any", "right-index-finger", "left-thumb", "x" * 100_000, "../../root", "\x01\n", "-1", "%s%n", "\u202e\U0001f590"]
METHODS = ["ListEnrolledFingers", "DeleteEnrolledFingers", "DeleteEnrolledFingers2", "DeleteEnrolledFinger", "Claim", "Release",
           "VerifyStart", "VerifyStop", "EnrollStart", "EnrollStop", "Nothing"]


def storm(count, user):
    """Everything in any order, half of it about another user; a tenth leaves without an answer. Tells what it should not have got."""
    dice, everybody, calls = random.Random(1), [connect() for _ in range(count)], []
    for number, connection in enumerate(everybody):
        for _ in range(10):
            method, word = dice.choice(METHODS), dice.choice(WORDS + [user] * len(WORDS))
            arguments = dice.choice([None, GLib.Variant("(s)", (word,)), GLib.Variant("(s)", (word,)), GLib.Variant("(ai)", ([1, 2],))])
            if number % 10:
                calls.append((connection, method, arguments))
            else:
                connection.call(NAME, ROOT + "/Device/0", DEVICE, method, arguments, None, Gio.DBusCallFlags.NONE, 60000, None, None)
        if number % 10 == 0:
            connection.flush_sync(None)
            connection.close_sync(None)

    def done(succeeded):
        harmless = ("Claim", "Release", "VerifyStop", "EnrollStop")
        got = [(calls[index][1], answer) for index, answer in succeeded
               if calls[index][1] not in harmless or user in (calls[index][2] or ())]
        for connection in everybody:
            if not connection.is_closed():
                connection.close_sync(None)
        say("storm", "ok", count, got)
    call_all(calls, done)


def device(text):
    number, _, method = text.rpartition("/")
    return f"{ROOT}/Device/{number or 0}", method


POLKIT = '''<node><interface name="org.freedesktop.PolicyKit1.Authority">
<method name="CheckAuthorization"><arg type="(sa{sv})" direction="in"/><arg type="s" direction="in"/>
<arg type="a{ss}" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="(bba{ss})" direction="out"/></method>
<method name="CancelCheckAuthorization"><arg type="s" direction="in"/></method></interface></node>'''
questions = []


def asked(_, sender, path, interface, method, arguments, invocation):
    if method == "CancelCheckAuthorization":
        say("polkit cancelled")
        return invocation.return_value(None)
    (kind, subject), action, details, flags, cancellation = arguments.unpack()
    questions.append(invocation)
    say("polkit asked", action, kind, subject["name"], flags)


def be_polkit():
    node = Gio.DBusNodeInfo.new_for_xml(POLKIT)
    bus.register_object("/org/freedesktop/PolicyKit1/Authority", node.interfaces[0], asked, None, None)
    bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                  GLib.Variant("(su)", ("org.freedesktop.PolicyKit1", 4)), None, Gio.DBusCallFlags.NONE, 5000, None)
    say("polkit ready")


def do(words):
    if words[0] == "polkit":
        return be_polkit()
    if words[0] in ("consent", "refuse"):
        return questions.pop(0).return_value(GLib.Variant("((bba{ss}))", ((words[0] == "consent", False, {}),)))
    if words[0] == "crowd":
        return crowd(int(words[1]))
    if words[0] == "storm":
        return storm(int(words[1]), words[2])
    if words[0] == "heard":
        return say("heard", *sorted(heard))
    if words[0] == "name":
        return say("name is", bus.get_unique_name())
    if words[0] == "raw":
        call_raw(*words[1:4], GLib.Variant("(i)", (1,)) if len(words) > 4 else None)
        return
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


heard = set()


def signalled(_, sender, path, interface, signal, arguments):
    heard.add(signal)
    say("signal", signal, *arguments.unpack())


unread = b""


def lines(channel, condition):
    # Not by readline(), which keeps lines that came together where nobody is told of them.
    global unread
    data = os.read(0, 4096)
    if not data:
        loop.quit()
        return False
    *whole, unread = (unread + data).split(b"\n")
    for text in whole:
        do(text.decode().split())
    return True


loop = GLib.MainLoop()
bus.signal_subscribe(NAME, None, None, None, None, Gio.DBusSignalFlags.NONE, signalled)
GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, lines)
say("ready")
loop.run()
