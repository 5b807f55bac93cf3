import SignetLanguage

/// What a module's answer in an auth stack says about the user.
enum ModuleKind: String, Sendable {
  case signet
  /// It asks for the passcode.
  case passcode
  /// It asks for another credential: a security key, a code, a finger at another module. The user may or may not have it.
  case factor
  /// It lets some users in for who they are, such as root, without asking anything. It is no way in for everybody else.
  case identity
  /// Its answer depends on circumstances, such as the time of day, and says nothing about who is there.
  case condition
  case permit, deny
}

/// A module that this version knows.
struct KnownModule: Sendable {
  var name: String
  var kind: ModuleKind
  /// What it does, as part of a sentence. Nobody is told that of what asks for a credential: it stays as the source has it.
  var reason: String
  /// Whether it asks the user a question of its own, besides the passcode.
  var asks = false
  /// Whether it counts failures, and slows down or refuses who has too many.
  var counts: Bool { name == "pam_faillock.so" || name == "pam_tally2.so" }
  /// Whether it asks somebody who may be away: all but those who read the machine's own files.
  var isRemote: Bool { kind == .passcode && !["pam_unix.so", "pam_unix2.so", "pam_tcb.so"].contains(name) }
  /// Whether it may answer PAM_IGNORE without having seen a credential. libpam does not take that for a refusal.
  var mayIgnore = true
}

extension KnownModule {
  /// Looks a module up by its file's name. A folder in front of the name makes no difference.
  static func find(_ module: [UInt8], arguments: [String]) -> KnownModule {
    let name = String(decoding: module.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    guard var known = all.first(where: { $0.name == name }) else {
      return KnownModule(name: name, kind: .factor, reason: "unknown, so it is taken for a credential", asks: true)
    }
    // Only `trust` makes pam_wheel let members of the group in. Without it the module merely keeps others out.
    if name == "pam_wheel.so", !arguments.contains("trust") { known.kind = .condition }
    return known
  }

  static let all: [KnownModule] = [
    KnownModule(name: "pam_signet.so", kind: .signet, reason: "ours"),
    KnownModule(name: "pam_permit.so", kind: .permit, reason: say("always succeeds"), mayIgnore: false),
    KnownModule(name: "pam_deny.so", kind: .deny, reason: say("always fails"), mayIgnore: false),

    KnownModule(name: "pam_unix.so", kind: .passcode, reason: "asks for the passcode of /etc/shadow", mayIgnore: false),
    KnownModule(name: "pam_unix2.so", kind: .passcode, reason: "asks for the passcode of /etc/shadow"),
    KnownModule(name: "pam_tcb.so", kind: .passcode, reason: "asks for the passcode of /etc/tcb"),
    KnownModule(name: "pam_sss.so", kind: .passcode, reason: "asks for the passcode that sssd checks"),
    KnownModule(name: "pam_ldap.so", kind: .passcode, reason: "asks for the passcode of the directory"),
    KnownModule(name: "pam_krb5.so", kind: .passcode, reason: "asks for the Kerberos passcode"),
    KnownModule(name: "pam_winbind.so", kind: .passcode, reason: "asks for the passcode of the domain"),
    KnownModule(name: "pam_himmelblau.so", kind: .passcode, reason: "asks for the passcode of the tenant"),
    KnownModule(name: "pam_kanidm.so", kind: .passcode, reason: "asks for the passcode that kanidm checks"),
    KnownModule(name: "pam_systemd_home.so", kind: .passcode, reason: "asks for the passcode of the home"),
    KnownModule(name: "pam_userdb.so", kind: .passcode, reason: "asks for the passcode of a database"),
    KnownModule(name: "pam_pwdfile.so", kind: .passcode, reason: "asks for the passcode of a file"),
    KnownModule(name: "pam_matrix.so", kind: .passcode, reason: "asks for the passcode of a test's file"),
    KnownModule(name: "pam_radius_auth.so", kind: .passcode, reason: "asks for the passcode of a server"),
    KnownModule(name: "pam_tacplus.so", kind: .passcode, reason: "asks for the passcode of a server"),

    KnownModule(name: "pam_fprintd.so", kind: .factor, reason: "fprintd's finger"),
    KnownModule(name: "pam_howdy.so", kind: .factor, reason: "a face"),
    KnownModule(name: "pam_u2f.so", kind: .factor, reason: "a security key"),
    KnownModule(name: "pam_yubico.so", kind: .factor, reason: "a security key's code", asks: true),
    KnownModule(name: "pam_google_authenticator.so", kind: .factor, reason: "a one-time code", asks: true),
    KnownModule(name: "pam_oath.so", kind: .factor, reason: "a one-time code", asks: true),
    KnownModule(name: "pam_duo.so", kind: .factor, reason: "a second device", asks: true),
    KnownModule(name: "pam_pkcs11.so", kind: .factor, reason: "a smart card and its PIN", asks: true),
    KnownModule(name: "pam_p11.so", kind: .factor, reason: "a smart card and its PIN", asks: true),
    KnownModule(name: "pam_ssh_agent_auth.so", kind: .factor, reason: "a key in the caller's agent"),
    KnownModule(name: "pam_usb.so", kind: .factor, reason: "a memory stick"),

    KnownModule(name: "pam_rootok.so", kind: .identity, reason: say("lets root in"), mayIgnore: false),
    KnownModule(name: "pam_wheel.so", kind: .identity, reason: say("with trust it lets a group in")),
    KnownModule(name: "pam_rhosts.so", kind: .identity, reason: say("lets trusted hosts in")),
    KnownModule(name: "pam_timestamp.so", kind: .identity, reason: say("lets in whoever was let in a moment ago")),
    KnownModule(name: "pam_cockpit_cert.so", kind: .identity, reason: say("lets in whoever has shown a certificate")),

    KnownModule(name: "pam_env.so", kind: .condition, reason: say("sets variables")),
    KnownModule(name: "pam_faildelay.so", kind: .condition, reason: say("sets the delay after a failure")),
    KnownModule(name: "pam_nologin.so", kind: .condition, reason: say("looks whether logins are closed")),
    KnownModule(name: "pam_securetty.so", kind: .condition, reason: say("looks at root's terminal")),
    KnownModule(name: "pam_cap.so", kind: .condition, reason: say("sets capabilities")),
    KnownModule(name: "pam_group.so", kind: .condition, reason: say("sets groups")),
    KnownModule(name: "pam_faillock.so", kind: .condition, reason: say("counts failures")),
    KnownModule(name: "pam_tally2.so", kind: .condition, reason: say("counts failures")),
    KnownModule(name: "pam_gnome_keyring.so", kind: .condition, reason: say("keeps the passcode for the keyring")),
    KnownModule(name: "pam_kwallet.so", kind: .condition, reason: say("keeps the passcode for the wallet")),
    KnownModule(name: "pam_kwallet5.so", kind: .condition, reason: say("keeps the passcode for the wallet")),
    KnownModule(name: "pam_mount.so", kind: .condition, reason: say("keeps the passcode for mounting")),
    KnownModule(name: "pam_ecryptfs.so", kind: .condition, reason: say("keeps the passcode for the home")),
    KnownModule(name: "pam_fscrypt.so", kind: .condition, reason: say("keeps the passcode for the home")),
    KnownModule(name: "pam_limits.so", kind: .condition, reason: say("sets limits")),
    KnownModule(name: "pam_succeed_if.so", kind: .condition, reason: say("compares the user's properties")),
    KnownModule(name: "pam_localuser.so", kind: .condition, reason: say("looks whether the user is in /etc/passwd")),
    KnownModule(name: "pam_usertype.so", kind: .condition, reason: say("looks at the user's number")),
    KnownModule(name: "pam_access.so", kind: .condition, reason: say("looks who may come from where")),
    KnownModule(name: "pam_listfile.so", kind: .condition, reason: say("looks into a list")),
    KnownModule(name: "pam_time.so", kind: .condition, reason: say("looks at the clock")),
    KnownModule(name: "pam_shells.so", kind: .condition, reason: say("looks at the user's shell")),
    KnownModule(name: "pam_sepermit.so", kind: .condition, reason: say("looks at SELinux")),
    KnownModule(name: "pam_warn.so", kind: .condition, reason: say("logs")),
    KnownModule(name: "pam_echo.so", kind: .condition, reason: say("shows a text")),
    KnownModule(name: "pam_issue.so", kind: .condition, reason: say("shows a text")),
    KnownModule(name: "pam_motd.so", kind: .condition, reason: say("shows a text")),
    KnownModule(name: "pam_mail.so", kind: .condition, reason: say("shows a text")),
    KnownModule(name: "pam_lastlog.so", kind: .condition, reason: say("shows the last login")),
    KnownModule(name: "pam_keyinit.so", kind: .condition, reason: say("sets the keyring")),
    KnownModule(name: "pam_systemd_loadkey.so", kind: .condition, reason: say("reads a key from the keyring")),
    KnownModule(name: "pam_umask.so", kind: .condition, reason: say("sets the mask")),
    KnownModule(name: "pam_debug.so", kind: .condition, reason: say("answers what its line says")),
  ]
}
