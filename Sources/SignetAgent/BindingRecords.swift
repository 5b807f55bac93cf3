import FoundationEssentials
import Glibc
import SignetFiles
import SignetVocabulary

/// What is known of a binding without opening it. No secret is in it.
struct BindingRecord: Codable, Equatable, Sendable {
  var issuer: String
  /// The user's own name for it.
  var account: String
  var clientID: String
  var scopes: [String]
  /// Who signed in, as the provider calls them.
  var user: String
  /// In seconds since 1970.
  var bound: Double
  /// The public half of the key by which this device proves itself (`DeviceKey`); `nil` where the provider takes none.
  var deviceKey: String?
  /// The port that the browser's answer comes to; 0 for any.
  var redirectPort = 0
  /// It is unbound here, and the provider has to be told yet.
  var isLeaving = false
}

/// The bindings' records, in a file of the user's state (XDG Base Directory Specification).
struct BindingRecords: ~Copyable, Sendable {
  private static let name = "bindings.json"
  private static let limit = 1 << 20
  private let folder: StateDirectory

  init(path: String) throws(SystemError) { folder = try StateDirectory(path: path, create: true) }

  func read() throws(SystemError) -> [BindingRecord] {
    guard let bytes = try folder.read(BindingRecords.name, limit: BindingRecords.limit) else { return [] }
    guard let records = try? JSONDecoder().decode([BindingRecord].self, from: Data(bytes)) else {
      throw .call(.read, "\(folder.path)/\(BindingRecords.name)", code: EBADMSG)
    }
    return records
  }

  func write(_ records: [BindingRecord]) throws(SystemError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(records) else {
      throw .call(.encode, "\(folder.path)/\(BindingRecords.name)", code: EINVAL)
    }
    try folder.replace(BindingRecords.name, with: Array(data))
  }
}
