"""A bus of the benchmark's own, and somebody on it who knows fprintd."""
import subprocess
import time

from gi.repository import Gio, GLib

NAME = "net.reactivated.Fprint"
DEVICE = NAME + ".Device"
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={socket}</listen><servicedir>{services}</servicedir>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
<allow send_requested_reply="true" send_type="method_return"/><allow send_requested_reply="true" send_type="error"/>
<allow receive_type="method_call"/><allow receive_type="method_return"/><allow receive_type="error"/>
<allow receive_type="signal"/></policy></busconfig>
"""


class Bus:
    """For whoever has `log`, a file."""

    def start_bus(self, directory, environment):
        """`environment`: of what it starts, which directory/services names."""
        with open(directory + "/bus.conf", "w") as file:
            file.write(BUS.format(socket=directory + "/bus", services=directory + "/services"))
        command = ["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={directory}/bus.conf", "--print-address"]
        self.bus = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=self.log)
        self.bus.stdout.readline()
        flags = Gio.DBusConnectionFlags
        self.connection = Gio.DBusConnection.new_for_address_sync(
            f"unix:path={directory}/bus", flags.MESSAGE_BUS_CONNECTION | flags.AUTHENTICATION_CLIENT, None, None)
        self.connection.set_exit_on_close(False)

    def end_bus(self):
        self.bus.terminate()
        self.bus.wait()

    def call(self, path, method, signature=None, arguments=(), name=NAME):
        parameters = GLib.Variant(signature, arguments) if signature else None
        interface, member = method.rsplit(".", 1)
        return self.connection.call_sync(name, path, interface, member, parameters, None, 0, 600_000, None).unpack()

    def bus_call(self, member, name):
        return self.call("/", "org.freedesktop.DBus." + member, "(s)", (name,), "org.freedesktop.DBus")[0]

    def wait_for(self, name, there):
        while self.bus_call("NameHasOwner", name) != there:
            time.sleep(0.002)

    def device(self):
        return self.call("/net/reactivated/Fprint/Manager", NAME + ".Manager.GetDevices")[0][0]

    def verify(self, send):
        """One verification by finger, claim and release with it: the microseconds of each call, and from the finger, which `send`
        puts on the reader, to VerifyStatus."""
        device, context, seen, took = self.device(), GLib.MainContext.default(), [], {}

        def status(*event):
            seen.append((time.monotonic(), *event[5].unpack()))

        def timed(method, *arguments):
            start = time.monotonic()
            self.call(device, f"{DEVICE}.{method}", "(s)" if arguments else None, arguments)
            took[method] = (time.monotonic() - start) * 1e6

        subscription = self.connection.signal_subscribe(NAME, DEVICE, "VerifyStatus", device, None, 0, status)
        timed("Claim", "")
        timed("VerifyStart", "any")
        touched = send()
        while not seen:
            context.iteration(True)
        took["finger to VerifyStatus"] = (seen[0][0] - touched) * 1e6
        timed("VerifyStop")
        timed("Release")
        self.connection.signal_unsubscribe(subscription)
        if seen[0][1:] != ("verify-match", True):
            raise RuntimeError(f"no match: {seen}")
        return took
