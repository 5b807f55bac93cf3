#!/bin/sh
# desktop.sh: in the namespace of world.sh, what a desktop has beside sudo and login: the services of two display managers,
# in the order in which Debian's gdm3 and sddm have the same modules, a runtime folder, a bus for sessions.
set -eu
uid=$(id -u finger)
mkdir -p /run/user
install -d -o finger -g finger -m 700 "/run/user/$uid"

# What the display manager, pam_systemd and the user's own settings would say.
cat >> /etc/environment <<END
HOME=/home/finger
LC_ALL=C.UTF-8
PATH=/usr/bin:/bin
QT_QPA_PLATFORM=offscreen
XDG_RUNTIME_DIR=/run/user/$uid
XDG_SESSION_TYPE=x11
END

# Nothing is started by the bus: a keyring that answers is the one that PAM started, and no prompt finds a prompter.
cat > /etc/session-bus.conf <<END
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/run/user/$uid</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow own="*"/> <allow send_destination="*" eavesdrop="true"/> <allow eavesdrop="true"/>
  </policy>
</busconfig>
END

# As the package has it: passwd tells the keyring, whatever this machine's own files say.
DEBIAN_FRONTEND=noninteractive pam-auth-update --package --enable gnome-keyring

manager() {
  cat > "/etc/pam.d/$1" <<END
auth     requisite  pam_nologin.so
auth     required   pam_succeed_if.so user != root quiet_success
@include common-auth
auth     optional   $2
@include common-account
session  required   pam_loginuid.so
session  optional   pam_keyinit.so force revoke
session  required   pam_limits.so
session  required   pam_env.so readenv=1
@include common-session
session  optional   $2 auto_start
@include common-password
END
}
manager gdm-password pam_gnome_keyring.so
# As sddm's: to sddm itself Signet says nothing, and who plays the user here goes by what is said.
manager lxdm pam_kwallet5.so
# The first again under a name that signet.conf does not know.
manager kiosk pam_gnome_keyring.so

# Services whose next module writes down what it gets as PAM_AUTHTOK. It asks where there is none.
touch /run/authtok
chmod 666 /run/authtok
for name in lightdm terminal vlock; do
  [ -e "/etc/pam.d/$name" ] || echo '@include common-auth' > "/etc/pam.d/$name"
  echo 'auth optional pam_exec.so expose_authtok quiet /usr/bin/tee /run/authtok' >> "/etc/pam.d/$name"
done
