/// What Debian 12 has below /etc/pam.d and in its profiles, without comments: a test is about these, not about those of the
/// machine that it runs on, where packages come and go and administrators write.
enum DebianServices {
  static let all = [
    "login": """
    auth optional pam_faildelay.so delay=3000000
    auth requisite pam_nologin.so
    session [success=ok ignore=ignore module_unknown=ignore default=bad] pam_selinux.so close
    session required pam_loginuid.so
    session optional pam_motd.so motd=/run/motd.dynamic
    session optional pam_motd.so noupdate
    session [success=ok ignore=ignore module_unknown=ignore default=bad] pam_selinux.so open
    session required pam_env.so readenv=1
    session required pam_env.so readenv=1 envfile=/etc/default/locale
    @include common-auth
    auth optional pam_group.so
    session required pam_limits.so
    session optional pam_lastlog.so
    session optional pam_mail.so standard
    session optional pam_keyinit.so force revoke
    @include common-account
    @include common-session
    @include common-password

    """,
    "su": """
    auth sufficient pam_rootok.so
    session required pam_env.so readenv=1
    session required pam_env.so readenv=1 envfile=/etc/default/locale
    session optional pam_mail.so nopen
    session required pam_limits.so
    @include common-auth
    @include common-account
    @include common-session

    """,
    "su-l": """
    auth include su
    account include su
    password include su
    session optional pam_keyinit.so force revoke
    session include su

    """,
    "sudo": """
    session required pam_limits.so
    @include common-auth
    @include common-account
    @include common-session-noninteractive

    """,
    "runuser": """
    auth sufficient pam_rootok.so
    session optional pam_keyinit.so revoke
    session required pam_limits.so
    session required pam_unix.so

    """,
    "other": """
    @include common-auth
    @include common-account
    @include common-password
    @include common-session

    """,
    "common-account": """
    account [success=1 new_authtok_reqd=done default=ignore] pam_unix.so
    account requisite pam_deny.so
    account required pam_permit.so

    """,
  ]

  /// Those of packages that most machines have.
  static let profiles = [
    "capability": """
    Name: Inheritable Capabilities Management
    Default: yes
    Priority: 0
    Auth-Type: Additional
    Auth-Final:
    \toptional\t\t\tpam_cap.so

    """,
    "systemd": """
    Name: Register user sessions in the systemd control group hierarchy
    Default: yes
    Priority: 0
    Session-Interactive-Only: yes
    Session-Type: Additional
    Session:
    \toptional\tpam_systemd.so

    """,
  ]
}
