"""A USB device in user space behind the real kernel's USB stack. The kernel's vhci-hcd takes a connected socket and speaks USB/IP over it
(Linux's Documentation/usb/usbip_protocol.rst); here the other end of that socket is in the same process, and no network is needed."""
import errno
import os
import socket
import struct
import subprocess
import threading

VHCI = "/sys/devices/platform/vhci_hcd.0"
FULL_SPEED, HIGH_SPEED = 2, 3
PORT_IS_FREE = 4
SUBMIT, UNLINK, SUBMITTED, UNLINKED = 1, 2, 3, 4
BULK, INTERRUPT = 2, 3


class Stall(Exception):
    """The device refuses a transfer."""


class USBDevice:
    """A subclass says what it is (VENDOR, PRODUCT, ENDPOINTS as tuples of address, type and packet size, or whole DESCRIPTORS), what it
    does with what it is sent (`takes`), and what it has to say (`says`; None is not yet)."""

    VENDOR = PRODUCT = 0
    SPEED = HIGH_SPEED
    STRINGS = {1: "Signet", 2: "Emulated reader", 3: "0001"}
    ENDPOINTS = []
    DESCRIPTORS = None

    def __init__(self):
        self.lock = threading.RLock()
        self.link = self.port = None
        self.waiting = []  # reads to which there is no answer yet: (number, endpoint, length)
        self.bytes_left = None  # how much is still said before the device falls silent; None for all
        self.held = {}  # what it would have said since, by endpoint
        self.said = []  # its answers to what it was sent last that nobody fetched yet

    def takes(self, endpoint, data):
        pass

    def says(self, endpoint, length):
        return self.said.pop(0) if self.said else None

    def freeze(self, after):
        with self.lock:
            self.bytes_left = after

    def thaw(self):
        """Goes on as firmware does whose watchdog has noticed: from its beginning."""
        with self.lock:
            self.bytes_left = None
            self.begins_anew()

    def begins_anew(self):
        """As after a loss of power: a subclass is not touched any more, either."""
        self.forgets()

    def forgets(self):
        """Forgets what was to be said and done; a subclass what it knows of besides."""
        self.held, self.said = {}, []

    # The cable

    @property
    def is_plugged(self):
        return self.link is not None

    def plug(self):
        if self.is_plugged:
            return
        self.begins_anew()
        # Not while the machine starts, which has no reader yet: its sixteen buses take seconds.
        subprocess.run(["modprobe", "vhci-hcd"], check=True)
        with open(VHCI + "/status") as status:
            fields = [line.split() for line in status.read().splitlines()[1:]]
        self.port = next(int(field[1]) for field in fields if field[0] == "hs" and int(field[2]) == PORT_IS_FREE)
        ours, kernels = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with self.lock:
            self.link, self.waiting, self.held = ours, [], {}
        with open(VHCI + "/attach", "w") as attach:
            attach.write(f"{self.port} {kernels.fileno()} {1 << 16 | self.port + 1} {self.SPEED}")
        kernels.close()
        threading.Thread(target=self._serve, args=(ours,), daemon=True).start()

    def unplug(self):
        try:
            with open(VHCI + "/detach", "w") as detach:
                detach.write(str(self.port))
        except OSError:
            pass  # the kernel has noticed already
        link, self.link = self.link, None
        if link:
            link.close()

    def node(self):
        """The device's node, once the kernel has configured it."""
        place = f"/sys/bus/usb/devices/1-{self.port + 1}/"
        try:
            if open(place + "bConfigurationValue").read().strip() != "1":
                return None
            path = "/dev/bus/usb/%03d/%03d" % tuple(int(open(place + name).read()) for name in ("busnum", "devnum"))
            return path if os.path.exists(path) else None
        except OSError:
            return None

    # Descriptors

    def _device_descriptor(self):
        if self.DESCRIPTORS:
            return self.DESCRIPTORS[:18]
        return struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x200, 0, 0, 0, 64, self.VENDOR, self.PRODUCT, 0x100, 1, 2, 3, 1)

    def _configuration(self):
        if self.DESCRIPTORS:
            return self.DESCRIPTORS[18:]
        rest = struct.pack("<BBBBBBBBB", 9, 4, 0, 0, len(self.ENDPOINTS), 255, 0, 0, 0)
        for address, kind, size in self.ENDPOINTS:
            rest += struct.pack("<BBBBHB", 7, 5, address, kind, size, 0)
        return struct.pack("<BBHBBBBB", 9, 2, 9 + len(rest), 1, 1, 0, 0xA0, 50) + rest

    def _control(self, kind, request, value, length):
        if kind == 0x80 and request == 6:
            which, index = value >> 8, value & 255
            if which == 1:
                return self._device_descriptor()[:length]
            if which == 2:
                return self._configuration()[:length]
            if which == 3 and index == 0:
                return struct.pack("<BBH", 4, 3, 0x409)
            if which == 3 and index in self.STRINGS:
                text = self.STRINGS[index].encode("utf-16le")
                return (struct.pack("<BB", 2 + len(text), 3) + text)[:length]
        elif kind == 0x80 and request == 0:
            return b"\0\0"[:length]
        elif kind == 0x80 and request == 8:
            return b"\1"
        elif kind in (0, 1, 2) and request in (1, 3, 9, 11):
            if request == 9:
                # A reset itself is not told of. Whoever had the device before may have left without reading all answers.
                self.forgets()
            return b""
        raise Stall

    # Transfers

    def _serve(self, link):
        try:
            while True:
                header = self._read(link, 48)
                command, number, _, inward, endpoint = struct.unpack(">IIIII", header[:20])
                if command == SUBMIT:
                    length = struct.unpack(">i", header[24:28])[0]
                    data = self._read(link, length) if not inward and length > 0 else b""
                    with self.lock:
                        self._submit(number, inward, endpoint, length, header[40:48], data)
                elif command == UNLINK:
                    victim = struct.unpack(">I", header[20:24])[0]
                    with self.lock:
                        before = len(self.waiting)
                        self.waiting = [read for read in self.waiting if read[0] != victim]
                        status = -errno.ECONNRESET if len(self.waiting) < before else 0
                        link.sendall(struct.pack(">IIIIIi24x", UNLINKED, number, 0, 0, 0, status))
        except (EOFError, OSError):
            if self.link is link:
                self.link = None

    def _read(self, link, count):
        data = b""
        while len(data) < count:
            part = link.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def _submit(self, number, inward, endpoint, length, setup, data):
        try:
            if endpoint == 0:
                kind, request, value, _, wanted = struct.unpack("<BBHHH", setup)
                answer = self._control(kind, request, value, wanted)
                self._return(number, 0, answer if inward else b"", len(answer) if inward else len(data))
            elif inward:
                self.waiting.append((number, endpoint, length))
                self.answer_reads()
            else:
                # Answers that nobody fetched make way: libfprint's driver may have gone or given up, and begins without a reset.
                self.said = []
                self.takes(endpoint, data)
                self._return(number, 0, b"", len(data))
                self.answer_reads()
        except Stall:
            self._return(number, -errno.EPIPE, b"", 0)

    def answer_reads(self):
        """Answers the reads to which there is an answer now, in their order at each endpoint."""
        with self.lock:
            silent = set()
            while True:
                read = next((read for read in self.waiting if read[1] not in silent), None)
                if not read:
                    return
                number, endpoint, length = read
                try:
                    data = self._next(endpoint, length)
                except Stall:
                    self.waiting.remove(read)
                    self._return(number, -errno.EPIPE, b"", 0)
                    continue
                if data is None:
                    silent.add(endpoint)
                    continue
                self.waiting.remove(read)
                self._return(number, 0, data[:length], len(data[:length]))

    def _next(self, endpoint, length):
        data = self.held.pop(endpoint, None) or self.says(endpoint, length)
        if data is None or self.bytes_left is None:
            return data
        if len(data) > self.bytes_left:
            self.bytes_left = 0
            self.held[endpoint] = data
            return None
        self.bytes_left -= len(data)
        return data

    def _return(self, number, status, data, length):
        try:
            self.link.sendall(struct.pack(">IIIIIiiiii8x", SUBMITTED, number, 0, 0, 0, status, length, 0, 0, 0) + data)
        except (OSError, AttributeError):
            pass  # unplugged meanwhile
