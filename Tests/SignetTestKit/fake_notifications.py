#!/usr/bin/python3
"""Somebody on the bus at argv[1] who shows notifications. The rest of the command line is what it says that it can do. Tells of each
call in a line of JSON, and does what the lines of standard input say, and answers each:
invoke NUMBER BUTTON | close NUMBER REASON | hold | go"""
import json
import sys

from gi.repository import Gio, GLib

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
FLAGS = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
INTERFACE = """<node><interface name="org.freedesktop.Notifications">
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/>
<arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method></interface></node>"""

bus = Gio.DBusConnection.new_for_address_sync(sys.argv[1], FLAGS, None, None)
last = 0
held = None


def tell(**what):
    print(json.dumps(what), flush=True)


def called(_, sender, path, interface, method, parameters, invocation):
    global last
    if method == "GetCapabilities":
        invocation.return_value(GLib.Variant("(as)", (sys.argv[2:],)))
    elif method == "Notify":
        name, replaces, icon, summary, body, actions, hints, timeout = parameters.unpack()
        last = replaces or last + 1
        tell(call="notify", number=last, replaces=replaces, summary=summary, body=body, actions=actions, timeout=timeout,
             urgency=hints.get("urgency"), transient=hints.get("transient"))
        answer = GLib.Variant("(u)", (last,))
        if held is None:
            invocation.return_value(answer)
        else:
            held.append((invocation, answer))
    else:
        tell(call="close", number=parameters.unpack()[0])
        invocation.return_value(None)


def emit(signal, variant):
    bus.emit_signal(None, PATH, NAME, signal, variant)
    bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", None, None,
                  Gio.DBusCallFlags.NONE, 5000, None)


def do(words):
    global held
    if words[0] == "invoke":
        emit("ActionInvoked", GLib.Variant("(us)", (int(words[1]), words[2])))
    elif words[0] == "close":
        emit("NotificationClosed", GLib.Variant("(uu)", (int(words[1]), int(words[2]))))
    elif words[0] == "hold":
        held = []
    elif words[0] == "go":
        for invocation, answer in held:
            invocation.return_value(answer)
        held = None
    tell(done=words[0])


def line(channel, condition):
    text = sys.stdin.readline()
    if not text:
        loop.quit()
        return False
    do(text.split())
    return True


loop = GLib.MainLoop()
bus.set_exit_on_close(False)
bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0], called, None, None)
bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
              GLib.Variant("(su)", (NAME, 4)), None, Gio.DBusCallFlags.NONE, 5000, None)
GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, line)
tell(ready=True)
loop.run()
