"""cancel_when_armed.py MARK COMMAND...: signet-reader for signetd, with a hand on the cancel button.

A recording goes on by itself: its finger may be there before a cancel that has to come from a client, by signetd. So this sends
the cancel in the moment in which the reader says that it is armed. signetd hears what comes of it after it has sent its own. Where the
recorded finger was faster all the same, the file MARK is made."""
import select
import socket
import subprocess
import sys

# Numbers of SignetWire's ReaderEvent.Kind and ReaderCommand.Kind.
ARMED, CANCEL, FAILED, FINGER = 4, 6, 12, 13
LONGEST = 1 << 19

above = socket.socket(fileno=0)
below, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
reader = subprocess.Popen(sys.argv[2:], stdin=theirs)
theirs.close()
held, has_failed = None, False
while True:
    ready = select.select([above, below], [], [])[0]
    if below in ready:
        packet = below.recv(LONGEST)
        if not packet:
            break
        if packet[1] == FINGER and not has_failed:
            open(sys.argv[1], "w").close()
        has_failed = has_failed or packet[1] == FAILED
        if held is not None:
            held.append(packet)
            continue
        above.send(packet)
        if packet[1] == ARMED:
            below.send(bytes([packet[0], CANCEL]) + packet[2:6])
            held = []
    if above in ready:
        packet = above.recv(LONGEST)
        if not packet:
            break
        if packet[1] != CANCEL:
            below.send(packet)
        elif held is not None:
            for event in held:
                above.send(event)
            held = None
below.close()
reader.wait()
