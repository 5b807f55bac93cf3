"""Debian's Chromium and Firefox on a display that nobody sees, driven as WebDriver's commands say, without a virtual authenticator."""
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

PORT = 9515


class Display:
    """An X server without a screen, and what gives windows the focus."""

    def __init__(self):
        read, write = os.pipe()
        subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp"], pass_fds=[write])
        os.close(write)
        os.environ["DISPLAY"] = ":" + os.read(read, 16).decode().strip()
        subprocess.Popen(["openbox"])

    def presses(self, *keys):
        subprocess.run(["xdotool", "key", *keys], check=True)

    def keeps(self, path):
        """A picture of all that is on it."""
        subprocess.run(["scrot", "-o", path], check=True)


class Chromium:
    """Through chromedriver, which speaks WebDriver over HTTP."""

    def __init__(self, folder):
        subprocess.Popen(["chromedriver", f"--port={PORT}", f"--log-path={folder}/chromedriver.log"])
        self.session = ""
        connected(PORT).close()
        options = {"args": ["--no-first-run", f"--user-data-dir={folder}/chromium", "--password-store=basic", "--disable-gpu"]}
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


class Firefox:
    """Through its Marionette: a connection of JSON with its length before it, and WebDriver's commands by their names."""

    def __init__(self, folder):
        profile = folder + "/firefox"
        subprocess.Popen(["firefox-esr", "--marionette", "--profile", profile])
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
        found = self.asks("WebDriver:FindElement", {"using": "css selector", "value": "#" + name})["value"]
        self.asks("WebDriver:ElementClick", {"id": next(iter(found.values()))})

    def runs(self, script):
        return self.asks("WebDriver:ExecuteScript", {"script": script, "args": []})["value"]


def connected(port, within=240):
    """A connection to a program that is starting."""
    until = time.monotonic() + within
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
