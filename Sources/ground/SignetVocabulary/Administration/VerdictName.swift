extension Verdict {
  private static var names: [(Verdict, String)] {
    [
      (.success, "success"), (.authenticationFailed, "authenticationFailed"), (.userCancel, "userCancel"),
      (.systemCancel, "systemCancel"), (.appCancel, "appCancel"), (.userFallback, "userFallback"),
      (.passcodeNotSet, "passcodeNotSet"), (.biometryNotAvailable, "biometryNotAvailable"),
      (.biometryNotEnrolled, "biometryNotEnrolled"), (.biometryLockout, "biometryLockout"),
      (.invalidContext, "invalidContext"), (.notInteractive, "notInteractive"),
      (.accountClosed, "accountClosed"), (.passcodeExpired, "passcodeExpired"), (.accountUnknown, "accountUnknown"),
    ]
  }

  /// Apple's word for it; a verdict that this version does not know is its number.
  public var name: String { Verdict.names.first { $0.0 == self }?.1 ?? "verdict \(rawValue)" }
}
