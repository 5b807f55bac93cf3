#!/usr/bin/python3
"""gdm_session.py WORKER USER SERVICE: what gdm does with its session worker, up to the proof: a bus of its own, and a new worker each time.

Says on standard output, line by line, what comes of it: `asks TEXT`, `info TEXT`, `problem TEXT`, `failed TEXT`, `authenticated`. A
line of standard input answers the question that stands; where none does it is lost, as keys are in a field that is grey."""
import os
import sys

import gi
gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

MANAGER, WORKER = "org.gnome.DisplayManager.WorkerManager", "org.gnome.DisplayManager.Worker"
# Of the methods that its worker calls, those that it calls before there is a session.
METHODS = {"Hello": "", "InfoQuery": "ss", "SecretInfoQuery": "ss", "Info": "ss", "Problem": "ss"}
QUESTIONS = ("InfoQuery", "SecretInfoQuery")


def interface():
    methods = ""
    for name, kinds in METHODS.items():
        arguments = "".join(f"<arg type='{kind}' direction='in'/>" for kind in kinds)
        answer = "<arg type='s' direction='out'/>" if name in QUESTIONS else ""
        methods += f"<method name='{name}'>{arguments}{answer}</method>"
    return Gio.DBusNodeInfo.new_for_xml(f"<node><interface name='{MANAGER}'>{methods}</interface></node>").interfaces[0]


def say(*words):
    print(*words, flush=True)


class Session:
    def __init__(self, worker, user, service):
        self.worker, self.user, self.service, self.question, self.connection = worker, user, service, None, None
        self.server = Gio.DBusServer.new_sync("unix:path=/run/gdm-bus", Gio.DBusServerFlags.NONE, Gio.dbus_generate_guid(), None, None)
        self.server.connect("new-connection", self.welcome)
        self.server.start()
        self.begin()

    def begin(self):
        self.connection = None
        environment = {"PATH": "/usr/bin:/bin", "GDM_SESSION_DBUS_ADDRESS": self.server.get_client_address()}
        if os.fork() == 0:
            null = os.open("/dev/null", os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(null, descriptor)
            os.execve(self.worker, [self.worker], environment)

    def welcome(self, _, connection):
        self.connection = connection
        connection.register_object("/org/gnome/DisplayManager/Session", interface(), self.hear, None, None)
        return True

    def asks_worker(self, method, arguments, then):
        """Its answer comes when it has done so."""
        def follow(connection, result):
            try:
                connection.call_finish(result)
            except GLib.Error as error:
                return self.fail(error.message)
            return then()
        self.connection.call(None, "/org/gnome/DisplayManager/Worker", WORKER, method, arguments, None, Gio.DBusCallFlags.NONE,
                             GLib.MAXINT, None, follow)

    def set_up(self):
        arguments = (self.service, self.user, "", "", "/dev/tty1", "seat0", "", True, False)
        self.asks_worker("SetupForUser", GLib.Variant("(sssssssbb)", arguments), self.authenticate)

    def authenticate(self):
        self.asks_worker("Authenticate", None, lambda: say("authenticated"))

    def fail(self, text):
        say("failed", text)
        self.question = None
        self.connection.close(None, None, None)
        # What runs beside that ends for good.
        if self.service == "gdm-password":
            self.begin()

    def hear(self, connection, sender, path, name, method, arguments, invocation):
        text = arguments.unpack()[-1] if arguments.n_children() else ""
        if method in QUESTIONS:
            self.question = invocation
            return say("asks", text)
        invocation.return_value(None)
        if method == "Hello":
            self.set_up()
        elif method in ("Info", "Problem"):
            say(method.lower(), text)

    def answer(self, source, _):
        line = source.readline()
        if line and self.question:
            self.question.return_value(GLib.Variant("(s)", (line.rstrip("\n"),)))
            self.question = None
        return bool(line)


if __name__ == "__main__":
    session = Session(*sys.argv[1:])
    GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, session.answer)
    GLib.MainLoop().run()
