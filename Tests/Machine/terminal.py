"""Terminals of the guest: a serial line, and the consoles of its seat. Patterns are regular expressions."""
import re
import socket
import time

import pexpect
import pexpect.fdpexpect

PASSCODE_PROMPT = r"(?i)(?<!enter your )(passcode|password)[^\n]*: $"
SHELL_PROMPT = "@@$ "
# The shell waits for the next command.
DONE = r"@@\$ $"


class Failure(Exception):
    """What was expected of the guest did not happen."""


class Terminal:
    """What a person does at a getty and a shell. A subclass knows how to type and to see."""

    commands = 0
    # What stands before the output of the command that is under way; None where there is none.
    mark = None

    def names(self, user):
        """Gives the getty a name."""
        self.mark = None
        self.types("\r")
        self.sees("login: $")
        self.types(user + "\r")

    def logs_in(self, user, passcode, prompt=PASSCODE_PROMPT):
        """Logs in with a passcode; returns what was seen and the seconds from the name to its prompt."""
        self.names(user)
        began = time.monotonic()
        text = self.sees(prompt)[1]
        waited = time.monotonic() - began
        self.answers(passcode)
        return text + self.has_shell(), waited

    def answers(self, text, hidden=True):
        """Types an answer to a prompt, a moment after it: who asks throws away what was typed before it began to read."""
        if hidden:
            self.awaits_no_echo()
        time.sleep(0.2)
        self.types(text + "\r")

    def awaits_no_echo(self):
        """Waits until what is typed is not shown."""

    def interrupts(self):
        """Ctrl-C, until the shell waits for the next command: sudo's own prompt loses one that comes before sudo begins to read."""
        for within in (10, 10, 60):
            self.types("\x03")
            try:
                return self.sees(DONE, within=within)
            except Failure as problem:
                missing = problem
        raise missing

    def has_shell(self, within=60):
        """Waits for the shell of whoever logged in, and makes it quiet."""
        self.mark = None
        text = self.sees(r"[$#] $", within=within)[1]
        self.types(f"stty -echo; PS1='{SHELL_PROMPT}'; bind 'set enable-bracketed-paste off' 2>/dev/null; clear; echo rea''dy\r")
        self.sees(r"ready\r?\n(.*\n)?@@\$ $")
        return text

    def runs(self, command, within=60):
        """Runs a command that asks nothing; returns its status and output."""
        self.begins(command)
        return self.ends(within)

    def begins(self, command):
        """Gives the shell a command; `ends` waits for its end."""
        self.commands += 1
        self.mark = f"[{self.commands}]\n"
        self.types(f'clear; echo "["{self.commands}"]"; {command}; echo "<<{self.commands}:$?>>"\r')

    def ends(self, within=60):
        text = self.sees(rf"<<{self.commands}:\d+>>\r?\n@@\$ $", within=within)[1]
        output, _, status = text.rpartition(f"<<{self.commands}:")
        return int(status[: status.index(">>")]), output

    def logs_out(self):
        self.mark = None
        self.types("exit\r")
        try:
            self.sees("login: $", within=10)
        except Failure:
            # A program that gives the terminal back may throw away what was typed meanwhile.
            self.types("exit\r")
            self.sees("login: $")


class SerialTerminal(Terminal):
    """A serial line: a terminal of the machine's, but none at its seat."""

    def __init__(self, path, log):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.screen = pexpect.fdpexpect.fdspawn(self.socket.fileno(), timeout=60, encoding="utf-8", codec_errors="replace")
        self.screen.logfile_read = open(log, "a", encoding="utf-8")

    def types(self, text):
        self.screen.send(text)

    def sees(self, *patterns, within=60):
        """Waits for one of the patterns (regular expressions) and returns its place among them and all text up to its end."""
        try:
            place = self.screen.expect(list(patterns), timeout=within)
        except (pexpect.TIMEOUT, pexpect.EOF) as missing:
            seen = (self.screen.before or "").replace("\r", "")
            raise Failure(f"waited {within} s for {' or '.join(map(repr, patterns))} and saw:\n{seen[-2000:]}") from missing
        return place, (self.screen.before + self.screen.after).replace("\r", "")

    def close(self):
        self.socket.close()


class Console(Terminal):
    """A virtual console, at the machine's seat. What is seen is its screen, up to the cursor."""

    def __init__(self, machine, number):
        self.machine, self.number = machine, number
        # logind would start it, but not on a console that somebody has open at this moment, as the agent may.
        machine.does(f"systemctl start getty@tty{number}")
        self.show()

    def show(self):
        """Switches the seat to it."""
        self.machine.tells(shown=self.number)

    def awaits_no_echo(self):
        self.machine.does(f"for n in $(seq 100); do stty -a < /dev/tty{self.number} | grep -q -e ' -echo ' -e '^-echo ' && exit 0; "
                          "sleep 0.1; done; exit 1")

    def types(self, text):
        self.machine.tells(keys=text, console=self.number)

    def sees(self, *patterns, within=60):
        until = time.monotonic() + within
        while True:
            text = self.machine.tells(screen=self.number)["output"]
            if self.mark:
                # Until the screen is cleared it shows the command before.
                text = text.partition(self.mark)[2]
            for place, pattern in enumerate(patterns):
                if re.search(pattern, text):
                    return place, text
            if time.monotonic() > until:
                raise Failure(f"waited {within} s for {' or '.join(map(repr, patterns))} and saw:\n{text}")
            time.sleep(0.05)

    def close(self):
        pass
