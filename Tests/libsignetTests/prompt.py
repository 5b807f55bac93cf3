#!/usr/bin/python3
"""Stands for signet-prompt: takes what is shown from descriptor 3, answers a question with the passcode in a file, and leaves the rest
to the caller. What it was started with and what was shown goes into a log. Its mode: obey, or what it does wrong."""
import os
import select
import signal
import socket
import sys

HEARTBEAT, SHOW, ASK, BUSY = 64, 65, 66, 84
folder, mode = os.environ["SIGNET_TEST_FOLDER"], os.environ.get("SIGNET_TEST_MODE", "obey")
log = open(f"{folder}/prompt.log", "a", buffering=1)
log.write(f"started {sys.argv[1:]} descriptors {sorted(int(n) for n in os.listdir('/proc/self/fd') if int(n) < 5)}\n")
if mode == "nobody":
    sys.exit(2)
connection = socket.socket(fileno=3)
while True:
    ready = select.poll()
    ready.register(3, select.POLLIN)
    ready.register(4, select.POLLIN)
    events = dict(ready.poll())
    if 4 in events:
        log.write("the caller left\n")
        sys.exit(0)
    packet = connection.recv(4096, socket.MSG_PEEK)
    kind = packet[1] if len(packet) > 1 else 0
    if kind not in (HEARTBEAT, SHOW, ASK, BUSY):
        sys.exit(0)
    connection.recv(4096)
    if kind == SHOW:
        log.write(f"show {packet[2]}\n")
        if mode == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if mode == "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
    if kind == ASK:
        log.write(f"ask {packet[2]}\n")
        if mode == "silent":
            continue
        passcode = open(f"{folder}/passcode", "rb").read()
        connection.send(bytes([1, 2]) + len(passcode).to_bytes(2, "little") + passcode)
