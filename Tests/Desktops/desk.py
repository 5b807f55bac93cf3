"""A machine of its own inside this one, with a screen: the world of Tests/LoginTests/SudoAndLogin, whose user "finger" has the passcode
"right horse" and the finger "right", and whose PAM files are those that pam-auth-update makes."""
import os
import pty
import shutil
import socket
import subprocess
import tempfile
import time

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
USER, PASSCODE = "finger", "right horse"
# In seconds: a host that waits for the finger first waits longer than any test does.
FINGER_TIMEOUT = 900
# Whatever is awaited comes far sooner, or never.
LIMIT = 60
# The kernel's flag of a socket that listens (__SO_ACCEPTCON).
LISTENS = 0x10000


class Failure(Exception):
    pass


def wait(what, look, limit=LIMIT):
    """Looks until it sees something, and returns that."""
    end = time.monotonic() + limit
    while not (seen := look()):
        if time.monotonic() > end:
            raise Failure(f"not within {limit} seconds: {what}")
        time.sleep(0.05)
    return seen


class Desk:
    """A context. Processes have a namespace of their own, so that with its first one all are gone."""

    def __init__(self, release):
        self.release = release

    def __enter__(self):
        # Not in /tmp, which is covered inside.
        self.folder = tempfile.mkdtemp(prefix="signet-desk-", dir="/var/tmp")
        os.chmod(self.folder, 0o755)
        self.reader_folder = tempfile.mkdtemp(prefix="signet-desk-", dir="/var/tmp")
        self.reader = self.reader_folder + "/reader"
        try:
            self.open()
        except BaseException:
            self.__exit__()
            raise
        return self

    def open(self):
        world = CHECKOUT + "/Tests/LoginTests/SudoAndLogin/world.sh"
        self.holder = subprocess.Popen(
            ["unshare", "-m", "-n", "-p", "-f", "--kill-child", "--mount-proc", "--propagation", "private", "/bin/sh", world, self.folder,
             self.release + "/libpam_signet.so", self.release + "/signet", CHECKOUT, self.reader_folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = []
        while (line := self.holder.stdout.readline()) != "ready\n":
            if not line:
                raise Failure("no world: " + "".join(said))
            said.append(line)
        with open(f"/proc/{self.holder.pid}/task/{self.holder.pid}/children", encoding="ascii") as children:
            self.pid = int(children.read())
        # No consoles: a display manager would take the machine's own. And a /tmp of its own, where X servers have their locks;
        # this checkout may be in the machine's.
        self.does(f"""
            mount --bind /dev /mnt; mount -t tmpfs -o mode=755 dev /dev
            for node in null zero full random urandom tty; do touch /dev/$node; mount --bind /mnt/$node /dev/$node; done
            mkdir -m 1777 /dev/shm; mkdir /dev/pts; mount --bind /mnt/pts /dev/pts; ln -s pts/ptmx /dev/ptmx; ln -s /proc/self/fd /dev/fd
            umount -l /mnt
            mount --bind {CHECKOUT} /mnt; mount -t tmpfs -o mode=1777 tmp /tmp
            mkdir -p {CHECKOUT}; mount --bind /mnt {CHECKOUT}; umount -l /mnt
            install -d -m 1777 /tmp/.X11-unix
            install -d /run/dbus /run/user
            install -d -o {USER} -m 700 /run/user/{USER}""")
        with open(self.root + "/etc/signet/signet.conf", "a", encoding="utf-8") as file:
            file.write(f"finger_timeout = {FINGER_TIMEOUT}s\n")
        self.gives_finger(FINGER_TIMEOUT)
        self.log = self.folder + ".log"
        daemon = self.starts([self.release + "/signetd"], log=self.log)
        wait("signetd is ready", lambda: "signetd: ready" in self.logged() or daemon.poll() is not None)
        if daemon.poll() is not None:
            raise Failure(self.logged())
        self.enroll("right")

    def __exit__(self, *_):
        if hasattr(self, "holder"):
            self.holder.stdin.close()
            self.holder.wait()
        for folder in (self.folder, self.reader_folder):
            shutil.rmtree(folder, ignore_errors=True)
        if os.path.exists(self.folder + ".log"):
            os.unlink(self.folder + ".log")

    # What happens inside

    @property
    def root(self):
        """Its files, as seen from outside."""
        return f"/proc/{self.pid}/root"

    def inside(self, words, user=None, environment=()):
        """A program's words. A user's program has the environment of a desktop's session, which has no terminal."""
        own = [f"{name}={value}" for name, value in dict(environment).items()]
        words = ["env"] + own + words if own else words
        if user:
            words = ["setpriv", "--reuid", user, "--regid", user, "--init-groups", "env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin",
                     f"HOME=/home/{user}", f"USER={user}", f"LOGNAME={user}", f"XDG_RUNTIME_DIR=/run/user/{user}", "LC_ALL=C.UTF-8"] + words
        else:
            # Who runs the tests may have no /usr/local/bin on the path, where signet is here.
            words = ["env", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"] + words
        return ["nsenter", "-t", str(self.pid), "-m", "-n", "-p", "--"] + words

    def starts(self, words, user=None, environment=(), log=None):
        with open(log or "/dev/null", "a", encoding="utf-8") as file:
            return subprocess.Popen(self.inside(words, user, environment), stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                    start_new_session=True)

    def starts_bus(self):
        """The system's."""
        self.starts(["dbus-daemon", "--system", "--nofork", "--nopidfile", "--nosyslog"])
        self.wait_for("the bus", lambda: self.exists("/run/dbus/system_bus_socket"))

    def tries(self, line, user=None, environment=()):
        """A line of the shell: whether it succeeds, and what it says."""
        done = subprocess.run(self.inside(["sh", "-euc", line], user, environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, timeout=LIMIT)
        return done.returncode == 0, done.stdout

    def does(self, line, user=None, environment=()):
        succeeds, said = self.tries(line, user, environment)
        if not succeeds:
            raise Failure(f"{line}: {said}")
        return said

    def writes(self, path, text, mode=0o644):
        place = self.root + path
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(place, mode)

    def wait_for(self, what, look):
        try:
            return wait(what, look)
        except Failure as failure:
            raise Failure(f"{failure}\n{self.logged()[-3000:]}") from None

    def exists(self, path):
        return os.path.lexists(self.root + path)

    def is_running(self, name):
        # The kernel cuts names, and whoever has ended is there until somebody has looked.
        return self.tries(f"pgrep --runstates DRS -x {name[:15]}")[0]

    def is_asking(self):
        """Whether a login waits at signetd."""
        return any(state == "03" for _, state in self.sockets("/run/signet/socket"))

    def sockets(self, path):
        """Flags and state of each Unix socket at a path, as the kernel tells them."""
        with open(f"/proc/{self.pid}/net/unix", encoding="ascii") as sockets:
            rows = [line.split() for line in sockets]
        return [(row[3], row[5]) for row in rows if row[-1] == path]

    def logged(self):
        with open(self.log, encoding="utf-8") as log:
            return log.read()

    # The reader

    def touch(self, finger):
        """Puts a finger on the reader: it counts when the reader next waits for one. The driver tells a verdict before its call is
        over, and a finger that comes until then is lost. Once it has answered something else, that call is over."""
        wait("the reader is armed", lambda: self.sends("LIST") and self.sends(f"SCAN {finger}"))

    def misses(self, count):
        """Wrong fingers, one after the other. Of two that wait the driver loses one: the next comes when signetd has counted the last."""
        for _ in range(count):
            before = self.strikes()
            self.touch("wrong")
            self.wait_for("a strike", lambda: self.strikes() > before)

    def strikes(self):
        """How many signetd has told of."""
        return self.logged().count("not recognised strikes=")

    def sends(self, command):
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.connect(self.reader)
                connection.sendall(command.encode())
                connection.shutdown(socket.SHUT_WR)
                connection.settimeout(LIMIT)
                # The driver answers by its end.
                while connection.recv(4096):
                    pass
            except OSError:
                return False
        return True

    def gives_finger(self, seconds):
        """How long the module waits for one, in logins that begin from now on."""
        self.does(f"sed -i 's/pam_signet.so show.*/pam_signet.so show timeout={seconds}/' /etc/pam.d/common-auth")

    def locks(self):
        """Misses five times: three end a verification."""
        for misses in (3, 2):
            with open(self.log, "a", encoding="utf-8") as log:
                words = self.inside(["signet", "verify", "--user", USER])
                asker = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            self.misses(misses)
            asker.wait(LIMIT)

    def is_told_of_lock(self, service):
        return any(f" service={service} " in line for line in self.logged().splitlines() if "fingerprints locked: " in line)

    def is_armed(self):
        """Whether the reader is open: its driver listens then. It takes one connection at a time, and drops without a word the finger
        that comes while it has another: who looks may not connect."""
        return any(int(flags, 16) & LISTENS for flags, _ in self.sockets(self.reader))

    def enroll(self, finger):
        pid, terminal = pty.fork()
        if pid == 0:
            words = self.inside(["signet", "enroll", "right-index-finger", "--user", USER], environment={"LC_ALL": "C.UTF-8"})
            os.execvp(words[0], words)
        screen, stages = "", 0
        while chunk := read(terminal):
            screen += chunk
            if screen.count("reader") + screen.count(" of ") > stages and "5 of 5" not in screen:
                stages += 1
                self.touch(finger)
        os.close(terminal)
        if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0:
            raise Failure(f"signet enroll: {screen}")


def read(terminal):
    try:
        return os.read(terminal, 4096).decode(errors="replace")
    except OSError:  # how a terminal says that its last program has ended
        return ""
