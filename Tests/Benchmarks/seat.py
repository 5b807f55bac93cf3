"""A place at the machine for the benchmark's hosts, as logind would have it, so that signetd asks for the owner's finger only and
what it costs to find out who asks is measured."""
import atexit
import os
import subprocess
import sys

GROUPS = "/sys/fs/cgroup"
# The mount namespace that is left.
OUTSIDE = "SIGNET_BENCH_OUTSIDE"
taken = False


def is_taken():
    return taken


def take():
    """Puts this process, and all that it starts, into a session of its user's at seat0. logind's files are shown in a mount
    namespace of its own only; the control group is removed at the end. Says so where that cannot be had here."""
    global taken
    here = os.readlink("/proc/self/ns/mnt")
    if OUTSIDE not in os.environ and os.geteuid() == 0:
        os.environ[OUTSIDE] = here
        os.execvp("unshare", ["unshare", "-m", "--propagation", "private", sys.executable, "-B"] + sys.argv)
    try:
        if os.environ.get(OUTSIDE, here) == here:
            raise OSError("no mount namespace of its own")
        sit_down()
        taken = True
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"without a seat: finger_for = anyone, and who asks is not found out ({error})")


def sit_down():
    uid = os.geteuid()
    os.makedirs("/run/systemd", exist_ok=True)
    mount("tmpfs", "/run/systemd")
    write("seats/seat0", "ACTIVE=bench\n")
    write("sessions/bench", f"UID={uid}\nACTIVE=1\nSTATE=active\nREMOTE=0\nSEAT=seat0\nCLASS=user\n")
    # Without it nobody can follow what becomes of sessions, and signetd would try so at each request.
    write(f"users/{uid}", "STATE=active\nSESSIONS=bench\n")
    os.makedirs("/run/systemd/machines")
    mount("cgroup2", GROUPS)
    with open("/proc/self/loginuid", "w") as file:
        file.write(str(uid))
    names = ["user.slice", f"user-{uid}.slice", "session-bench.scope"]
    made = []
    for count in range(1, 4):
        path = "/".join([GROUPS] + names[:count])
        if not os.path.exists(path):
            os.mkdir(path)
            made.append(path)
    atexit.register(stand_up, os.getpid(), made)
    move("/".join([GROUPS] + names))


def mount(kind, path):
    subprocess.run(["mount", "-t", kind, kind, path], check=True, stderr=subprocess.DEVNULL)


def write(name, text):
    path = "/run/systemd/" + name
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def move(group):
    with open(group + "/cgroup.procs", "w") as file:
        file.write(str(os.getpid()))


def stand_up(pid, made):
    if os.getpid() != pid:
        return
    move(GROUPS)
    for path in reversed(made):
        try:
            os.rmdir(path)
        except OSError as error:
            print(f"{path} stays: {error}")
