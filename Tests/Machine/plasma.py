"""sddm with the theme that it has itself, Plasma, and kscreenlocker: version 5 on X, 6 on Wayland."""
import time

from desktop import USER, Person

# Each greeter, when it shows itself.
SHOWN = "journalctl -b -o cat --no-pager -t sddm | grep -c 'Message received from greeter: Connect'"
LOCKER = "pgrep -u alice kscreenlocker_g"


class AtPlasma(Person):
    greeters = 0

    def prepares(self):
        # What it draws by a graphics card that is not there takes all that the guest has.
        self.machine.does("printf 'QT_QUICK_BACKEND=software\nKWIN_COMPOSE=N\n' >> /etc/environment && systemctl restart sddm")
        self.greeters = int(self.machine.asks(SHOWN).output)

    def names_herself(self):
        """The greeter has her name; back when it takes a passcode, which it passes on with Enter."""
        self.greeters += 1
        self.awaits("the greeter", f"[ $({SHOWN}) -ge {self.greeters} ]", within=240)
        time.sleep(10)

    def awaits_finger(self):
        # With no passcode in the field it is asked for.
        self.screen.presses("ret")
        time.sleep(4)

    def has_session(self):
        self.awaits("the session", f"pgrep -u {USER} plasmashell && {self.is_at_seat()} && ! {LOCKER}", within=240)

    def keeps_secret(self):
        self.awaits("the wallet that the passcode has opened", self.wallet())

    def has_secret(self):
        """KWallet's own commands make no folder in a new wallet: that it is open has to do."""
        return self.machine.asks(self.wallet()).succeeded

    def wallet(self):
        """Whether it is open, as a command of root's."""
        return self.of_session("busctl --user call org.kde.kwalletd5 /modules/kwalletd5 org.kde.KWallet isOpen s kdewallet") + " | grep -q true"

    def locks_screen(self):
        self.machine.does("loginctl lock-session $(loginctl show-seat seat0 -P ActiveSession)")
        self.awaits("the lock", LOCKER)
        time.sleep(15)
        # Dark until a key is pressed.
        self.screen.presses("shift")
        time.sleep(4)
        self.locker_asks()

    def locker_asks(self):
        """Until the finger is waited for: beside the passcode where Plasma is of a version with a service for that."""
        if not self.machine.asks("test -e /usr/lib/pam.d/kde-fingerprint -o -e /etc/pam.d/kde-fingerprint").succeeded:
            self.awaits_finger()

    def answers(self, text):
        """Gives an answer that is wrong; back when the finger is asked for again, a while later."""
        self.is_refused(text)
        time.sleep(8)
        self.locker_asks()

    def opens_terminal(self):
        self.screen.presses("alt", "f2")
        time.sleep(8)
        self.screen.types("konsole")
        time.sleep(8)
        self.screen.presses("ret")

    def logs_out(self):
        self.awaits("the whole session", "! pgrep -u alice ksplashqml")
        time.sleep(5)
        # As Plasma 5 is asked, and as Plasma 6 is.
        five = self.of_session("busctl --user call org.kde.ksmserver /KSMServer org.kde.KSMServerInterface logout iii 0 0 0")
        self.machine.does(f"{five} || {self.of_session('busctl --user call org.kde.Shutdown /Shutdown org.kde.Shutdown logout')}")
        self.awaits("its end", f"! pgrep -u {USER} plasmashell")
