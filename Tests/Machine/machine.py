"""A guest under QEMU without KVM: started, asked, and cut off. `guest/` says what is in it, terminal.py how one types at it."""
import json
import os
import shutil
import socket
import subprocess
import time

from terminal import Console, Failure, SerialTerminal

# Where the initrd is loaded: with a TPM beside it, QEMU's own place for it overwrites the ACPI tables.
INITRD_AT = 0x30000000

# All that QEMU can emulate but what costs it most and shows nothing here: a fifth level of page tables, checks at each access of the
# kernel to a program's memory, and the wide registers that the C library would otherwise copy with.
EMULATED = "max,-la57,-smap,-smep,-pcid,-avx,-avx2"

# Each of the kernel's notices is written to the console, which the host keeps whatever becomes of the guest.
NOTICES = "loglevel=6 sysctl.kernel.printk_ratelimit=0"


class Gone(Failure):
    """The guest ended."""


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


def _says(lines, words):
    lines.write(json.dumps(words) + "\n")
    lines.flush()
    while True:
        answer = json.loads(lines.readline())
        if "error" in answer:
            raise Failure(f"{words}: {answer['error']}")
        if "return" in answer:
            return answer["return"]


class Machine:
    """One guest. `folder` has what it leaves: logs, its sockets and its disk."""

    def __init__(self, image, folder, share, processors, kernel=""):
        self.image, self.folder, self.share, self.processors, self.kernel = image, folder, share, processors, kernel
        self.process = self.port = self.tpm = None
        self.asked = 0
        self.terminals = {}
        # What `-drive` takes for a second disk, /dev/vdb.
        self.second_disk = None
        self.has_screen = False
        os.makedirs(folder, exist_ok=True)
        self.disk = os.path.join(folder, "disk.qcow2")
        # The console goes on in the file of the guest before.
        self.told = os.path.getsize(self.path("console.log")) if os.path.exists(self.path("console.log")) else 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def new_disk(self, base=None):
        """A disk that begins as the image, or as another disk, and keeps what is changed to itself."""
        base = base or os.path.join(self.image, "root.img")
        kind = "qcow2" if base.endswith(".qcow2") else "raw"
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", kind, "-b", os.path.abspath(base), self.disk], check=True)

    @property
    def installed(self):
        """The disk on which Signet is installed, which the first guest leaves for those after it."""
        return os.path.join(os.path.dirname(self.folder), "installed.qcow2")

    def leave_disk(self):
        """Keeps the disk of a machine that is off for others to begin with."""
        shutil.copy(self.disk, self.installed)

    def boot(self, within=240, kernel=""):
        """Starts the machine; back when its agent answers. Returns the seconds from power to that. `kernel` is more of its command line."""
        self._start(self._words(f"{self.kernel} {kernel}"))
        self._receive(within)
        return time.monotonic() - self.began

    def save(self, path):
        """Writes down what the machine's memory has, and cuts it off. No file system of the host may be mounted in it."""
        # A guest that is not stopped before goes on by itself when it is resumed.
        self.monitors("migrate", uri=f"exec:cat > {path}")
        until = time.monotonic() + 120
        while (state := self.monitors("query-migrate").get("status")) != "completed":
            if state == "failed" or time.monotonic() > until:
                raise Failure("the guest's memory was not saved: " + open(self.path("qemu.log")).read())
            time.sleep(0.1)
        self.cut()

    def monitors(self, command, **arguments):
        """Says something to QEMU's monitor (QMP), and returns its answer."""
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.connect(self.path("monitor"))
            lines = monitor.makefile("rw")
            _says(lines, {"execute": "qmp_capabilities"})
            return _says(lines, {"execute": command, "arguments": arguments})

    def resume(self, path):
        """Goes on where `save` stopped, with the disk as it was then; back when the agent answers."""
        self._start([*self._words(""), "-incoming", f"exec:cat {path}"])
        self.does("true", within=60)

    def _start(self, words):
        for name in ("agent", "terminal1", "terminal2", "monitor"):
            if os.path.exists(self.path(name)):
                os.unlink(self.path(name))
        self.terminals = {}
        self.began = time.monotonic()
        if self.tpm:
            self.tpm.start()
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=open(self.path("qemu.log"), "w"), start_new_session=True)
        self.port = self._connect(self.path("agent"))
        self.pending = b""

    def _words(self, kernel):
        initrd = os.path.join(self.image, "initrd")
        words = [
            "qemu-system-x86_64", "-name", "signet", "-nodefaults", "-display", "none", "-no-reboot", "-machine", "q35",
            "-accel", "tcg,thread=multi", "-cpu", EMULATED, "-smp", str(self.processors), "-m", "2G",
            "-kernel", os.path.join(self.image, "vmlinux"),
            "-device", f"loader,file={initrd},addr={INITRD_AT:#x},force-raw=on",
            # The kernel must keep the initrd: pages that it did not give out itself confuse it when it frees them.
            "-append", f"initrdmem={INITRD_AT:#x},{os.path.getsize(initrd)} retain_initrd console=ttyS0 panic=-1 nokaslr mitigations=off quiet {NOTICES} 8250.nr_uarts=4 {kernel}",
            "-drive", f"file={self.disk},format=qcow2,if=virtio,cache=writeback",
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
        if self.has_screen:
            words += ["-device", "virtio-vga"]
        if self.second_disk:
            words += ["-drive", f"{self.second_disk},if=virtio,cache=writeback"]
        if self.tpm:
            words += ["-chardev", f"socket,id=tpm,path={self.tpm.socket}", "-tpmdev", "emulator,id=tpm,chardev=tpm",
                      "-device", "tpm-tis,tpmdev=tpm"]
        return words

    def denials(self):
        """What AppArmor or SELinux has denied a program of Signet's, at any start of this guest."""
        with open(self.path("console.log"), "rb") as console:
            console.seek(self.told)
            return [line.decode(errors="replace") for line in console
                    if (b'apparmor="DENIED"' in line or b"avc:  denied" in line) and b"signet" in line]

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
        self._send({"id": self.asked, **request})
        message = self._answer(60)
        if "problem" in message:
            raise Failure(f"{request}: {message['problem']}")
        return message

    def asks(self, command, within=60):
        """Has root's shell in the guest run a command."""
        self.asked += 1
        self._send({"id": self.asked, "command": command, "seconds": within})
        return Answer(command, self._answer(within + 60))

    def does(self, command, within=60):
        """The same, where it has to succeed; returns the output."""
        answer = self.asks(command, within)
        if not answer.succeeded:
            raise Failure(str(answer))
        return answer.output

    def is_off(self, within=90):
        try:
            self.process.wait(within)
        except subprocess.TimeoutExpired as late:
            self.cut()
            raise Failure(f"the guest did not switch itself off within {within} s") from late
        self._let_go()

    def shut_down(self):
        try:
            self.asks("systemctl poweroff --no-block")
        except Gone:
            # It was off before it had answered.
            pass
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

    def _gone(self):
        return Gone("the guest is gone: " + open(self.path("qemu.log")).read())

    def _send(self, message):
        try:
            self.port.sendall(json.dumps(message).encode() + b"\n")
        except OSError as problem:
            raise self._gone() from problem

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
            except OSError as problem:
                raise self._gone() from problem
            if not read:
                raise self._gone()
            self.pending += read
        line, self.pending = self.pending.split(b"\n", 1)
        return json.loads(line)
