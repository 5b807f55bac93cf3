#!/usr/bin/python3
"""The hand of `signet selftest --hand`, at emulated readers: a gesture a line comes in, `ok` or `cannot: reason` goes out. HAND_READERS has
the sockets of the reader and of a second one, HAND_FINGERS what they are touched with (own and other), HAND_PASSCODE the passcode of
the user, which is made up for the tests."""
import os
import socket
import sys

first, second = os.environ["HAND_READERS"].split()
own, other = os.environ["HAND_FINGERS"].split()


def tells(path, *words):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall((" ".join(words) + "\n").encode())
        return connection.makefile().readline().strip()


def answer(line):
    command, *rest = line.split()
    if command == "passcode?":
        return "ok"
    if command == "passcode":
        return os.environ["HAND_PASSCODE"]
    if command == "touch":
        what = {"other": ("touch", other), "poorly": ("poorly", own)}.get(rest[0], ("touch", own))
        return tells(first, *what)
    if command in ("add", "remove"):
        return tells(second, "plug" if command == "add" else "unplug")
    return tells(first, command, *rest)


for line in sys.stdin:
    said = answer(line)
    print("ok" if said.startswith("ok") else said, flush=True)
