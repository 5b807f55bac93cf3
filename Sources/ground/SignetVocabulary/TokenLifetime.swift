/// How long a released token lives.
public enum TokenLifetime {
  /// From the opening of its session, in seconds: a day. The end of the session and `signet sessions revoke` end it sooner.
  public static var session: UInt32 { 24 * 60 * 60 }
  /// From its release until its session opens, in seconds: time to change an expired password in between.
  public static var pending: UInt32 { 10 * 60 }
  /// Of a signed access token, in seconds: five minutes. Who accepts one asks nobody whether its session has ended meanwhile.
  public static var access: UInt32 { 5 * 60 }
}
