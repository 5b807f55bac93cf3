"""Screens and their keys: an X server without a screen, or a compositor without one."""
import struct
import time
import zlib

from desk import USER, wait

# Qt and GTK draw by themselves.
SOFTWARE = {"QT_QUICK_BACKEND": "software", "LIBGL_ALWAYS_SOFTWARE": "1"}


class Display:
    """Display :0 of a desk."""

    def __init__(self, desk, authority=None, size="800x600"):
        self.desk, self.authority, self.size = desk, authority, size

    environment = {"DISPLAY": ":0", **SOFTWARE}

    def starts(self):
        # Whoever connects while it resets, because nobody else is connected, is refused.
        self.desk.starts(["Xvfb", ":0", "-ac", "-noreset", "-fbdir", "/tmp", "-screen", "0", self.size + "x24"])
        self.awaits()

    def awaits(self):
        wait("an X server", lambda: self.tool("getmouselocation")[0])

    def tool(self, words):
        authority = f"XAUTHORITY=$(ls {self.authority}) " if self.authority else ""
        return self.desk.tries(f"DISPLAY=:0 {authority}timeout 10 xdotool {words}")

    def types(self, text, clear):
        """Key by key, and Enter; before it the keys that empty the field."""
        self.presses(f"key {clear}" + (f" type --delay 20 '{text}'" if text else ""))
        self.presses("key Return")

    def has_focus(self):
        """Whether a window takes the keys."""
        return self.tool("getwindowfocus getwindowname")[0]

    def presses(self, words):
        succeeds, said = self.tool(words)
        assert succeeds, said

    # What is on it

    def windows(self):
        """How many there are."""
        return len([line for line in self.tool("search --onlyvisible --maxdepth 1 .")[1].split() if line.isdigit()])

    def picture(self):
        with open(self.desk.root + "/tmp/Xvfb_screen0", "rb") as file:
            return file.read()

    def has_changed(self, before):
        return lambda: self.picture() != before

    def rests(self):
        """Waits until it changes no more, or for as long as something always moves."""
        before, end = None, time.monotonic() + 3
        while (now := self.picture()) != before and time.monotonic() < end:
            before = now
            time.sleep(0.4)
        return now

    def saves(self, path):
        """As PNG what the X server keeps as XWD: of each pixel blue, green, red and nothing."""
        data = self.picture()
        header = struct.unpack(">25I", data[:100])
        start, width, height, stride = header[0] + 12 * header[19], header[4], header[5], header[12]
        rows = bytearray()
        for top in range(start, start + height * stride, stride):
            row = data[top:top + 4 * width]
            pixels = bytearray(3 * width)
            pixels[0::3], pixels[1::3], pixels[2::3] = row[2::4], row[1::4], row[0::4]
            rows += b"\0" + pixels

        def chunk(kind, text):
            return struct.pack(">I", len(text)) + kind + text + struct.pack(">I", zlib.crc32(kind + text))
        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
            file.write(chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b""))


class Compositor:
    """sway, for one user."""

    def __init__(self, desk):
        self.desk = desk

    environment = {"WAYLAND_DISPLAY": "wayland-1"}

    def starts(self):
        self.desk.writes("/tmp/sway.conf", "output HEADLESS-1 resolution 800x600\n")
        headless = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
        self.desk.starts(["sway", "-c", "/tmp/sway.conf"], USER, headless)
        wait("a compositor", lambda: self.desk.exists(f"/run/user/{USER}/wayland-1"))

    def types(self, text, clear):
        modifier, key = clear.split("+")
        self.desk.does(f"wtype -d 20 -M {modifier} -k {key} -m {modifier} {text and repr(text)} -k Return", USER, self.environment)
