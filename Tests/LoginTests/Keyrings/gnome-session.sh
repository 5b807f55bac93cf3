#!/bin/sh
# gnome-session.sh [store | passwd]: a session with GNOME Keyring. Says, in lines like pam-host's, whether the login collection is
# locked and what is found in it.
say() { printf '{"step":"%s","text":"%s"}\n' "$1" "$2"; }

gnome-keyring-daemon --start --components=secrets > /dev/null 2>&1
collection=/org/freedesktop/secrets/collection/login
say locked "$(busctl --user get-property org.freedesktop.secrets $collection org.freedesktop.Secret.Collection Locked 2>&1)"
if [ "${1:-}" = store ]; then printf 'a stored secret' | secret-tool store --label=test service signet-test; fi
if [ "${1:-}" = passwd ]; then
  passwd < "$HOME/passcodes" > /dev/null 2>&1
  say passwd $?
fi
# Where it is locked, a prompt that nobody can show.
say secret "$(timeout 10 secret-tool lookup service signet-test 2>/dev/null)"
say lookup $?
