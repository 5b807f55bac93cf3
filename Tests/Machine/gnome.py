"""gdm, GNOME's session, and its lock screen, for which gdm asks: a worker for the passcode, and one beside it for the finger."""
import time

from desktop import USER, Person

# The greeter, and each session later, when it shows itself.
SHOWN = "journalctl -b -o cat --no-pager | grep -c 'Registering session with GDM'"


class AtGNOME(Person):
    shown = 0

    def prepares(self):
        """Nothing is as gdm and GNOME would not have it."""

    def awaits_shell(self):
        """Until the next gnome-shell is there, greeter or session."""
        self.shown += 1
        self.awaits("gnome-shell", f"[ $({SHOWN}) -ge {self.shown} ]", within=240)
        time.sleep(4)

    def names_herself(self):
        """Takes the first name of the greeter's list, which is hers."""
        self.awaits_shell()
        self.begins("password")

    def begins(self, kind):
        """Enter, until a worker of gdm's asks."""
        worker = f"pgrep -nf 'session-worker .pam/gdm-{kind}'"
        before = self.machine.asks(worker).output.strip()
        self.screen.presses("ret")
        # What draws is slow here: nothing heeds a key that comes before it is ready.
        self.awaits("a worker of gdm's", f"[ \"$({worker})\" != '{before}' ] && [ -n \"$({worker})\" ]", within=30)
        time.sleep(4)

    def awaits_finger(self):
        self.awaits("the worker for the finger", "pgrep -f 'session-worker .pam/gdm-fingerprint'")

    def has_session(self):
        self.awaits("the session", f"pgrep -u {USER} gnome-shell && {self.is_at_seat()} && "
                    "[ $(loginctl show-seat seat0 -P ActiveSession | xargs loginctl show-session -P LockedHint) = no ]")

    def locks_screen(self):
        self.machine.does("loginctl lock-session $(loginctl show-seat seat0 -P ActiveSession)")
        self.awaits("the lock", "[ $(loginctl show-seat seat0 -P ActiveSession | xargs loginctl show-session -P LockedHint) = yes ]")
        time.sleep(4)
        self.begins("fingerprint")

    def answers(self, text):
        """Gives an answer that is wrong; back when a finger is asked for again, which Escape and Enter do."""
        self.is_refused(text)
        time.sleep(3)
        self.screen.presses("esc")
        time.sleep(4)
        self.begins("fingerprint")

    def logs_out(self):
        self.awaits_shell()
        self.machine.does(self.of_session("gnome-session-quit --logout --no-prompt"))
        self.awaits("its end", f"! pgrep -u {USER} gnome-shell")

    def opens_terminal(self):
        # The overview is there after a login, and takes what is typed for what is looked for.
        self.awaits("the overview's end", self.of_session(
            "busctl --user set-property org.gnome.Shell /org/gnome/Shell org.gnome.Shell OverviewActive b false"))
        time.sleep(3)
        self.screen.presses("alt", "f2")
        time.sleep(3)
        self.screen.types("gnome-terminal\n")
