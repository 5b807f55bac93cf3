#!/usr/bin/python3
"""reader.py serve KIND SOCKET, or reader.py SOCKET COMMAND...: an emulated reader (nb1010, synaptics, or one that lies) in a process of its own, and what is
done to it, a line each:

    plug | unplug       back when the kernel has made or removed its node
    poorly FINGER       one touch that shows too little
    touch FINGER [N]    N touches, each when the one before was scanned; FINGER is a print's file, or any name for a reader that compares
    lift                ends them
    freeze N | thaw     it falls silent when it has said N more bytes
    fill | empty        its own memory for prints, where it has one
    suspend | resume    what the system tells signetd before and after a sleep
    scans | touched     how many scans there were; whether a finger lies there
"""
import os
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


class Hand:
    """Puts fingers down, one after the other. What was asked for last holds."""

    def __init__(self, reader):
        self.reader, self.turn, self.lock = reader, 0, threading.Lock()

    def touches(self, finger, count):
        with self.lock:
            self.turn += 1
            before = self.reader.scans
            self.reader.touch(finger)
        if count > 1:
            threading.Thread(target=self._touches_again, args=(finger, count - 1, self.turn, before), daemon=True).start()

    def lifts(self):
        with self.lock:
            self.turn += 1
            self.reader.lift()

    def _touches_again(self, finger, count, turn, before):
        for _ in range(count):
            while turn == self.turn and self.reader.scans == before:
                time.sleep(0.02)
            time.sleep(0.3)
            with self.lock:
                if turn != self.turn:
                    return
                before = self.reader.scans
                self.reader.touch(finger)


def comes_true(condition, within=20):
    until = time.monotonic() + within
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def does(reader, hand, words):
    command, *rest = words
    if command == "plug":
        reader.plug()
        return "ok " + reader.node() if comes_true(reader.node) else "cannot: the kernel did not configure it"
    if command == "unplug":
        reader.unplug()
        return "ok" if comes_true(lambda: not reader.node()) else "cannot: its node is still there"
    if command == "touch":
        hand.touches(rest[0], int(rest[1]) if len(rest) > 1 else 1)
    elif command == "lift":
        hand.lifts()
    elif command == "freeze":
        reader.freeze(int(rest[0]))
    elif command == "thaw":
        reader.thaw()
    elif command in ("fill", "empty"):
        if not hasattr(reader, "capacity"):
            return "cannot: this reader stores nothing"
        reader.capacity = len(reader.stored) if command == "fill" else 10
        if command == "empty":
            # Who is told that the memory is full takes the finger away: the next login must not find it there.
            hand.lifts()
    elif command in ("suspend", "resume"):
        subprocess.run(["/usr/bin/signet", command], check=True)
    elif command == "poorly":
        if not hasattr(reader, "touches"):
            return "cannot: this reader does not tell how much it sees"
        reader.touch(rest[0], poorly=True)
    elif command == "scans":
        return f"ok {reader.scans}"
    elif command == "touched":
        return "ok yes" if reader.is_touched else "ok no"
    else:
        return "cannot: no such command"
    return "ok"


def serve(kind, path):
    if kind == "synaptics":
        from synaptics import Synaptics as Reader
    else:
        import nb1010
        Reader = {"nb1010": nb1010.NB1010, "babbler": nb1010.Babbler, "without-endpoints": nb1010.WithoutEndpoints,
                  "wrong-endpoints": nb1010.WrongEndpoints}[kind]
    reader = Reader()
    hand = Hand(reader)
    new = path + ".new"
    if os.path.exists(new):
        os.unlink(new)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(new)
    # A hand in `signet selftest` is its user's.
    os.chmod(new, 0o666)
    listener.listen(4)
    # Whoever waits for its name may connect from then on.
    os.rename(new, path)
    while True:
        connection, _ = listener.accept()
        with connection, connection.makefile("rw") as lines:
            for line in lines:
                try:
                    answer = does(reader, hand, line.split())
                except Exception as problem:  # whoever asked is told, and the reader stays
                    answer = f"cannot: {problem!r}"
                lines.write(answer + "\n")
                lines.flush()


def ask(path, words):
    if not comes_true(lambda: os.path.exists(path)):
        sys.exit(f"{path}: no reader")
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall((" ".join(words) + "\n").encode())
        answer = connection.makefile().readline().strip()
    print(answer)
    sys.exit(0 if answer.startswith("ok") else 1)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(*sys.argv[2:])
    else:
        ask(sys.argv[1], sys.argv[2:])
