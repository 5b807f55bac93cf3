"""A disk with a cache that a power cut empties: it speaks NBD (the protocol's proto.md) on a Unix socket, and what was written but not
flushed is lost when the other end is gone, or kept by luck, in any order, and torn."""
import os
import socket
import struct
import threading

GREETING, OPTION, OPTION_REPLY = b"NBDMAGIC", b"IHAVEOPT", 0x3E889045565A9
REQUEST, REPLY = 0x25609513, 0x67446698
FIXED_NEWSTYLE, HAS_FLAGS, SEND_FLUSH, SEND_FUA, FUA = 1, 1, 4, 8, 1
EXPORT_NAME, ABORT, INFO, GO = 1, 2, 6, 7
ACKNOWLEDGED, INFORMATION, UNSUPPORTED = 1, 3, 0x80000001
READ, WRITE, DISCONNECT, FLUSH = 0, 1, 2, 3
INVALID = 22
SECTOR = 512
# The start of the disk is never torn. ext4 has its superblock there, outside of its journal, and could not be mounted; a disk of today,
# with sectors of 4 KiB, writes it whole.
WHOLE = 4096


class VolatileDisk:
    """`luck` is how probably a write that was not flushed is on the disk all the same. `random` decides it."""

    def __init__(self, path, address, random, luck):
        self.file = os.open(path, os.O_RDWR)
        self.size = os.fstat(self.file).st_size
        self.random, self.luck = random, luck
        self.cache = []  # (offset, bytes), in their order
        self.flushes = self.lost = 0
        self.is_unplugged = threading.Event()
        self.is_unplugged.set()
        if os.path.exists(address):
            os.unlink(address)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(address)
        self.listener.listen(1)
        threading.Thread(target=self._serve, daemon=True).start()

    def drive(self):
        return f"file=nbd+unix:///?socket={self.listener.getsockname()},format=raw"

    def awaits_unplugged(self):
        if not self.is_unplugged.wait(20):
            raise RuntimeError("QEMU still has the disk")

    def close(self):
        self.listener.close()
        os.close(self.file)

    def _serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return  # closed
            self.is_unplugged.clear()
            with connection:
                try:
                    if self._agrees(connection):
                        self._transmits(connection)
                except (EOFError, OSError):
                    pass
            self._loses_power()
            self.is_unplugged.set()

    def _loses_power(self):
        for offset, data in self.cache:
            if self.random.random() >= self.luck:
                self.lost += 1
                continue
            if len(data) > SECTOR and offset >= WHOLE and self.random.random() < 0.3:
                data = data[: SECTOR * self.random.randrange(1, len(data) // SECTOR)]
            os.pwrite(self.file, data, offset)
        self.cache = []

    def _flush(self):
        for offset, data in self.cache:
            os.pwrite(self.file, data, offset)
        self.cache = []
        self.flushes += 1

    def _agrees(self, connection):
        connection.sendall(GREETING + OPTION + struct.pack(">H", FIXED_NEWSTYLE))
        _reads(connection, 4)
        about = struct.pack(">QH", self.size, HAS_FLAGS | SEND_FLUSH | SEND_FUA)
        while True:
            _, option, length = struct.unpack(">8sII", _reads(connection, 16))
            _reads(connection, length)

            def answers(kind, data=b""):
                connection.sendall(struct.pack(">QIII", OPTION_REPLY, option, kind, len(data)) + data)

            if option == EXPORT_NAME:
                connection.sendall(about + bytes(124))
                return True
            if option == ABORT:
                return False
            if option not in (INFO, GO):
                answers(UNSUPPORTED)
                continue
            answers(INFORMATION, struct.pack(">H", 0) + about)
            answers(ACKNOWLEDGED)
            if option == GO:
                return True

    def _transmits(self, connection):
        while True:
            _, flags, kind, handle, offset, length = struct.unpack(">IHHQQI", _reads(connection, 28))
            data, error = b"", 0
            if kind == READ:
                data = self._read(offset, length)
            elif kind == WRITE:
                self.cache.append((offset, _reads(connection, length)))
                if flags & FUA:
                    self._flush()
            elif kind == FLUSH:
                self._flush()
            elif kind == DISCONNECT:
                return
            else:
                error = INVALID
            connection.sendall(struct.pack(">IIQ", REPLY, error, handle) + data)

    def _read(self, offset, length):
        data = bytearray(os.pread(self.file, length, offset))
        for place, written in self.cache:
            begin, end = max(place, offset), min(place + len(written), offset + length)
            if begin < end:
                data[begin - offset: end - offset] = written[begin - place: end - place]
        return bytes(data)


def _reads(connection, count):
    data = bytearray()
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise EOFError
        data += part
    return bytes(data)
