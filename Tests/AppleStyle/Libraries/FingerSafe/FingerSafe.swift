import Foundation
import LocalAuthentication

/// What only a finger opens, and a state by which a change of fingers is noticed.
public struct FingerSafe {
  public enum Problem: Error, Equatable {
    case accessControl(Int, String)
    case cancelled
    case changed
    case failed(OSStatus)
  }

  private let account: String
  private let context: LAContext

  public init(account: String, context: LAContext = LAContext()) { (self.account, self.context) = (account, context) }

  public static var biometry: String {
    let context = LAContext()
    var error: NSError?
    _ = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error)
    switch context.biometryType {
    case .none: return "none"
    case .touchID: return "touch"
    case .faceID: return "face"
    case .opticID: return "optic"
    @unknown default: return "new"
    }
  }

  /// `nil` without a finger.
  public static var state: Data? {
    let context = LAContext()
    guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil) else { return nil }
    return context.domainState.biometry.stateHash
  }

  /// What can be asked for, as newer systems tell it.
  public static var environment: String {
    let state = LAEnvironment.currentUser.state
    guard let biometry = state.biometry else { return "no reader, passcode \(state.userPassword?.isSet == true)" }
    return
      "\(biometry.isEnrolled) \(biometry.isUsable) \(biometry.isLockedOut) \(state.allMechanisms.count) \(state.companions.count)"
  }

  public static func control(
    _ protection: CFString, _ flags: SecAccessControlCreateFlags
  ) throws -> SecAccessControl {
    var error: Unmanaged<CFError>?
    guard let control = SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, &error) else {
      guard let failure = error?.takeRetainedValue() else { throw Problem.failed(errSecInternalError) }
      let info = CFErrorCopyUserInfo(failure) as? [String: Any] ?? [:]
      throw Problem.accessControl(CFErrorGetCode(failure), info.keys.sorted().joined(separator: ","))
    }
    return control
  }

  public func store(_ secret: String) throws {
    let control = try FingerSafe.control(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, [.biometryCurrentSet])
    let query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "finger-safe", kSecAttrAccount: account,
      kSecAttrAccessControl: control, kSecUseAuthenticationContext: context,
    ]
    var status = SecItemAdd(query.merging([kSecValueData: Data(secret.utf8)]) { $1 } as CFDictionary, nil)
    if status == errSecDuplicateItem {
      status = SecItemUpdate(
        query.filter { $0.key != kSecAttrAccessControl } as CFDictionary, [kSecValueData: Data(secret.utf8)] as CFDictionary)
    }
    guard status == errSecSuccess else { throw problem(status) }
  }

  public func load(_ reason: String) throws -> String {
    context.localizedReason = reason
    let query: NSMutableDictionary = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "finger-safe", kSecAttrAccount: account,
      kSecUseAuthenticationContext: context, kSecReturnData: kCFBooleanTrue!,
    ]
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query, &item)
    guard status == errSecSuccess, let item, CFGetTypeID(item) == CFDataGetTypeID() else { throw problem(status) }
    let data = item as! CFData
    return String(decoding: UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data)), as: UTF8.self)
  }

  public func confirm(_ reason: String) async throws -> Bool {
    do { return try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: reason) } catch let
      error as LAError
    {
      switch error.code {
      case .userCancel, .appCancel, .systemCancel: throw Problem.cancelled
      default: throw Problem.failed(OSStatus(error.errorCode))
      }
    }
  }

  private func problem(_ status: OSStatus) -> Problem { status == errSecUserCanceled ? .cancelled : .failed(status) }
}
