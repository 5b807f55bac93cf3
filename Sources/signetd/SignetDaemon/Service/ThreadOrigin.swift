import Glibc
import SignetAuthentication

/// On whose behalf a thread works, for the log: a thread that serves somebody, and each that it starts, works for them. The main
/// thread works for nobody.
package enum ThreadOrigin {
  // A variable of the thread itself, because the lines are written far below whoever knows who asks.
  private static let key = {
    var key = pthread_key_t()
    _ = unsafe pthread_key_create(&key, nil)
    return key
  }()

  package static var present: RequestOrigin.Source? {
    get { source(UInt(bitPattern: unsafe pthread_getspecific(key))) }
    set { _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue.map(number) ?? 0)) }
  }

  /// The variable holds a number where others have a pointer; 0 is for nobody.
  private static func number(_ source: RequestOrigin.Source) -> UInt {
    switch source {
    case .service: 1
    case .unknown: 2
    case .user(let uid): UInt(uid) + 3
    }
  }

  private static func source(_ number: UInt) -> RequestOrigin.Source? {
    switch number {
    case 0: nil
    case 1: .service
    case 2: .unknown
    default: .user(UInt32(truncatingIfNeeded: number - 3))
    }
  }
}
