# kde-session.py [store]: a session with KWallet. Says, in lines like pam-host's, whether the wallet is closed and what is
# found in it.
import json
import os
import subprocess
import sys

from gi.repository import Gio, GLib

NAME, WALLET, FOLDER, ENTRY, PROGRAM = "org.kde.kwalletd5", "kdewallet", "Passwords", "signet-test", "kde-session"


def say(step, text):
    print(json.dumps({"step": step, "text": text}), flush=True)


def call(method, signature, *arguments):
    answer = bus.call_sync(
        NAME, "/modules/kwalletd5", "org.kde.KWallet", method, GLib.Variant(signature, arguments), None,
        Gio.DBusCallFlags.NO_AUTO_START, 10_000, None)
    return answer.unpack()[0]


# As Plasma starts: kwalletd5, which pam_kwallet5 has started, waits for the session's environment.
if "PAM_KWALLET5_LOGIN" not in os.environ:
    say("locked", "no wallet daemon")
    sys.exit()
subprocess.Popen(["/usr/share/libpam-kwallet-common/pam_kwallet_init"], stdout=subprocess.DEVNULL)
subprocess.run(["gdbus", "wait", "--session", "--timeout", "10", NAME], check=True)
bus = Gio.bus_get_sync(Gio.BusType.SESSION)

is_open = call("isOpen", "(s)", WALLET)
say("locked", "b false" if is_open else "b true")
if not is_open:
    # To open it would ask.
    sys.exit()
if sys.argv[1:] == ["store"]:
    handle = call("open", "(sxs)", WALLET, 0, PROGRAM)
    call("createFolder", "(iss)", handle, FOLDER, PROGRAM)
    call("writePassword", "(issss)", handle, FOLDER, ENTRY, "a stored secret", PROGRAM)
    bus.call_sync(
        NAME, "/modules/kwalletd5", "org.kde.KWallet", "sync", GLib.Variant("(is)", (handle, PROGRAM)), None,
        Gio.DBusCallFlags.NO_AUTO_START, 10_000, None)
query = subprocess.run(
    ["kwallet-query", "-f", FOLDER, "-r", ENTRY, WALLET], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=10)
say("secret", query.stdout.decode().strip())
say("lookup", str(query.returncode))
