# Signet: build, try, test, install. `make demo` and `make test` do all their set-up themselves.

PREFIX ?= /usr
DESTDIR ?=
# Where libpam looks for modules: the directory of its own pam_unix.so.
PAMDIR ?= $(patsubst %/pam_unix.so,%,$(firstword $(wildcard /lib/*/security/pam_unix.so /lib/security/pam_unix.so)))
UNITDIR ?= $(PREFIX)/lib/systemd/system
USERUNITDIR ?= $(PREFIX)/lib/systemd/user
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
# Where the linker looks for libraries; on Debian its name has the machine's.
MULTIARCH := $(shell dpkg-architecture -q DEB_HOST_MULTIARCH 2>/dev/null || gcc -print-multiarch 2>/dev/null)
LIBDIR ?= $(PREFIX)/lib$(MULTIARCH:%=/%)
TMPFILESDIR ?= $(PREFIX)/lib/tmpfiles.d
DOCDIR ?= $(PREFIX)/share/doc/signet
# Where the shells look for completions; Debian's zsh and fish look there for those of packages.
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/vendor-completions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
# Debian's libpam and udev look nowhere else for these two.
PAMCONFIGDIR ?= /usr/share/pam-configs
UDEVDIR ?= /usr/lib/udev/rules.d
# The same of libc and catalogues.
LOCALEDIR ?= /usr/share/locale

# Folders of recorded readers and of real prints for the tests, where there are any (see README.md).
RECORDINGS ?= $(wildcard ../shared/recordings)
PRINTS ?= $(wildcard ../shared/prints)
# The Debian that `make test-vm` boots, and which of its stories; all where nothing is said.
DEBIAN ?= bookworm
STORIES ?=
# `make test-vm DESKTOP=gnome`, `plasma` or `xfce` boots one with that desktop and its greeter, and tells their stories.
DESKTOP ?=
# `make test-vm BROWSERS=1` boots one with Chromium and Firefox, which make passkeys and sign in with them.
BROWSERS ?=
# `make test-vm SELINUX=1` boots one that SELinux confines.
SELINUX ?=
KIND = $(if $(BROWSERS),browsers,$(if $(SELINUX),selinux,$(DESKTOP)))
GUEST = $(DEBIAN)$(KIND:%=-%)
# How often its plug is pulled.
CUTS ?= 12
# What the guest's emulated readers made of the scenarios.
EMULATED = $(CURDIR)/.build/machine/work/$(GUEST)/reports
# `make bench STRICT=1` fails where a goal is missed.
STRICT ?=

# How long each target is fuzzed, and from which seed.
FUZZ_SECONDS ?= 20
FUZZ_SEED ?= 1

# How long the crowd stays.
CROWD_SECONDS ?= 60

BUILD_PACKAGES = libpam0g-dev libfprint-2-dev libglib2.0-dev libsodium-dev libsystemd-dev libcurl4-openssl-dev libssl-dev libtss2-dev \
  pkgconf binutils gettext
# PKCS#11's header; nothing of the library is linked.
BUILD_PACKAGES += libp11-kit-dev
# What `make demo` takes besides: pam_matrix.so, a passcode stack that needs no root.
DEMO_PACKAGES = libpam-wrapper
# umockdev replays recorded readers, libpam-wrapper's pam_matrix.so is a passcode stack that needs no root,
# systemd has systemd-analyze for the units, dbus-daemon and python3-gi are a bus and a logind of the tests' own, e2fsprogs
# makes the file system on which the power is cut, gdb core dumps of a running signetd. abidiff (abigail-tools) compares
# libsignet with what it has promised, valgrind watches it, and rustc compiles an example. libpam-google-authenticator asks for more
# than the passcode.
TEST_PACKAGES = libpam-wrapper umockdev strace sudo login polkitd pkexec gir1.2-polkit-1.0 systemd dbus-daemon python3-gi e2fsprogs \
  gdb abigail-tools valgrind rustc libpam-google-authenticator

# pinentry on a terminal and in windows, a screen for those and a keyboard, a server of notifications, gdbus; and who asks an askpass.
TEST_PACKAGES += pinentry-tty pinentry-gnome3 pinentry-gtk2 gcr xvfb xdotool dunst libglib2.0-bin openssh-client gnupg

# Certificates of the tests' own servers; Python's environments, for providers that nobody here wrote; who asks for tokens; and
# networks of the tests' own.
TEST_PACKAGES += openssl python3-venv git skopeo curl libqrencode4 iproute2

# Programs that keep passwords by libsecret, and a library that others do it by.
TEST_PACKAGES += libsecret-tools python3-secretstorage msmtp

# Who uses keys by PKCS#11, and a server that lets them in: not where systemd has booted the machine, and would have it listen.
TEST_PACKAGES += opensc libengine-pkcs11-openssl gnutls-bin p11-kit $(if $(wildcard /run/systemd/system),,openssh-server)

# Shells that complete, a terminal whose screen a test reads, and a pager.
TEST_PACKAGES += zsh fish tmux less

# Reads the profiles of the services.
TEST_PACKAGES += apparmor

# Compiles the services' module for SELinux.
TEST_PACKAGES += selinux-policy-dev

# Packs for systems that have no dpkg.
TEST_PACKAGES += rpm

# Tries every order of the steps by which strikes are charged.
TEST_PACKAGES += spin

# A clipboard, and who else opens what the vault exports.
TEST_PACKAGES += xclip age

# A TPM of the tests' own, and what clears it and extends its registers.
TEST_PACKAGES += swtpm tpm2-tools libtss2-esys-3.0.2-0 libtss2-tcti-swtpm0

# What makes Debian packages: dpkg-buildpackage asks for the second, of which Swift needs a part only; questions at a purge are
# translated by the third. The rest says where this Debian
# has units and udev's rules.
PACKAGING_PACKAGES = debhelper dh-apparmor build-essential po-debconf $(if $(filter 12.%,$(shell cat /etc/debian_version)),systemd udev,systemd-dev)

# A guest that boots: QEMU, what makes its disk and its first file system, a person at its terminals, a TPM; and what makes packages.
MACHINE_PACKAGES = qemu-system-x86 qemu-utils debootstrap busybox-static cpio e2fsprogs openssl xz-utils zstd python3-pexpect swtpm \
  $(if $(SELINUX),selinux-policy-dev) $(PACKAGING_PACKAGES)

# The headers of another processor's libc.
ARM_PACKAGES = libc6-dev-arm64-cross

# The keyrings that a login opens. A lot, with Qt, so that `make demo` does without.
KEYRING_PACKAGES = gnome-keyring libpam-gnome-keyring libsecret-tools libpam-kwallet5 libkf5wallet-bin

# Who asks for a passcode in scripts, and who answers; emacs-nox is Emacs without windows. `make demo` does without them, too.
SCRIPT_PACKAGES = emacs-nox opendoas ansible-core cron

# Greeters and lockers, and a screen for each; modules of Plasma's that its locker draws with; what else sddm asks of the user; and what
# gdm's worker links to. Then a window for passwords, who tells what it shows, and what the owner is asked by.
DESKTOP_PACKAGES = sddm lightdm lightdm-gtk-greeter xscreensaver xsecurelock i3lock swaylock sway wtype libkscreenlocker5 plasma-framework \
  libpam-kwallet5 libaccountsservice0 xvfb xdotool dbus-daemon python3-gi procps seahorse at-spi2-core gir1.2-atspi-2.0 libsecret-tools \
  pinentry-gtk2 dunst
# Of desktops' settings, with most of both desktops behind them.
SETTINGS_PACKAGES = gnome-control-center accountsservice plasma-desktop kde-cli-tools qml-module-org-kde-kcm qml-module-qtquick-shapes \
  qml-module-org-kde-kitemmodels xvfb xdotool dbus-daemon procps

# One build for all: what is installed is what was tested, and the tests (--build-tests) are compiled on top of it. Without data for
# debuggers, which names the folder and is not installed.
SWIFT_BUILD = SIGNET_HARDENED=1 swift build -c release -debug-info-format none --disable-local-rpath -Xswiftc -enable-testing
CXX_ARCHIVE = .build/static-c++/libstdc++.a
UNICODE_ARCHIVE = .build/static-c++/libswiftUnicodeDataTables.a
ARCHIVES = $(CXX_ARCHIVE) $(UNICODE_ARCHIVE)
RELEASE = $(CURDIR)/.build/release
PROGRAMS = signetd signet-reader signet-passcode signet-tpm signet-logind signet-stack signet-prompt signet-agent signet-fprint \
  signet-secrets signet-hid signet-passkey
# One file; the names by which it is another command.
NAMES = signet-askpass signet-credential
MODULES = libpam_signet.so libpam_fprintd.so
# SwiftPM names it for its product: an executable has the other name.
LIBRARY = libsignet0.so
PKCS11 = libsignet-pkcs11.so
LANGUAGES := $(shell cat Sources/ground/SignetWords/po/LINGUAS)
CATALOGUES = $(LANGUAGES:%=.build/locale/%.mo)
# Prebuilt modules, for programs in Swift whose packages do not name this one.
SWIFT_LIBRARY = .build/swift/libsignet-swift.a
SWIFT_MODULES = $(foreach module,SignetCoreFoundation Security LocalAuthentication,\
  $(addprefix .build/swift/$(module).,swiftmodule swiftdoc))
SWIFT_SOURCES := $(shell find Sources/ground Sources/applications Sources/C -name '*.swift' -o -name '*.[ch]') $(wildcard Sources/tools/packaging/*swift*)
VERSION := $(shell sed -n 's/.*StaticString { "\(.*\)" }.*/\1/p' Sources/ground/SignetVocabulary/Version.swift)
SERVICES = signetd.service signet-sleep.service signet-logind.service signet-fprint.service
# The device of passkeys; see signet-hid(8). Nothing turns it on but its package, or the administrator.
HIDUNITS = signet-hid.service signet-hid.socket
# With FPRINTD=yes fprintd's name on the bus and its PAM module are Signet's. Where fprintd is installed these are its files.
FPRINTD ?= no
DBUSDIR ?= /usr/share/dbus-1
POLKITDIR ?= /usr/share/polkit-1/actions
APPARMORDIR ?= /etc/apparmor.d
# Of those that the system starts; see apparmor.d(5).
PROFILES = signetd signet-logind signet-fprint signet-hid
BUSFILES = Sources/helpers/signet-fprint/bus
AGENTUNITS = signet-agent.socket signet-agent.service
KEYUNITS = signet-ssh.socket signet-ssh.service
USERUNITS = $(AGENTUNITS) $(KEYUNITS) signet-secrets.service signet-passkey.service
# What a user links into their own folders to turn the Secret Service on; see signet-secrets(8).
SECRETSDIR = $(PREFIX)/share/signet/secrets
SECRETSFILES = Sources/helpers/signet-secrets/bus
# With P11KIT=yes every program that uses p11-kit loads the PKCS#11 module, browsers too; otherwise those that name it.
P11KIT ?= no
P11KITDIR ?= /usr/share/p11-kit/modules

FUZZ_TARGETS = to-signetd from-signetd configuration state vault connection assuan hid ctap

.PHONY: all in-place words version deb source test-vm test-settings picture deps keyrings sudo-rs fprintd demo ready others test tests tests-with-others check test-guest test-reader fuzz tsan asan arm bench crowd install install-files built uninstall purge lint clean

# As they are installed, for whoever starts them where they were built.
LINK_NAMES = @for name in $(NAMES); do ln -sf signet "$(RELEASE)/$$name" || exit 1; done

all: $(ARCHIVES) $(CATALOGUES)
	$(SWIFT_BUILD)
	$(LINK_NAMES)
	@$(MAKE) --no-print-directory $(SWIFT_LIBRARY)

# After the release build, which has the objects in C.
$(SWIFT_LIBRARY): $(SWIFT_SOURCES)
	Sources/tools/packaging/build-swift $(RELEASE) $(CURDIR)/$(@D)

.build/locale/%.mo: Sources/ground/SignetWords/po/%.po
	@mkdir -p $(@D)
	msgfmt --check-format --check-domain -o $@ $<

# The template with every sentence of the sources, and what each language lacks of it, to be translated.
words:
	@mkdir -p .build
	.ci/extract-words Sources > .build/signet.pot
	@mv .build/signet.pot Sources/ground/SignetWords/po/signet.pot
	@for language in $(LANGUAGES); do \
	  msgmerge --quiet --update --backup=none --no-fuzzy-matching --no-wrap Sources/ground/SignetWords/po/$$language.po \
	    Sources/ground/SignetWords/po/signet.pot && \
	  msgattrib --no-obsolete --no-wrap -o Sources/ground/SignetWords/po/$$language.po Sources/ground/SignetWords/po/$$language.po || exit 1; done

# Before anything is compiled. The compiler keeps absolute paths of what it has built, and fails in them where the checkout has been moved.
in-place:
	@mkdir -p .build
	@[ ! -e .build/folder ] || [ "$$(cat .build/folder)" = "$(CURDIR)" ] || { \
	  echo "This was built in $$(cat .build/folder), and now it is in $(CURDIR): say \`make clean\` first" >&2; exit 1; }
	@echo "$(CURDIR)" > .build/folder

$(ARCHIVES): | in-place

# In a folder of its own (Package.swift), so that the linker takes this one of the C++ library's two forms.
$(CXX_ARCHIVE):
	@mkdir -p $(@D)
	@ln -sf "$$(clang -print-file-name=$(@F))" $@

# Of Embedded Swift, where its compiler does not look by itself.
$(UNICODE_ARCHIVE):
	@mkdir -p $(@D)
	@ln -sf "$$(dirname "$$(realpath "$$(command -v swiftc)")")/../lib/swift/embedded/$$(uname -m)-unknown-linux-gnu/$(@F)" $@

deps:
	@.ci/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)

keyrings:
	@.ci/install-packages $(KEYRING_PACKAGES) $(SCRIPT_PACKAGES)

sudo-rs:
	@.ci/install-sudo-rs .build/sudo-rs || echo "make test: Debian 13's sudo-rs cannot be had here: its tests are skipped" >&2

fprintd:
	@.ci/install-fprintd .build/fprintd || echo "make test: Debian's fprintd cannot be had here: its tests are skipped" >&2

# For somebody who looks at this for the first time, so it installs and builds what it runs. Where `make test` has brought identity
# providers, it signs in at one, too.
demo: $(ARCHIVES)
ifeq ($(wildcard .build/providers/requirements.txt),)
	@.ci/install-packages $(BUILD_PACKAGES) $(DEMO_PACKAGES)
	SIGNET_DEMO=1 $(SWIFT_BUILD)
	@$(RELEASE)/signet-demo
else
	$(SWIFT_BUILD)
	@SIGNET_PROVIDERS=$(CURDIR)/.build/providers $(RELEASE)/signet-demo
endif

lint:
	swift format lint --strict --recursive Sources Tests Package.swift

# What tests run and what the gates look at (exports, libraries, sizes) is the build that is installed.
test check: export SIGNET_RELEASE_DIR = $(RELEASE)
test check: export SIGNET_RECORDINGS = $(abspath $(RECORDINGS))
test check: export SIGNET_PRINTS = $(abspath $(PRINTS))
test check stress: export SIGNET_FPRINTD = $(CURDIR)/.build/fprintd

# All that needs no virtual machine. Each part runs whatever came of those before it, and at the end stands how long each took.
test:
	@.ci/part --begin
	@.ci/part "the build" $(MAKE) --no-print-directory ready && $(MAKE) --no-print-directory tests; .ci/part --sum

# Everything, and a part that could not be run, or a test that is skipped, fails it. Guests of the booted machine have limits that a
# person has, so that they are not started before the tests have ended, and what only computes has the time that all else leaves. The
# sanitizers' tests have a tenth of it: a signet-reader that gets none does not open its reader in the seconds that it has for that.
check: export SIGNET_WHOLE = 1
check: export IDLE = $(CURDIR)/.ci/idle
check: export SHARE = $(CURDIR)/.ci/idle -n 10
check:
	@.ci/part --begin
	@.ci/part "the build" $(MAKE) --no-print-directory ready MORE_PACKAGES="$(MACHINE_PACKAGES) $(ARM_PACKAGES)" && { \
	  $(MAKE) --no-print-directory tests & tests=$$!; \
	  for part in fuzz tsan asan arm; do .ci/part $$part $(MAKE) --no-print-directory $$part || :; done & \
	  .ci/part "the guest" .ci/idle $(MAKE_GUEST) && made=1 || made=; \
	  wait $$tests; \
	  [ -z "$$made" ] || .ci/part "the booted machine" $(MAKE) --no-print-directory test-guest || :; \
	  wait; \
	  SIGNET_EMULATED=$(EMULATED) .ci/part "reports of emulated readers" .ci/run-tests --filter EmulatedReaderTests || :; \
	}; .ci/part --sum --whole

ready: deps keyrings sudo-rs fprintd lint $(ARCHIVES) $(CATALOGUES)
	@$(MAKE) --no-print-directory others & $(SWIFT_BUILD) --build-tests && wait
	$(LINK_NAMES)
	@$(MAKE) --no-print-directory $(SWIFT_LIBRARY)
	@rm -rf .build/hardware-matrix.json $(EMULATED)

# Logins, recorded readers and providers mostly wait for other processes, so that the other tests run beside them. SignetAuth's, which
# await answers with time limits, have a process of their own: in one with tests that block (most of the others, each on one of the few
# threads for tasks) they would wait for a thread until their limits are over.
tests:
	@[ "$$(id -u)" = 0 ] || echo "make test: not root, so the tests of sudo, login and of dropping rights are skipped" >&2
	@.ci/part "logins and readers" .ci/run-tests --filter '^(Login|Hardware)Tests\.' --skip '^HardwareTests\.EmulatedReaderTests' & \
	  $(MAKE) --no-print-directory tests-with-others & \
	  .ci/part "everything else" .ci/run-tests --skip '^(SignetAuth|Provider|SignetAgent|Login|Hardware)Tests\.'; \
	  .ci/part "token services" .ci/run-tests --filter '^SignetAuthTests\.'; \
	  wait

# With identity providers, greeters and lockers as others wrote them.
tests-with-others:
	@.ci/part "identity providers" .ci/run-provider-tests "$(CURDIR)/.build/providers" || :
	@.ci/part "greeters and lockers" .ci/run-desktop-tests "$(RELEASE)" "$(CURDIR)/.build/desktops" $(DESKTOP_PACKAGES) || :

# What those need, while there is a build to wait for: packages must not come while tests run. What cannot be had is named by them.
others:
	@.ci/install-packages $(DESKTOP_PACKAGES) || :
	@.ci/install-packages $(MORE_PACKAGES) || :
	@Tests/Providers/install "$(CURDIR)/.build/providers" && Tests/Providers/install-glewlwyd || :

# The settings of GNOME and Plasma enroll and delete fingers; what they show is in .build/desktops/pictures.
test-settings: ready
	@.ci/install-packages $(SETTINGS_PACKAGES)
	@/usr/bin/python3 -B Tests/Desktops/run.py "$(RELEASE)" --settings

# README's picture, of a real terminal.
picture: all
	@.ci/install-packages $(TEST_PACKAGES)
	@/usr/bin/python3 -B Tests/Picture/draw.py $(RELEASE) Tests/Picture/terminal.svg

# Signet's packages in a Debian that boots under QEMU; DEBIAN=trixie for another one, DESKTOP=gnome for one with a desktop, BROWSERS=1 for
# one with browsers, SELINUX=1 for one that SELinux confines, STORIES=WORD,... for some of the stories.
test-vm: all
	@$(MAKE_GUEST)
	@$(MAKE) --no-print-directory test-guest

MAKE_GUEST = .ci/make-guest "$(DEBIAN)" .build/machine/$(GUEST) "$(KIND)" $(MACHINE_PACKAGES)
test-guest:
	@/usr/bin/python3 -B Tests/Machine/run.py --image .build/machine/$(GUEST) --packages .build/deb --work .build/machine/work/$(GUEST) \
	  --prints "$(abspath $(PRINTS))" --only "$(STORIES)" --cuts $(CUTS) --kind "$(KIND)"

# The reader on this desk, with the signetd that is installed: leads a person through it. As oneself, not as root.
test-reader: deps $(ARCHIVES)
	$(SWIFT_BUILD) --product signet
	@$(RELEASE)/signet selftest --output .build/reader

# In a folder of its own: instrumented objects must not be mistaken for those that are installed. The sanitizers are named
# once more, together: of two options of their own the compiler takes the last, and their order is SwiftPM's whim.
fuzz: deps
	SIGNET_FUZZ=1 $(IDLE) swift build -c release --product fuzz --scratch-path .build/fuzz -Xswiftc -enable-testing \
	  --sanitize=fuzzer --sanitize=address -Xswiftc -sanitize=fuzzer,address
	@$(IDLE) Tests/Fuzz/run.sh .build/fuzz/release/fuzz $(FUZZ_SECONDS) $(FUZZ_SEED) .build/fuzz-artifacts $(FUZZ_TARGETS)

# The parts are built by name: all of the package, with everybody's tests, would take minutes more.
tsan: deps
	SIGNET_TSAN=1 $(IDLE) swift build --sanitize=thread --scratch-path .build/tsan --product signetd
	SIGNET_TSAN=1 $(IDLE) swift build --sanitize=thread --scratch-path .build/tsan --product signetPackageTests
	SIGNET_TSAN=1 $(IDLE) swift build --sanitize=thread --scratch-path .build/tsan --product apple-crowd
	@$(SHARE) Tests/ThreadSanitizer/run.sh .build/tsan $(RELEASE)

# What can be compiled for aarch64 here.
arm:
	@.ci/install-packages $(ARM_PACKAGES)
	@$(IDLE) .ci/compile-for-arm .build/arm

# The libraries' crowd with the address sanitizer, which also finds what nobody frees. libsignet's own is among its tests.
asan: deps
	$(IDLE) swift build --sanitize=address --scratch-path .build/asan --product apple-crowd
	SIGNET_SANITIZED_CROWD=$(CURDIR)/.build/asan/debug/apple-crowd \
	  $(SHARE) .ci/run-tests --filter '^LocalAuthenticationTests\.CrowdTests/'

# Fifty hostile users against one owner for a minute, by the goals as they are; `make test` has them for ten seconds.
crowd: ready
	SIGNET_RELEASE_DIR=$(RELEASE) SIGNET_CROWD_SECONDS=$(CROWD_SECONDS) SIGNET_CROWD_STRICT=1 .ci/run-tests --filter CrowdTests

bench: deps keyrings all
	@/usr/bin/python3 -B Tests/Benchmarks/bench.py $(RELEASE) $(CURDIR)/.build/peer $(if $(STRICT),--strict)

# Nothing is built here: this is run as root, who may not even have the compiler.
install: install-files
	@if [ -z "$(DESTDIR)" ]; then .ci/after-install; fi

built:
	@for file in $(PROGRAMS) signet $(MODULES) $(LIBRARY) $(PKCS11); do \
	  [ -e "$(RELEASE)/$$file" ] || { echo "$(RELEASE)/$$file is missing: say \`make\` first, as yourself" >&2; exit 1; }; done
	@for file in $(CATALOGUES) $(SWIFT_LIBRARY); do \
	  [ -e "$$file" ] || { echo "$$file is missing: say \`make\` first, as yourself" >&2; exit 1; }; done

version:
	@echo $(VERSION)

# Debian packages of what was built, in .build/deb.
deb: all
	@.ci/install-packages $(PACKAGING_PACKAGES)
	@Sources/tools/packaging/build-deb $(VERSION)

# Debian's source package of the newest commit, in .build/source: `dpkg-buildpackage` builds it without a network, where Swift is.
source:
	@.ci/install-packages dpkg-dev
	@swift package resolve >/dev/null
	@Sources/tools/packaging/build-deb $(VERSION) source

# Modes are named one by one: whatever the umask, nobody but the owner may write a file of ours.
install-files: built
	install -d "$(DESTDIR)$(PREFIX)/libexec/signet" "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PAMDIR)"
	install -m 755 -s $(PROGRAMS:%=$(RELEASE)/%) "$(DESTDIR)$(PREFIX)/libexec/signet"
	install -m 755 -s $(RELEASE)/signet "$(DESTDIR)$(PREFIX)/bin"
	for name in $(NAMES); do ln -sf signet "$(DESTDIR)$(PREFIX)/bin/$$name" || exit 1; done
	ln -sf signet-credential "$(DESTDIR)$(PREFIX)/bin/docker-credential-signet"
	install -m 644 -s $(RELEASE)/libpam_signet.so "$(DESTDIR)$(PAMDIR)/pam_signet.so"
	install -d "$(DESTDIR)$(LIBDIR)/pkgconfig" "$(DESTDIR)$(PREFIX)/include/signet"
	install -m 644 -s $(RELEASE)/$(LIBRARY) "$(DESTDIR)$(LIBDIR)/libsignet.so.$(VERSION)"
	ln -sf libsignet.so.$(VERSION) "$(DESTDIR)$(LIBDIR)/libsignet.so.0"
	ln -sf libsignet.so.0 "$(DESTDIR)$(LIBDIR)/libsignet.so"
	install -d "$(DESTDIR)$(LIBDIR)/pkcs11"
	install -m 644 -s $(RELEASE)/$(PKCS11) "$(DESTDIR)$(LIBDIR)/pkcs11/signet-pkcs11.so"
	[ "$(P11KIT)" != yes ] || { install -d "$(DESTDIR)$(P11KITDIR)" && \
	  install -m 644 Sources/applications/signet-pkcs11/signet.module "$(DESTDIR)$(P11KITDIR)"; }
	install -m 644 Sources/applications/libsignet/include/signet.h Sources/applications/libsignet/include/module.modulemap \
	  "$(DESTDIR)$(PREFIX)/include/signet"
	sed 's,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(LIBDIR),; s,@VERSION@,$(VERSION),' Sources/applications/libsignet/signet.pc.in \
	  > "$(DESTDIR)$(LIBDIR)/pkgconfig/signet.pc"
	chmod 644 "$(DESTDIR)$(LIBDIR)/pkgconfig/signet.pc"
	install -d "$(DESTDIR)$(LIBDIR)/signet-swift"
	install -m 644 $(SWIFT_LIBRARY) "$(DESTDIR)$(LIBDIR)"
	install -m 644 $(SWIFT_MODULES) "$(DESTDIR)$(LIBDIR)/signet-swift"
	sed "s,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(LIBDIR),; s,@VERSION@,$(VERSION),; s,@SWIFT@,$$(cat .build/swift/compiler)," \
	  Sources/tools/packaging/signet-swift.pc.in > "$(DESTDIR)$(LIBDIR)/pkgconfig/signet-swift.pc"
	chmod 644 "$(DESTDIR)$(LIBDIR)/pkgconfig/signet-swift.pc"
	install -d "$(DESTDIR)$(UNITDIR)" "$(DESTDIR)$(SYSUSERSDIR)" "$(DESTDIR)$(TMPFILESDIR)" "$(DESTDIR)$(UDEVDIR)"
	for unit in $(SERVICES); do \
	  sed 's,/usr/libexec/signet,$(PREFIX)/libexec/signet,; s,/usr/bin/signet,$(PREFIX)/bin/signet,' \
	    Sources/signetd/signetd/systemd/$$unit > "$(DESTDIR)$(UNITDIR)/$$unit" && \
	  chmod 644 "$(DESTDIR)$(UNITDIR)/$$unit" || exit 1; done
	install -m 644 Sources/signetd/signetd/systemd/signetd.socket "$(DESTDIR)$(UNITDIR)/signetd.socket"
	for unit in $(HIDUNITS); do \
	  sed 's,/usr/libexec/signet,$(PREFIX)/libexec/signet,' Sources/helpers/signet-hid/systemd/$$unit > "$(DESTDIR)$(UNITDIR)/$$unit" && \
	  chmod 644 "$(DESTDIR)$(UNITDIR)/$$unit" || exit 1; done
	install -m 644 udev/72-signet-hid.rules "$(DESTDIR)$(UDEVDIR)/72-signet-hid.rules"
	install -d "$(DESTDIR)$(USERUNITDIR)"
	for file in $(AGENTUNITS:%=Sources/tokens/signet-agent/systemd/%) $(KEYUNITS:%=Sources/tools/signet/systemd/%) \
	  $(SECRETSFILES)/signet-secrets.service Sources/helpers/signet-passkey/systemd/signet-passkey.service; do \
	  unit="$(DESTDIR)$(USERUNITDIR)/$${file##*/}" && \
	  sed 's,/usr/libexec/signet,$(PREFIX)/libexec/signet,; s,/usr/bin/signet,$(PREFIX)/bin/signet,' $$file > "$$unit" && chmod 644 "$$unit" || exit 1; done
	install -d "$(DESTDIR)$(SECRETSDIR)/dbus-1/services"
	sed 's,/usr/libexec/signet,$(PREFIX)/libexec/signet,' $(SECRETSFILES)/org.freedesktop.secrets.service \
	  > "$(DESTDIR)$(SECRETSDIR)/dbus-1/services/org.freedesktop.secrets.service"
	chmod 644 "$(DESTDIR)$(SECRETSDIR)/dbus-1/services/org.freedesktop.secrets.service"
	install -m 644 Sources/signetd/signetd/systemd/signet.sysusers "$(DESTDIR)$(SYSUSERSDIR)/signet.conf"
	install -m 644 Sources/signetd/signetd/systemd/signet.tmpfiles "$(DESTDIR)$(TMPFILESDIR)/signet.conf"
	install -m 644 udev/72-signet.rules "$(DESTDIR)$(UDEVDIR)/72-signet.rules"
	install -d "$(DESTDIR)$(APPARMORDIR)"
	for profile in $(PROFILES); do \
	  sed 's,/usr/libexec/signet,$(PREFIX)/libexec/signet,' Sources/tools/packaging/apparmor/$$profile > "$(DESTDIR)$(APPARMORDIR)/$$profile" && \
	  chmod 644 "$(DESTDIR)$(APPARMORDIR)/$$profile" || exit 1; done
	install -d "$(DESTDIR)$(PAMCONFIGDIR)" "$(DESTDIR)/etc/pam.d"
	install -m 644 pam/signet.pam-config "$(DESTDIR)$(PAMCONFIGDIR)/signet"
	install -m 644 pam/signet-passcode "$(DESTDIR)/etc/pam.d/signet-passcode"
	install -d $(patsubst %,"$(DESTDIR)$(PREFIX)/share/man/man%",1 3 5 7 8)
	install -m 644 Sources/tools/signet/signet.1 Sources/tools/signet/signet-vault.1 Sources/tools/signet/signet-key.1 $(NAMES:%=Sources/tools/signet/%.1) \
	  Sources/tokens/signet-agent/signet-agent.1 \
	  "$(DESTDIR)$(PREFIX)/share/man/man1"
	ln -sf signet-credential.1 "$(DESTDIR)$(PREFIX)/share/man/man1/docker-credential-signet.1"
	install -m 644 Sources/applications/libsignet/signet.3 "$(DESTDIR)$(PREFIX)/share/man/man3"
	install -m 644 Sources/signetd/signetd/signet.conf.5 Sources/tools/signet/signet-json.5 "$(DESTDIR)$(PREFIX)/share/man/man5"
	install -d "$(DESTDIR)$(DOCDIR)/examples"
	sed -n -f Sources/signetd/signetd/signet.conf.sed Sources/signetd/signetd/signet.conf.5 > "$(DESTDIR)$(DOCDIR)/examples/signet.conf"
	chmod 644 "$(DESTDIR)$(DOCDIR)/examples/signet.conf"
	install -d "$(DESTDIR)$(DOCDIR)/selinux"
	install -m 644 Sources/tools/packaging/selinux/* "$(DESTDIR)$(DOCDIR)/selinux"
	install -m 644 Sources/tools/signet/signet-auth.7 Sources/tools/signet/signet-fleet.7 "$(DESTDIR)$(PREFIX)/share/man/man7"
	install -m 644 Sources/signetd/signetd/signetd.8 Sources/login/pam_signet/pam_signet.8 Sources/desktop/signet-prompt/signet-prompt.8 \
	  Sources/helpers/signet-fprint/signet-fprint.8 Sources/helpers/signet-secrets/signet-secrets.8 \
	  Sources/helpers/signet-hid/signet-hid.8 Sources/helpers/signet-passkey/signet-passkey.8 \
	  "$(DESTDIR)$(PREFIX)/share/man/man8"
	[ "$(FPRINTD)" != yes ] || { install -d "$(DESTDIR)$(DBUSDIR)/system-services" "$(DESTDIR)$(DBUSDIR)/system.d" \
	    "$(DESTDIR)$(POLKITDIR)" && \
	  install -m 644 -s $(RELEASE)/libpam_fprintd.so "$(DESTDIR)$(PAMDIR)/pam_fprintd.so" && \
	  install -m 644 Sources/login/pam_fprintd/pam_fprintd.8 "$(DESTDIR)$(PREFIX)/share/man/man8" && \
	  install -m 644 $(BUSFILES)/net.reactivated.Fprint.conf "$(DESTDIR)$(DBUSDIR)/system.d" && \
	  install -m 644 $(BUSFILES)/net.reactivated.fprint.device.policy "$(DESTDIR)$(POLKITDIR)" && \
	  sed 's,/usr/libexec/signet,$(PREFIX)/libexec/signet,' $(BUSFILES)/net.reactivated.Fprint.service \
	    > "$(DESTDIR)$(DBUSDIR)/system-services/net.reactivated.Fprint.service" && \
	  chmod 644 "$(DESTDIR)$(DBUSDIR)/system-services/net.reactivated.Fprint.service"; }
	for language in $(LANGUAGES); do \
	  install -d "$(DESTDIR)$(LOCALEDIR)/$$language/LC_MESSAGES" && \
	  install -m 644 .build/locale/$$language.mo "$(DESTDIR)$(LOCALEDIR)/$$language/LC_MESSAGES/signet.mo" || exit 1; done
	install -d "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	LC_ALL=C $(RELEASE)/signet --generate-completion-script bash | sed '1{/^#!/d}' > "$(DESTDIR)$(BASHDIR)/signet"
	LC_ALL=C $(RELEASE)/signet --generate-completion-script zsh > "$(DESTDIR)$(ZSHDIR)/_signet"
	LC_ALL=C $(RELEASE)/signet --generate-completion-script fish > "$(DESTDIR)$(FISHDIR)/signet.fish"
	chmod 644 "$(DESTDIR)$(BASHDIR)/signet" "$(DESTDIR)$(ZSHDIR)/_signet" "$(DESTDIR)$(FISHDIR)/signet.fish"

# The profile goes before the module: at no moment does a PAM stack name a file that is not there.
uninstall:
	@if [ -z "$(DESTDIR)" ]; then .ci/before-uninstall "$(UNITDIR)" "$(PAMDIR)"; fi
	rm -f "$(DESTDIR)$(PAMCONFIGDIR)/signet" "$(DESTDIR)/etc/pam.d/signet-passcode"
	rm -f "$(DESTDIR)$(PAMDIR)/pam_signet.so"
	rm -f $(patsubst %,"$(DESTDIR)$(PREFIX)/bin/%",signet $(NAMES) docker-credential-signet)
	rm -f $(PROGRAMS:%="$(DESTDIR)$(PREFIX)/libexec/signet/%")
	[ ! -d "$(DESTDIR)$(PREFIX)/libexec/signet" ] || rmdir "$(DESTDIR)$(PREFIX)/libexec/signet"
	rm -f $(patsubst %,"$(DESTDIR)$(LIBDIR)/libsignet.so%",.$(VERSION) .0) "$(DESTDIR)$(LIBDIR)/libsignet.so"
	rm -f "$(DESTDIR)$(LIBDIR)/pkcs11/signet-pkcs11.so" "$(DESTDIR)$(P11KITDIR)/signet.module"
	rm -f "$(DESTDIR)$(LIBDIR)/pkgconfig/signet.pc" "$(DESTDIR)$(PREFIX)/share/man/man3/signet.3"
	rm -f "$(DESTDIR)$(LIBDIR)/pkgconfig/signet-swift.pc" "$(DESTDIR)$(LIBDIR)/libsignet-swift.a"
	rm -rf "$(DESTDIR)$(LIBDIR)/signet-swift"
	rm -f $(patsubst %,"$(DESTDIR)$(PREFIX)/include/signet/%",signet.h module.modulemap)
	[ ! -d "$(DESTDIR)$(PREFIX)/include/signet" ] || rmdir "$(DESTDIR)$(PREFIX)/include/signet"
	rm -f $(SERVICES:%="$(DESTDIR)$(UNITDIR)/%") "$(DESTDIR)$(UNITDIR)/signetd.socket" $(HIDUNITS:%="$(DESTDIR)$(UNITDIR)/%")
	rm -f "$(DESTDIR)$(UDEVDIR)/72-signet-hid.rules" $(PROFILES:%="$(DESTDIR)$(APPARMORDIR)/%")
	rm -f $(USERUNITS:%="$(DESTDIR)$(USERUNITDIR)/%")
	rm -f "$(DESTDIR)$(SYSUSERSDIR)/signet.conf" "$(DESTDIR)$(TMPFILESDIR)/signet.conf" "$(DESTDIR)$(UDEVDIR)/72-signet.rules"
	rm -f $(patsubst %,"$(DESTDIR)$(PREFIX)/share/man/man1/%.1",signet signet-vault signet-key $(NAMES) signet-agent docker-credential-signet)
	rm -f $(patsubst %,"$(DESTDIR)$(PREFIX)/share/man/man5/%.5",signet.conf signet-json)
	rm -rf "$(DESTDIR)$(DOCDIR)"
	rm -f $(patsubst %,"$(DESTDIR)$(PREFIX)/share/man/man7/%.7",signet-auth signet-fleet)
	rm -f "$(DESTDIR)$(PREFIX)/share/man/man8/signetd.8" "$(DESTDIR)$(PREFIX)/share/man/man8/pam_signet.8"
	rm -f "$(DESTDIR)$(PREFIX)/share/man/man8/signet-prompt.8" "$(DESTDIR)$(PREFIX)/share/man/man8/signet-fprint.8"
	rm -f "$(DESTDIR)$(PREFIX)/share/man/man8/signet-secrets.8" "$(DESTDIR)$(PREFIX)/share/man/man8/signet-hid.8"
	rm -f "$(DESTDIR)$(PREFIX)/share/man/man8/signet-passkey.8"
	rm -rf "$(DESTDIR)$(PREFIX)/share/signet"
	! grep -qs signet-fprint "$(DESTDIR)$(DBUSDIR)/system-services/net.reactivated.Fprint.service" || \
	  rm -f "$(DESTDIR)$(DBUSDIR)/system-services/net.reactivated.Fprint.service" \
	  "$(DESTDIR)$(DBUSDIR)/system.d/net.reactivated.Fprint.conf" "$(DESTDIR)$(POLKITDIR)/net.reactivated.fprint.device.policy"
	! grep -qs /run/signet/socket "$(DESTDIR)$(PAMDIR)/pam_fprintd.so" || \
	  rm -f "$(DESTDIR)$(PAMDIR)/pam_fprintd.so" "$(DESTDIR)$(PREFIX)/share/man/man8/pam_fprintd.8"
	rm -f $(LANGUAGES:%="$(DESTDIR)$(LOCALEDIR)/%/LC_MESSAGES/signet.mo")
	rm -f "$(DESTDIR)$(BASHDIR)/signet" "$(DESTDIR)$(ZSHDIR)/_signet" "$(DESTDIR)$(FISHDIR)/signet.fish"
	@if [ -z "$(DESTDIR)" ]; then .ci/after-uninstall; fi

# Fingers, vaults and settings as well, for good.
purge: uninstall
	@if [ -z "$(DESTDIR)" ]; then .ci/purge; fi

clean:
	rm -rf .build

# The tests of `make test` over and over: whether a busy machine, or chance, makes one of them fail.
RUNS ?= 10
.PHONY: stress
stress: export SIGNET_RELEASE_DIR = $(RELEASE)
stress: export SIGNET_RECORDINGS = $(abspath $(RECORDINGS))
stress: export SIGNET_PRINTS = $(abspath $(PRINTS))
stress: ready
	@MAKE=$(MAKE) .ci/stress $(RUNS)
