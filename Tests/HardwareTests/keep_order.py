"""keep_order.py [clear | list ...] [, list] [again] -- COMMAND...: signet-reader for signetd, on a recording.

A recording allows its own order of operations and nothing else. So that signetd's whole chain runs on it, this stands between
signetd and signet-reader and brings what signetd asks into that order: the reader is opened once and stays open.

clear, list: what the recording does after opening the reader, in this order: it clears the reader's memory, or lists its prints.
, list: it lists the prints before the first finger is looked at.
again: it holds one touch; for each further one it begins anew, with a new process."""
import select
import socket
import subprocess
import sys

# Numbers of SignetWire's ReaderEvent.Kind and ReaderCommand.Kind.
OPENED, IDLE, PRUNED, FAILED = 3, 11, 10, 12
LIST, OPEN, TEMPLATE, IDENTIFY, DELETE, PRUNE, CLEAR, CLOSE = 1, 2, 3, 4, 7, 8, 9, 10
LONGEST = 1 << 19
OWN = b"\xff\xff\xff\xf0"

split = sys.argv.index("--")
habits, command = sys.argv[1:split], sys.argv[split + 1:]
comma = habits.index(",") if "," in habits else len(habits)
first, then = habits[:comma], habits[comma:]
above = socket.socket(fileno=0)


class Reader:
    def __init__(self):
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process = subprocess.Popen(command, stdin=theirs)
        theirs.close()

    def end(self):
        self.channel.close()
        self.process.wait()

    def send(self, packet):
        # One that has ended is seen where its answer is waited for.
        try:
            self.channel.send(packet)
        except OSError:
            pass

    def event(self, operation, kinds):
        """Waits for one of these of an operation; others go on to signetd."""
        while True:
            packet = self.channel.recv(LONGEST)
            if not packet:
                sys.exit(1)
            if packet[2:6] == operation and packet[1] in kinds:
                return packet
            if packet[2:6] != OWN:
                above.send(packet)

    def perform(self, version, kind, answer):
        self.send(bytes([version, kind]) + OWN)
        self.event(OWN, (answer, FAILED))


reader = Reader()
opening = None
templates = []
looks = 0
deleted = False
while True:
    ready = select.select([above, reader.channel], [], [])[0]
    if reader.channel in ready:
        packet = reader.channel.recv(LONGEST)
        if not packet:
            break
        if packet[2:6] != OWN:
            above.send(packet)
    if above not in ready:
        continue
    packet = above.recv(LONGEST)
    if not packet:
        break
    version, kind, operation = packet[0], packet[1], packet[2:6]
    if kind == OPEN:
        templates = []
        if opening is not None:
            above.send(bytes([version, OPENED]) + operation)
            continue
        reader.send(packet)
        answer = reader.event(operation, (OPENED, FAILED))
        if answer[1] == OPENED:
            opening = packet
            for habit in first:
                if habit == "clear":
                    reader.perform(version, CLEAR, IDLE)
                elif habit == "list":
                    reader.perform(version, PRUNE, PRUNED)
        above.send(answer)
    elif kind == CLOSE and opening is not None and not deleted:
        above.send(bytes([version, IDLE]) + operation)
    elif kind == TEMPLATE:
        templates.append(packet)
        # What is begun anew gets them then.
        if "again" not in habits or looks == 0:
            reader.send(packet)
    elif kind == IDENTIFY:
        if looks == 0 and "list" in then:
            reader.perform(version, PRUNE, PRUNED)
        if looks > 0 and "again" in habits:
            reader.end()
            reader = Reader()
            reader.send(opening)
            reader.event(opening[2:6], (OPENED, FAILED))
            for template in templates:
                reader.send(template)
        looks += 1
        reader.send(packet)
    else:
        deleted = deleted or kind == DELETE
        reader.send(packet)
reader.end()
