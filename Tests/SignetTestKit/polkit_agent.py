#!/usr/bin/python3
"""An agent with a window, but for the window: asks the real polkitd, on a bus of its own below a /run of its own, whether a process of
nobody's may do something that an administrator has to prove, and answers as the agent's session asks.

polkit_agent.py PAM-FOLDER USER; needs root, and a mount namespace of its own. Prints what the session says, and reads a line for each thing
to do: `answer TEXT` or `cancel`."""
import os
import subprocess
import sys

import gi

gi.require_version("Polkit", "1.0")
gi.require_version("PolkitAgent", "1.0")
from gi.repository import Gio, GLib, Polkit, PolkitAgent  # noqa: E402

ACTION = "org.freedesktop.policykit.exec"
AGENT = """<node><interface name="org.freedesktop.PolicyKit1.AuthenticationAgent">
<method name="BeginAuthentication"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="a{ss}" direction="in"/><arg type="s" direction="in"/><arg type="a(sa{sv})" direction="in"/></method>
<method name="CancelAuthentication"><arg type="s" direction="in"/></method></interface></node>"""


def say(*words):
    print(*words, flush=True)


def mount(*words):
    subprocess.run(["mount", *words], check=True)


def start_polkit(folder, user):
    """A bus and polkitd, who takes `user` for the only administrator."""
    mount("--bind", folder, "/etc/pam.d")
    mount("-t", "tmpfs", "-o", "mode=755", "none", "/run")
    mount("-t", "tmpfs", "-o", "mode=755", "none", "/etc/polkit-1/rules.d")
    with open("/etc/polkit-1/rules.d/00-test.rules", "w") as rules:
        rules.write('polkit.addAdminRule(function() { return ["unix-user:%s"]; });' % user)
    os.mkdir("/run/dbus")
    # Each ends with this process.
    subprocess.run(["dbus-daemon", "--system", "--fork", "--nopidfile", "--nosyslog", "--print-pid"], check=True,
                   stdout=subprocess.DEVNULL)
    return subprocess.Popen(["/usr/lib/polkit-1/polkitd", "--no-debug"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Agent:
    def __init__(self, bus):
        self.session = None
        interface = Gio.DBusNodeInfo.new_for_xml(AGENT).interfaces[0]
        bus.register_object("/agent", interface, self.call, None, None)

    def call(self, bus, sender, path, interface, method, parameters, invocation):
        if method != "BeginAuthentication":
            return invocation.return_value(None)
        action, message, icon, details, cookie, identities = parameters.unpack()
        user = Polkit.UnixUser.new(identities[0][1]["uid"])
        self.session = PolkitAgent.Session.new(user, cookie)
        self.session.connect("request", lambda session, text, echo: say("request", text))
        self.session.connect("show-info", lambda session, text: say("info", text))
        self.session.connect("show-error", lambda session, text: say("error", text))
        self.session.connect("completed", lambda session, proved: self.end(proved, invocation))
        self.session.initiate()

    def end(self, proved, invocation):
        say("completed", "proved" if proved else "not proved")
        invocation.return_value(None)

    def read(self, channel, condition):
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        if line.startswith("answer "):
            self.session.response(line[len("answer "):-1])
        else:
            self.session.cancel()
        return True


def main():
    folder, user = sys.argv[1:]
    polkitd = start_polkit(folder, user)
    subject = subprocess.Popen(["setpriv", "--reuid=nobody", "--clear-groups", "sleep", "600"])
    bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
    authority = Polkit.Authority.get_sync()
    agent = Agent(bus)
    process = Polkit.UnixProcess.new_for_owner(subject.pid, 0, 65534)
    authority.register_authentication_agent_sync(process, "C", "/agent")
    flags = Polkit.CheckAuthorizationFlags.ALLOW_USER_INTERACTION

    def told(authority, result):
        say("authorized" if authority.check_authorization_finish(result).get_is_authorized() else "refused")
        loop.quit()

    authority.check_authorization(process, ACTION, None, flags, None, told)
    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, agent.read)
    try:
        loop.run()
    finally:
        for child in (subject, polkitd):
            child.kill()
            child.wait()


loop = GLib.MainLoop()
main()
