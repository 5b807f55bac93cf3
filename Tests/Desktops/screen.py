"""Screens and their keys: an X server without a screen, or a compositor without one."""
from desk import USER, wait

# Qt and GTK draw by themselves.
SOFTWARE = {"QT_QUICK_BACKEND": "software", "LIBGL_ALWAYS_SOFTWARE": "1"}


class Display:
    """Display :0 of a desk."""

    def __init__(self, desk, authority=None):
        self.desk, self.authority = desk, authority

    environment = {"DISPLAY": ":0", **SOFTWARE}

    def starts(self):
        # Whoever connects while it resets, because nobody else is connected, is refused.
        self.desk.starts(["Xvfb", ":0", "-ac", "-noreset", "-screen", "0", "800x600x24"])
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
