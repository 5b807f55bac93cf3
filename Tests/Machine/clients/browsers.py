"""Debian's Chromium and Firefox on a display that nobody sees, driven as WebDriver's commands say, without a virtual authenticator."""
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import cairo

PORT = 9515


class Display:
    """An X server without a screen, and what gives windows the focus."""

    def __init__(self):
        read, write = os.pipe()
        subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp"], pass_fds=[write])
        os.close(write)
        os.environ["DISPLAY"] = ":" + os.read(read, 16).decode().strip()
        begins("openbox")

    def presses(self, *keys):
        subprocess.run(["xdotool", "key", *keys], check=True)

    def is_white(self, x, y, picture):
        subprocess.run(["scrot", "-o", "-a", f"{x},{y},1,1", picture], check=True)
        return bytes(cairo.ImageSurface.create_from_png(picture).get_data()[:3]) == b"\xff\xff\xff"


class Chromium:
    """Through chromedriver, which speaks WebDriver over HTTP."""

    def __init__(self, folder, authority):
        self.folder = folder
        trusts(os.path.expanduser("~/.pki/nssdb"), authority)
        begins("chromedriver", f"--port={PORT}", f"--log-path={folder}/chromedriver.log")
        self.session = ""
        connected(PORT).close()
        # What moves in its questions would keep an emulated processor busy.
        options = {"args": ["--no-first-run", f"--user-data-dir={folder}/chromium", "--password-store=basic", "--disable-gpu",
                            "--in-process-gpu", "--force-prefers-reduced-motion"]}
        made = self.asks("POST", "/session", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
        self.session = "/session/" + made["sessionId"]

    def asks(self, method, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{PORT}{self.session}{path}", method=method,
                                         data=None if body is None else json.dumps(body).encode())
        try:
            return json.load(urllib.request.urlopen(request))["value"]
        except urllib.error.HTTPError as problem:
            raise RuntimeError(problem.read().decode()) from problem

    def opens(self, address):
        self.asks("POST", "/url", {"url": address})

    def clicks(self, name):
        found = self.asks("POST", "/element", {"using": "css selector", "value": "#" + name})
        self.asks("POST", f"/element/{next(iter(found.values()))}/click", {})

    def runs(self, script):
        return self.asks("POST", "/execute/sync", {"script": script, "args": []})

    def awaits_choice(self, display):
        """Until it asks what only a person can say. That question reaches further down than the one for a touch, around which the page is grey."""
        awaits("a question", lambda: display.is_white(300, 405, self.folder + "/point.png"))


class Firefox:
    """Through its Marionette: a connection of JSON with its length before it, and WebDriver's commands by their names."""

    def __init__(self, folder, authority):
        profile = folder + "/firefox"
        trusts(profile, authority)
        begins("firefox-esr", "--marionette", "--profile", profile)
        self.connection, self.count, self.pending = connected(2828), 0, b""
        self.hears()
        self.asks("WebDriver:NewSession", {})

    def hears(self):
        while b":" not in self.pending or len(self.pending.partition(b":")[2]) < int(self.pending.partition(b":")[0]):
            read = self.connection.recv(65536)
            if not read:
                raise RuntimeError("Firefox has ended")
            self.pending += read
        length, _, rest = self.pending.partition(b":")
        self.pending = rest[int(length):]
        return json.loads(rest[:int(length)])

    def asks(self, name, parameters):
        self.count += 1
        message = json.dumps([0, self.count, name, parameters]).encode()
        self.connection.sendall(b"%d:%s" % (len(message), message))
        _, _, problem, value = self.hears()
        if problem:
            raise RuntimeError(str(problem))
        return value

    def opens(self, address):
        self.asks("WebDriver:Navigate", {"url": address})

    def clicks(self, name):
        # After WebDriver's own click Firefox refuses what the page asks for; after one by a script it does not.
        self.runs(f"document.getElementById('{name}').click()")

    def runs(self, script):
        return self.asks("WebDriver:ExecuteScript", {"script": script, "args": []})["value"]


def begins(*words):
    """What these programs say is no answer."""
    subprocess.Popen(words, stdout=sys.stderr)


def trusts(database, authority):
    """Has a browser's database of certificates know that of the sites."""
    os.makedirs(database, exist_ok=True)
    subprocess.run(["certutil", "-d", "sql:" + database, "-N", "--empty-password"], check=True)
    subprocess.run(["certutil", "-d", "sql:" + database, "-A", "-n", "tests", "-t", "C,,", "-i", authority], check=True)


def connected(port):
    """A connection to a program that is starting."""
    def connection():
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            return None
    return awaits(f"port {port}", connection)


def awaits(what, found, within=240):
    until = time.monotonic() + within
    while not (value := found()):
        if time.monotonic() > until:
            raise RuntimeError(f"waited {within} s for {what}")
        time.sleep(0.1)
    return value
