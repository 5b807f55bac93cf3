/// Which of two modules this is. The same sources make pam_fprintd.so, which the PAM files of desktops name: it takes a finger and nothing
/// else, and its options and answers are those of fprintd's own module.
///
/// The compiler decides. A module that looked for its own name would find that of the first of two links to one file, for both.
enum ModuleKind {
  #if FINGER_ONLY
    static var takesFingerOnly: Bool { true }
    static var policy: Policy { .deviceOwnerAuthenticationWithBiometrics }
  #else
    static var takesFingerOnly: Bool { false }
    static var policy: Policy { .deviceOwnerAuthentication }
  #endif
}
