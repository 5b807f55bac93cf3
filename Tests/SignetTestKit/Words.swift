import SignetVocabulary
import SignetWire
import SignetWords

// What a user reads of a reply.

extension Refusal {
  public var words: String { RefusalText.of(self) }
}

extension StatusRow {
  public var explanation: String { fault.map(FaultText.of) ?? "" }
}

extension VaultRow {
  public var explanation: String { fault.map(VaultText.of) ?? "" }
}
