import CPAM

@c(pam_sm_authenticate)
public func authenticate(
  _ handle: OpaquePointer?, _ flags: Int32, _ count: Int32, _ words: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 { PAM_AUTHINFO_UNAVAIL }
