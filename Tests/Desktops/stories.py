"""What is tried at each host. A story is told at a desk of its own; its name is what it shows."""
from desk import PASSCODE, Failure, wait

# A host that is asked again while it is still busy loses the keys, as it would lose those of a hand.
PATIENCE = 5


def until(host, text, look):
    """Types until it has the effect that it should have."""
    def types():
        host.types(text)
        try:
            return wait("", look, PATIENCE)
        except Failure:
            return False
    host.desk.wait_for(f"{look.__doc__} after `{text}`", types)


def opens(host):
    def is_open():
        """open"""
        return host.is_open()
    until(host, PASSCODE, is_open)
    expect_proof(host, "passcode")


def expect_proof(host, method):
    """Else it would be open because it has died. signetd writes it down a moment after its word."""
    def is_proved():
        proofs = [line for line in host.desk.logged().splitlines() if f"authenticated method={method} " in line]
        return any(f" service={host.service} " in line for line in proofs)
    host.desk.wait_for(f"a proof by {method}", is_proved)


def asks_for_finger(host):
    def is_armed():
        """the reader is armed"""
        return host.desk.is_armed()
    if host.asks_both:
        host.desk.wait_for("the reader is armed", is_armed)
    else:
        until(host, "", is_armed)


def at_once(host):
    """a typed passcode opens it, whatever a finger does"""
    host.starts()
    opens(host)


def wrong_passcode(host):
    """a wrong passcode is refused, and the right one opens it"""
    def is_refused():
        """refused"""
        return "wrong passcode" in host.desk.logged()
    host.starts()
    until(host, "wrong horse", is_refused)
    assert not host.is_open()
    opens(host)


def finger(host):
    """a finger opens it, at its question or asked for by Enter alone"""
    host.starts()
    asks_for_finger(host)
    if host.asks_both:
        host.on.presses("type half-typed")

    # A host that was so slow that it has Enter twice asks twice: i3lock takes all that was typed before it ends.
    def touched():
        host.desk.touch("right")
        try:
            return wait("", host.is_open, PATIENCE)
        except Failure:
            return False
    host.desk.wait_for("open", lambda: host.is_open() or host.desk.is_armed() and touched())
    expect_proof(host, "fingerprint")


def misses(host):
    """three misses open nothing and hang nothing: the passcode opens it"""
    host.starts()
    asks_for_finger(host)
    host.desk.misses(3)
    assert not host.is_open()
    opens(host)


def time_out(host):
    """a finger that does not come hangs nothing: the passcode opens it"""
    host.desk.gives_finger(1)
    host.starts()
    asks_for_finger(host)
    host.desk.wait_for("the end of the time", lambda: not host.desk.is_armed())
    assert not host.is_open()
    opens(host)
    # As gdm's daemon is told, which counts them.
    assert "\nproblem " not in host.desk.logged(), host.desk.logged()


def locked(host):
    """while the fingerprints are locked it takes no finger, and the passcode opens it"""
    def is_told():
        """told of the lock"""
        return host.is_told_of_lock()
    host.desk.locks()
    host.starts()
    until(host, "", is_told)
    assert not host.desk.is_armed() and not host.is_open()
    opens(host)


def beside(host):
    """a finger opens it, and nothing is asked for"""
    host.starts()
    host.desk.wait_for("the reader is armed", host.desk.is_armed)
    host.desk.touch("right")
    host.desk.wait_for("open", host.is_open)
    expect_proof(host, "fingerprint")
    assert not host.asks()


def locked_beside(host):
    """while the fingerprints are locked it says so, asks for nothing and ends"""
    host.desk.locks()
    host.starts()
    host.desk.wait_for("the word of the lock", host.is_told_of_lock)
    host.desk.wait_for("its end", host.has_failed)
    assert not host.asks() and not host.is_open()


STORIES = [at_once, wrong_passcode, finger, misses, time_out, locked]
