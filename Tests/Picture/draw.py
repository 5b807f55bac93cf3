#!/usr/bin/python3
"""draw.py RELEASE FILE: draws README's picture, FILE (SVG), of a real terminal: Debian's sudo, the signetd that was built and libfprint's
virtual reader, in a machine of the tests' own (world.sh). As root; `make picture` calls it."""
import contextlib
import html
import os
import re
import socket
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKOUT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, f"{CHECKOUT}/Tests/Desktops")
from desk import wait

COLUMNS, LINES = 80, 40
USER, PASSCODE = "maria", "right horse"
SETTLE = f"""useradd --create-home --shell /bin/bash {USER} && echo '{USER}:{PASSCODE}' | chpasswd &&
echo '{USER} ALL=(ALL:ALL) ALL' >> /etc/sudoers.d/signet && rm -f /etc/bash.bashrc /home/{USER}/.bashrc"""


class Desk:
    """A machine inside this one, a person at a terminal of it, and a finger."""

    def __init__(self, release, stack):
        self.folder = stack.enter_context(tempfile.TemporaryDirectory())
        self.tmux = ["tmux", "-L", f"signet-picture-{os.getpid()}", "-f", "/dev/null"]
        for name in ("world", "reader"):
            os.mkdir(f"{self.folder}/{name}")
        # signet-reader's user makes a socket below it.
        os.chmod(self.folder, 0o755)
        world = ["unshare", "-m", "--propagation", "private", "sh", f"{CHECKOUT}/Tests/LoginTests/SudoAndLogin/world.sh",
                 f"{self.folder}/world", f"{release}/libpam_signet.so", f"{release}/signet", CHECKOUT, f"{self.folder}/reader"]
        self.holder = stack.enter_context(subprocess.Popen(world, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        stack.callback(self.holder.stdin.close)
        while self.holder.stdout.readline().strip() != "ready":
            if self.holder.poll() is not None:
                raise SystemExit("draw.py: the machine was not made")
        self.does(SETTLE)
        self.signetd = stack.enter_context(subprocess.Popen(self.inside(f"{release}/signetd"), stderr=subprocess.DEVNULL))
        stack.callback(self.signetd.terminate)
        shell = self.inside("setpriv", "--reuid", USER, "--regid", USER, "--init-groups", "env", "-i", "-C", f"/home/{USER}",
                            "PATH=/usr/local/bin:/usr/bin:/bin", "TERM=tmux-256color", "LANG=C.UTF-8", f"HOME=/home/{USER}", "PS1=$ ",
                            "bash", "--norc")
        subprocess.run([*self.tmux, "new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES), *shell], check=True)
        stack.callback(lambda: subprocess.run([*self.tmux, "kill-server"], check=False))
        wait("signetd", lambda: os.path.exists(f"/proc/{self.holder.pid}/root/run/signet/socket"))

    def inside(self, *words):
        return ["nsenter", "-t", str(self.holder.pid), "-m", "--", *words]

    def does(self, command):
        subprocess.run(self.inside("sh", "-c", command), check=True)

    def screen(self, *options):
        return subprocess.run([*self.tmux, "capture-pane", "-p", *options], check=True, capture_output=True, text=True).stdout

    def sees(self, pattern):
        """Waits until it stands behind the last command."""
        wait(pattern, lambda: re.search(pattern, self.screen().rstrip().rpartition("\n$ ")[2]))

    def types(self, text):
        subprocess.run([*self.tmux, "send-keys", "-l", text], check=True)
        subprocess.run([*self.tmux, "send-keys", "Enter"], check=True)

    def presses(self, key):
        subprocess.run([*self.tmux, "send-keys", key], check=True)

    def touches(self, finger):
        with socket.socket(socket.AF_UNIX) as reader:
            reader.connect(f"{self.folder}/reader/reader")
            reader.sendall(f"SCAN {finger}".encode())
            reader.shutdown(socket.SHUT_WR)
            reader.recv(1)

    def enrolls(self):
        self.types("signet enroll right-index-finger")
        self.sees("Passcode:$")
        self.types(PASSCODE)
        self.sees("Swipe your finger")
        for number in range(1, 6):
            self.touches("right")
            self.sees(f"{number} of 5" if number < 5 else r"Enrolled .*\n\$$")

    def asks_sudo(self, *fingers, passcode=None):
        """One sudo: fingers in their order, each with what is seen of it; then the passcode, or Ctrl-C where there is a question left."""
        self.types("sudo id -un")
        self.sees(":$")
        for finger, seen in fingers:
            self.touches(finger)
            self.sees(seen)
        if passcode:
            self.types(passcode)
        elif self.screen().rstrip().endswith(":"):
            self.presses("C-c")
        self.sees(r".\n\$$")


def story(desk):
    desk.sees(r"\$$")
    desk.enrolls()
    desk.asks_sudo(("right", "root"))
    desk.asks_sudo(("left", "2 attempts left"), ("left", "1 attempt left"), ("left", "No fingerprint attempts left"))
    desk.asks_sudo(("left", "1 attempt left"), ("left", "are locked"))
    desk.asks_sudo(passcode=PASSCODE)
    # Which terminal it was is the machine's.
    return re.sub(r"/dev/pts/\d+", "/dev/pts/0", desk.screen().rstrip()).splitlines()


def drawn(lines):
    """The lines as SVG, commands brighter than what is answered."""
    width, height, step = 9 * COLUMNS + 32, 20 * len(lines) + 32, 20
    texts = [f'<text x="16" y="{step * number + 32}" fill="{"#ffffff" if line.startswith("$") else "#c8ccd4"}">{html.escape(line)}</text>'
             for number, line in enumerate(lines)]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        "<title>signet enroll, sudo by finger, five misses, sudo by passcode</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#1e2127"/>',
        '<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, monospace" font-size="15" xml:space="preserve">', *texts, "</g>", "</svg>", ""])


def main():
    release, path = os.path.abspath(sys.argv[1]), sys.argv[2]
    with contextlib.ExitStack() as stack:
        lines = story(Desk(release, stack))
    with open(path, "w", encoding="utf-8") as file:
        file.write(drawn(lines))


if __name__ == "__main__":
    main()
