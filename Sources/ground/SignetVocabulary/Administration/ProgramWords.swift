#if hasFeature(Embedded)
  extension [String] {
    /// What the program was started with: Embedded Swift has no CommandLine.
    @unsafe public init(count: Int32, words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) {
      self = (0..<Int(count)).compactMap { index in unsafe words?[index].map { unsafe String(cString: $0) } }
    }
  }
#endif
