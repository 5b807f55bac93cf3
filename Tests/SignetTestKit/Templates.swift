import SignetBytes
import SignetWire

// Tests make templates of arrays and look at them as arrays; no program does.
extension ClearTemplate: ExpressibleByArrayLiteral {
  public convenience init(_ bytes: [UInt8]) throws(FormatError) { try self.init(copying: bytes.span) }

  public convenience init(arrayLiteral bytes: UInt8...) { try! self.init(copying: bytes.span) }

  public var array: [UInt8] { withBytes { Array(copying: $0) } }
}
