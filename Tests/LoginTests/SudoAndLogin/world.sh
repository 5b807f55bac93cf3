#!/bin/sh
# world.sh FOLDER MODULE SIGNET PROFILES READER_FOLDER: makes a machine of its own out of this one, in the mount namespace
# that it is started in (unshare -m): Debian's own sudo, login and PAM files, with a user "finger", Signet's module, its
# profile enabled by pam-auth-update, and the passcode service. Nothing of it is seen outside. Says "ready" and holds the
# namespace until standard input ends.
set -eu
folder=$1 module=$2 signet=$3 checkout=$4 reader=$5
modules=$(dirname /lib/*/security/pam_unix.so)
export PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C

mount -t tmpfs -o mode=755 world "$folder"
cover() {
  upper=$folder/$(echo "$1" | tr / _)
  mkdir -p "$upper/upper" "$upper/work"
  mount -t overlay -o "lowerdir=$1,upperdir=$upper/upper,workdir=$upper/work" world "$1"
}
for path in /etc /var/lib /var/cache /usr/share/pam-configs /usr/local/bin /usr/share/locale /usr/lib/locale "$modules"; do
  cover "$path"
done
for path in /run /var/log /home; do mount -t tmpfs -o mode=755 world "$path"; done
mkdir /run/signet /run/lock
touch /run/utmp /var/log/wtmp /var/log/lastlog /var/log/btmp

install -m 644 "$module" "$modules/pam_signet.so"
install -m 755 "$signet" /usr/local/bin/signet
install -m 644 "$checkout/pam/signet-passcode" /etc/pam.d/signet-passcode
install -m 644 "$checkout/pam/signet.pam-config" /usr/share/pam-configs/signet
# Made once for all tests: that takes longer than the rest of a machine.
catalogues=$checkout/.build/test-catalogues po=$checkout/Sources/ground/SignetWords/po
mkdir -p "$catalogues"
catalogue() {
  language=$1 source=$2
  shift 2
  made=$catalogues/$language.mo
  # Several tests may be about to make it, each of them the first process of its own machine.
  [ "$made" -nt "$source" ] || { new=$(mktemp "$made.XXXXXX") && "$@" < "$source" | msgfmt -o "$new" - && mv "$new" "$made"; }
  install -D -m 644 "$made" "/usr/share/locale/$language/LC_MESSAGES/signet.mo"
}
for language in $(cat "$po/LINGUAS"); do catalogue "$language" "$po/$language.po" cat; done
# Locales with nothing of their own but a name, which is what catalogues are found by; Debian has others only where somebody made them.
for locale in de_DE ja_JP ko_KR zh_CN zh_TW xx_XX; do cp -r /usr/lib/locale/C.utf8 "/usr/lib/locale/$locale.utf8"; done
# A language that has every sentence: the English one in brackets that are two columns wide.
in_brackets() { msgen --lang=xx - | msgfilter --keep-header sed '1s/^/【/; $s/$/】/' 2> /dev/null; }
catalogue xx "$po/signet.pot" in_brackets
systemd-sysusers "$checkout/Sources/signetd/signetd/systemd/signet.sysusers"
# What other packages and administrators have added to the logins of this machine asks for what no test answers. Here are Debian's own
# profiles, the keyring's and ours.
for profile in /usr/share/pam-configs/*; do
  case ${profile##*/} in
  unix | capability | systemd | signet | gnome-keyring) ;;
  *) rm "$profile" ;;
  esac
done
pam-auth-update --package --force --enable signet

# Where its own name is not known, sudo says so before all else.
echo "127.0.1.1 $(uname -n)" >> /etc/hosts

useradd --create-home --shell /bin/sh finger
echo 'finger:right horse' | chpasswd
useradd --create-home --shell /bin/sh mallory
# Each sudo asks anew, once, and without a lecture.
printf 'Defaults timestamp_timeout=0, passwd_tries=1, lecture=never\nfinger ALL=(ALL:ALL) ALL\n' > /etc/sudoers.d/signet
chmod 440 /etc/sudoers.d/signet
# A login as short as possible; failures are not slowed down by login(1) itself.
: > /etc/motd
rm -rf /etc/update-motd.d
touch /home/finger/.hushlogin

mkdir -p /etc/signet
# Its users need no passcode first, but where a test says so: see World.
cat > /etc/signet/signet.conf <<END
virtual_reader = device:$reader/reader
finger_for = anyone
passcode_after_boot = no
passcode_after_inactivity = off
passcode_after_age = off
END
chown signet: "$reader"
echo ready
exec cat
