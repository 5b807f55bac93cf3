import Glibc
import SignetFiles
import SignetMemory
import SignetSealing
import SignetVocabulary
import SignetWire

// Sealing and opening templates. In clear a template is a `ClearTemplate`, from here to the packet that carries it.
extension AccountStore {
  /// Seals a template for a finger, under the key that is on disk now: under another one, which only memory had, the finger
  /// could not be used after the next start.
  package func seal(_ template: ClearTemplate, in finger: inout EnrolledFinger) throws(SystemError) {
    let key = try readDeviceKey()
    do {
      let context = try finger.context
      finger.sealed = try template.withBytes { bytes throws(SealingError) in try key.seal(bytes, for: context) }
    } catch {
      throw .call(.seal, finger.finger.name, code: ENOMEM)
    }
  }

  /// The template of a finger. Throws where it does not open.
  package func template(of finger: EnrolledFinger) throws(SystemError) -> ClearTemplate {
    let known = try deviceKey()
    if let template = try? open(finger, with: known) { return template }
    // The administrator may have put the right key back since it was read.
    let key = try readDeviceKey()
    do { return try open(finger, with: key) } catch {
      throw .templateUnopened(path(of: finger), key: keeper.path)
    }
  }

  private func open(_ finger: EnrolledFinger, with key: any DeviceKey) throws -> ClearTemplate {
    try ClearTemplate(try key.open(finger.sealed.span, for: finger.context))
  }

  /// The fingers whose templates open; the others are left out and named.
  package func openable(_ fingers: Fingers) -> Fingers {
    var checked = withDeviceKey(fingers)
    checked.usable = checked.usable.filter { finger in
      do throws(SystemError) {
        _ = try template(of: finger)
        return true
      } catch {
        checked.unusable.append(error)
        return false
      }
    }
    return checked
  }

  /// The fingers; or, where there is no device key to open templates with, none and that one reason.
  package func withDeviceKey(_ fingers: Fingers) -> Fingers {
    guard !fingers.usable.isEmpty else { return fingers }
    do throws(SystemError) {
      _ = try deviceKey()
      return fingers
    } catch {
      return Fingers(usable: [], unusable: fingers.unusable + [error])
    }
  }

  /// The device key, read once.
  package func deviceKey() throws(SystemError) -> any DeviceKey { try keeper.key { hasNothingSealed } }

  /// The device key as it is on disk now, made where nothing was sealed yet. Where it cannot be used, the one that was read
  /// before goes on opening what it sealed.
  package func readDeviceKey() throws(SystemError) -> any DeviceKey { try keeper.current { hasNothingSealed } }

  /// Whether no user has a file that may be sealed. What cannot be looked at counts as one.
  package var hasNothingSealed: Bool {
    do throws(SystemError) {
      for uid in try uids() {
        guard let folder = try folder(of: uid) else { continue }
        let hasItems = try folder.existingDirectory("items")?.names().isEmpty == false
        guard !hasItems, try folder.names().allSatisfy(Self.neverSealed.contains) else { return false }
      }
      return true
    } catch {
      return false
    }
  }

  private static let neverSealed: Set = ["strikes", "history", "history.1", "items", "matched"]

  private func path(of finger: EnrolledFinger) -> String { "\(users.path)/\(finger.uid)/\(Self.fileName(finger))" }
}
