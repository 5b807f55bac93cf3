"""lightdm with its GTK greeter, Xfce, and light-locker, which has the greeter ask."""
import time

from desktop import USER, Person

# How many greeters there were, and how often the newest was given something to show.
GREETERS = "grep -c 'Greeter connected' /var/log/lightdm/lightdm.log"
QUESTIONS = "tac /var/log/lightdm/lightdm.log | sed '/Greeter connected/q' | grep -c 'Prompt greeter'"


class AtXfce(Person):
    def prepares(self):
        # What Xfce composes of windows by the graphics card nobody would see here.
        self.machine.does("sed -i 's/^use_compositing=true/use_compositing=false/' /usr/share/xfwm4/defaults")

    def names_herself(self):
        """Gives the greeter her name; back when it shows what PAM says to her."""
        # The first is for the name. Each is drawn a moment later.
        self.awaits("the greeter", f"[ $({QUESTIONS}) = 1 ]")
        time.sleep(2)
        self.screen.types(USER + "\n")
        self.awaits("the greeter's question", f"[ $({QUESTIONS}) -gt 1 ]")
        time.sleep(2)

    def has_session(self):
        self.awaits("the session", f"pgrep -u {USER} xfwm4 && {self.is_at_seat()}")

    def locks_screen(self):
        """What locks it has the greeter ask; back when that shows a question."""
        before = self.machine.asks(GREETERS).output.strip()
        self.machine.does(self.of_session("light-locker-command -l"))
        self.awaits("the locker", f"[ $({GREETERS}) -gt {before} ] && [ $({QUESTIONS}) -ge 1 ]")
        time.sleep(2)

    def answers(self, text):
        """Gives an answer that is wrong; back when something is asked again."""
        asked = self.machine.asks(QUESTIONS).output.strip()
        self.screen.types(text + "\n")
        self.awaits("another question", f"[ $({QUESTIONS}) -gt {asked} ]")
        time.sleep(2)

    def logs_out(self):
        manager = self.of_session("busctl --user call org.xfce.SessionManager /org/xfce/SessionManager org.xfce.Session.Manager")
        # Before all of the session has begun, or where it is asked twice, it does not end.
        self.awaits("the whole session", f"{manager} GetState | grep -q '^u 1$'")
        self.machine.does(f"{manager} Logout bb false false")
        self.awaits("its end", f"! pgrep -u {USER} xfce4-session")

    def opens_terminal(self):
        self.screen.presses("ctrl", "alt", "t")
