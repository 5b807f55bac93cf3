"""A guest under QEMU without KVM: started, asked, typed at, and cut off. `guest/` says what is in it."""
import json
import os
import re
import shutil
import socket
import subprocess
import time

import pexpect
import pexpect.fdpexpect

# Where the initrd is loaded: with a TPM beside it, QEMU's own place for it overwrites the ACPI tables.
INITRD_AT = 0x30000000
SHELL_PROMPT = "@@$ "


class Failure(Exception):
    """What was expected of the guest did not happen."""


class Answer:
    """What a command of root's in the guest came to."""

    def __init__(self, command, message):
        self.command, self.status = command, message["status"]
        self.output, self.seconds = message["output"], message["seconds"]

    @property
    def succeeded(self):
        return self.status == 0

    def __str__(self):
        return f"`{self.command}` ended with {self.status} after {self.seconds} s:\n{self.output.rstrip()}"


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

    def logs_in(self, user, passcode, prompt="(?i)pass(word|code).*: $"):
        """Logs in with a passcode; returns what was seen and the seconds from the name to its prompt."""
        self.names(user)
        began = time.monotonic()
        text = self.sees(prompt)[1]
        waited = time.monotonic() - began
        # login(1) throws away what was typed before it began to read.
        time.sleep(0.2)
        self.types(passcode + "\r")
        return text + self.has_shell(), waited

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
        self.show()

    def show(self):
        """Switches the seat to it."""
        self.machine.tells(shown=self.number)

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


class TPM:
    """A TPM 2.0 in software, beside the guest. Its state outlives the guest, until it is replaced."""

    def __init__(self, folder):
        self.folder = folder
        self.socket = os.path.join(folder, "control")
        self.process = None
        self.replace()

    def replace(self):
        """Another TPM takes its place, which knows nothing."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)

    def start(self):
        """It ends by itself with the guest."""
        self.process = subprocess.Popen(
            ["swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self.folder}", "--ctrl", f"type=unixio,path={self.socket}", "--terminate"],
            stdin=subprocess.DEVNULL, start_new_session=True)
        until = time.monotonic() + 20
        while not os.path.exists(self.socket):
            if self.process.poll() is not None or time.monotonic() > until:
                raise Failure("swtpm did not start")
            time.sleep(0.02)

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
            if os.path.exists(self.socket):
                os.unlink(self.socket)
        self.process = None


class Machine:
    """One guest. `folder` has what it leaves: logs, its sockets and its disk."""

    def __init__(self, image, folder, share, log, memory="2G", processors=1):
        self.image, self.folder, self.share, self.log = image, folder, share, log
        self.memory, self.processors = memory, processors
        self.process = self.port = self.disk_server = self.tpm = None
        self.asked = 0
        self.terminals = {}
        os.makedirs(folder, exist_ok=True)
        self.disk = os.path.join(folder, "disk.qcow2")

    def path(self, name):
        return os.path.join(self.folder, name)

    def new_disk(self, base=None):
        """A disk that begins as the image, or as another disk, and keeps what is changed to itself."""
        base = base or os.path.join(self.image, "root.img")
        kind = "qcow2" if base.endswith(".qcow2") else "raw"
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", kind, "-b", os.path.abspath(base), self.disk], check=True)

    def copy_disk(self, name):
        """Keeps the disk of a machine that is off, under a name, to be put back later."""
        shutil.copy(self.disk, self.path(name))

    def put_disk_back(self, name):
        shutil.copy(self.path(name), self.disk)

    def boot(self, drive=None, within=240):
        """Starts the machine; back when its agent answers. Returns the seconds from power to that."""
        for name in ("agent", "terminal1", "terminal2", "monitor"):
            if os.path.exists(self.path(name)):
                os.unlink(self.path(name))
        self.terminals = {}
        self.began = time.monotonic()
        drive = drive or f"file={self.disk},format=qcow2,if=virtio,cache=writeback"
        initrd = os.path.join(self.image, "initrd")
        words = [
            "qemu-system-x86_64", "-name", "signet", "-nodefaults", "-display", "none", "-no-reboot", "-machine", "q35",
            "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", str(self.processors), "-m", self.memory,
            "-kernel", os.path.join(self.image, "vmlinux"),
            "-device", f"loader,file={initrd},addr={INITRD_AT:#x},force-raw=on",
            # The kernel must keep the initrd: pages that it did not give out itself confuse it when it frees them.
            "-append", f"initrdmem={INITRD_AT:#x},{os.path.getsize(initrd)} retain_initrd console=ttyS0 panic=-1 nokaslr quiet 8250.nr_uarts=4",
            "-drive", drive,
            "-object", "rng-random,filename=/dev/urandom,id=random", "-device", "virtio-rng-pci,rng=random",
            "-fsdev", f"local,id=share,path={self.share},security_model=none,readonly=on,multidevs=remap",
            "-device", "virtio-9p-pci,fsdev=share,mount_tag=share",
            "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=agent,path={self.path('agent')},server=on,wait=off",
            "-device", "virtserialport,chardev=agent,name=agent",
            "-chardev", f"file,id=console,path={self.path('console.log')},append=on", "-serial", "chardev:console",
            "-chardev", f"socket,id=monitor,path={self.path('monitor')},server=on,wait=off", "-mon", "chardev=monitor,mode=control",
        ]
        for number in (1, 2):
            words += ["-chardev", f"socket,id=terminal{number},path={self.path(f'terminal{number}')},server=on,wait=off",
                      "-serial", f"chardev:terminal{number}"]
        if self.tpm:
            words += ["-chardev", f"socket,id=tpm,path={self.tpm.socket}", "-tpmdev", "emulator,id=tpm,chardev=tpm",
                      "-device", "tpm-tis,tpmdev=tpm"]
            self.tpm.start()
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=open(self.path("qemu.log"), "w"), start_new_session=True)
        self.port = self._connect(self.path("agent"))
        self.pending = b""
        self._receive(within)
        return time.monotonic() - self.began

    def serial(self, number):
        """A serial terminal, 1 or 2."""
        path = self.path(f"terminal{number}")
        if path not in self.terminals:
            self.terminals[path] = SerialTerminal(path, path + ".log")
        return self.terminals[path]

    def console(self, number):
        """A console of the seat, which is shown now."""
        if number not in self.terminals:
            self.terminals[number] = Console(self, number)
        self.terminals[number].show()
        return self.terminals[number]

    def tells(self, **request):
        """Has the agent do something that is no command."""
        self.asked += 1
        self.port.sendall(json.dumps({"id": self.asked, **request}).encode() + b"\n")
        message = self._answer(60)
        if "problem" in message:
            raise Failure(f"{request}: {message['problem']}")
        return message

    def asks(self, command, within=60):
        """Has root's shell in the guest run a command."""
        self.asked += 1
        self.port.sendall(json.dumps({"id": self.asked, "command": command, "seconds": within}).encode() + b"\n")
        return Answer(command, self._answer(within + 60))

    def does(self, command, within=60):
        """The same, where it has to succeed; returns the output."""
        answer = self.asks(command, within)
        if not answer.succeeded:
            raise Failure(str(answer))
        return answer.output

    def put_by(self, name, text):
        """Writes a file in the guest."""
        self.does(f"cat > {name} <<'END_OF_FILE'\n{text}\nEND_OF_FILE")

    def is_off(self, within=90):
        try:
            self.process.wait(within)
        except subprocess.TimeoutExpired as late:
            self.cut()
            raise Failure(f"the guest did not switch itself off within {within} s") from late
        self._let_go()

    def shut_down(self):
        self.asks("systemctl poweroff --no-block")
        self.is_off()

    def cut(self):
        """Pulls the plug."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._let_go()

    def _let_go(self):
        for terminal in self.terminals.values():
            terminal.close()
        self.terminals = {}
        if self.port:
            self.port.close()
        self.port = None
        if self.tpm:
            self.tpm.stop()

    def _connect(self, path):
        # QEMU makes its sockets before it starts the machine.
        until = time.monotonic() + 20
        while True:
            try:
                port = socket.socket(socket.AF_UNIX)
                port.connect(path)
                return port
            except OSError:
                if self.process.poll() is not None or time.monotonic() > until:
                    raise Failure("QEMU did not start: " + open(self.path("qemu.log")).read())
                time.sleep(0.02)

    def _answer(self, within):
        while True:
            message = self._receive(within)
            if message.get("id") == self.asked:
                return message

    def _receive(self, within):
        self.port.settimeout(within)
        while b"\n" not in self.pending:
            try:
                read = self.port.recv(65536)
            except socket.timeout as late:
                raise Failure(f"the guest's agent said nothing for {within} s") from late
            if not read:
                raise Failure("the guest is gone: " + open(self.path("qemu.log")).read())
            self.pending += read
        line, self.pending = self.pending.split(b"\n", 1)
        return json.loads(line)
