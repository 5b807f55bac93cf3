import CLinux
import Glibc
import SignetAgentProtocol
import SignetTokenServices

/// Makes this device known at a provider, as a client of its own (RFC 7591): what is revoked there for one device leaves the others.
struct DeviceRegistration: Sendable {
  let storage: BindingStorage
  let network: any NetworkClient

  /// Registers, with a key of the device's own where the provider takes one.
  ///
  /// - Parameter record: gets the client's name and its key's public half.
  /// - Returns: the key; `nil` for a public client.
  func begin(_ record: inout BindingRecord, _ way: AgentRequest.SignIn) async throws -> BindingKey? {
    // What an earlier try left there is known here under the same name, and would be known no more.
    _ = await end(record)
    // Some compare the port as well (against RFC 8252, 7.3), so one is chosen that is free now.
    if record.redirectPort == 0, way == .browser { record.redirectPort = LocalHost.freePort }
    let key = BindingKey()
    do { try await register(&record, way, key) } catch AuthError.oauth2(_, .code) {
      try await register(&record, way, nil)
      return nil
    }
    record.deviceKey = key.record
    return key
  }

  private func register(_ record: inout BindingRecord, _ way: AgentRequest.SignIn, _ key: BindingKey?) async throws {
    let registration = try await ClientRegistration.register(
      "Signet on \(LocalHost.name)", at: record.issuer, scopes: record.scopes, key: key, isForDevice: way == .device,
      redirectPort: way == .browser ? record.redirectPort : nil, client: network)
    record.clientID = registration.clientID
    do { try storage.store(token: registration.text, for: name(record)) } catch {
      // Nobody would know how to end it later.
      await Task { [network] in try? await registration.end(client: network) }.value
      throw error
    }
  }

  private func name(_ record: BindingRecord) -> TokenKey {
    TokenKey(service: record.issuer, account: record.account, kind: .registration)
  }

  /// Ends the registration at the provider, where there was one, and forgets it. One that could not be ended is ended by the next try to
  /// register under this name. Whoever waits may go meanwhile.
  ///
  /// - Returns: whether none is left there.
  func end(_ record: BindingRecord) async -> Bool { await Task { await endNow(record) }.value }

  private func endNow(_ record: BindingRecord) async -> Bool {
    do {
      guard let text = try storage.retrieve(for: name(record)) else { return true }
      let registration = try ClientRegistration(text)
      try await registration.end(client: network)
      try storage.delete(for: name(record))
      return registration.canBeEnded
    } catch { return false }
  }
}

private enum LocalHost {
  /// A port of the loopback that nobody has now; 0 where there is none.
  static var freePort: Int {
    let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { return 0 }
    defer { close(raw) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isFound = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(raw, address, length) == 0 && getsockname(raw, address, &length) == 0
      }
    }
    return isFound ? Int(UInt16(bigEndian: address.sin_port)) : 0
  }

  /// The machine's name, as the provider shows it to the owner.
  static var name: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "this machine" }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
