import Foundation
import Testing

/// A certificate authority and a server's certificate, made by openssl for one test.
final class ServerIdentity: Sendable {
  let folder: String
  var authority: String { folder + "/ca.pem" }
  var certificate: String { folder + "/server.pem" }
  var key: String { folder + "/server.key" }

  /// - Parameter names: the certificate's subjectAltName.
  init(names: String = "IP:127.0.0.1,DNS:localhost") throws {
    folder = NSTemporaryDirectory() + "signet-tls-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    try openssl(
      ["req", "-x509"] + curve + [
        "-subj", "/CN=Test CA", "-addext", "keyUsage=critical,keyCertSign", "-keyout", folder + "/ca.key", "-out", authority,
      ])
    try openssl(
      ["req", "-x509", "-CA", authority, "-CAkey", folder + "/ca.key"] + curve + [
        "-subj", "/CN=Test server", "-addext", "basicConstraints=critical,CA:FALSE", "-addext", "subjectAltName=" + names,
        "-keyout", key, "-out", certificate,
      ])
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// DER.
  func subjectPublicKeyInfo() throws -> [UInt8] { try openssl(["pkey", "-in", key, "-pubout", "-outform", "DER"]) }

  @discardableResult private func openssl(_ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "openssl \(arguments.joined(separator: " "))")
    return Array(bytes)
  }
}
