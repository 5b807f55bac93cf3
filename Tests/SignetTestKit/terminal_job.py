#!/usr/bin/python3
"""Runs a command as a shell runs a job, in the foreground of the terminal that is standard input, and says what it left behind. A
stopped job is continued after a line was typed. Unlike shells it does not mend the terminal."""
import array
import fcntl
import os
import signal
import sys
import termios

signal.signal(signal.SIGTTOU, signal.SIG_IGN)
before = termios.tcgetattr(0)
job = os.fork()
if job == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    # Python ignores them.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])


def left():
    count = array.array("i", [0])
    fcntl.ioctl(0, termios.FIONREAD, count)
    same = termios.tcgetattr(0) == before
    return f"modes {'same' if same else 'changed'} unread {count[0]}"


while True:
    _, status = os.waitpid(job, os.WUNTRACED)
    os.tcsetpgrp(0, os.getpgrp())
    if not os.WIFSTOPPED(status):
        break
    print(f"job stopped {left()}", flush=True)
    sys.stdin.readline()
    os.tcsetpgrp(0, job)
    os.kill(-job, signal.SIGCONT)
end = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
print(f"job ended {end} {left()}", flush=True)
