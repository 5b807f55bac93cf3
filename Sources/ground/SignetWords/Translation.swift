import CLinux

#if !hasFeature(Embedded)
  import SignetBytes
#endif

// Every sentence is written in English where it is said, and that English is its name in the catalogues (po/, gettext). They are in the
// language of the process's locale: of the host, where that is the PAM module. A catalogue's words are shown only where they are harmless
// text in UTF-8; so a locale with other letters gets the English ones.
extension TextLine {
  /// Appends a sentence in the user's language.
  //
  // Inlined, as `put` is and for the same traps. So are the next two.
  @inline(__always)
  public mutating func say(_ sentence: StaticString) {
    unsafe say(at: sentence.utf8Start)
  }

  /// Appends a sentence that has `#` where the number belongs, in the form that the user's language has for that number.
  @inline(__always)
  public mutating func say(one: StaticString, many: StaticString, number: Int) {
    unsafe say(one: one.utf8Start, many: many.utf8Start, number: number)
  }

  /// Appends a sentence that has `#` where text of others belongs; nothing where that text is empty or not harmless, or the whole does
  /// not fit.
  @inline(__always)
  public mutating func say(_ sentence: StaticString, foreign text: Span<UInt8>) -> Bool {
    unsafe say(at: sentence.utf8Start, foreign: text)
  }

  /// Appends what libpam's own modules ask, in the user's language.
  public mutating func sayPassword() {
    let english: StaticString = "Password: "
    let words = unsafe Translation.harmless(clinux_password_prompt(), else: english.utf8Start)
    unsafe put(start: words, count: Translation.length(words))
  }

  @unsafe private mutating func say(at sentence: UnsafePointer<UInt8>) {
    let words = unsafe Translation.of(sentence)
    unsafe put(start: words, count: Translation.length(words))
  }

  @unsafe private mutating func say(one: UnsafePointer<UInt8>, many: UnsafePointer<UInt8>, number: Int) {
    let words = unsafe Translation.of(one: one, many: many, number: number)
    unsafe put(start: words, count: Translation.length(words), number: number)
  }

  @unsafe private mutating func say(at sentence: UnsafePointer<UInt8>, foreign text: Span<UInt8>) -> Bool {
    let words = unsafe Translation.of(sentence)
    return unsafe put(start: words, count: Translation.length(words), foreign: text)
  }
}

/// A sentence's words in the user's language, as C strings.
enum Translation {
  @unsafe static func of(_ sentence: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    unsafe harmless(clinux_translation(text(sentence)), else: sentence)
  }

  @unsafe static func of(one: UnsafePointer<UInt8>, many: UnsafePointer<UInt8>, number: Int) -> UnsafePointer<UInt8> {
    let count = UInt(truncatingIfNeeded: number)
    return unsafe harmless(clinux_translation_of_count(text(one), text(many), count), else: number == 1 ? one : many)
  }

  /// What a catalogue has; the English where it is not text that may be shown.
  @unsafe static func harmless(_ translation: UnsafePointer<CChar>, else english: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    let words = unsafe UnsafeRawPointer(translation).assumingMemoryBound(to: UInt8.self)
    guard unsafe words != english else { return unsafe english }
    return unsafe ForeignText.isHarmless(Span(_unsafeStart: words, count: length(words))) ? words : english
  }

  /// In bytes, and no more than a line has.
  @unsafe static func length(_ words: UnsafePointer<UInt8>) -> Int {
    var count = 0
    while count < 255, unsafe words[count] != 0 { count &+= 1 }
    return count
  }

  @unsafe private static func text(_ words: UnsafePointer<UInt8>) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(words).assumingMemoryBound(to: CChar.self)
  }
}

#if !hasFeature(Embedded)
  extension String {
    /// A sentence in the user's language.
    public init(translated sentence: StaticString) {
      var line = TextLine()
      line.say(sentence)
      self.init(copying: line)
    }

    /// The text of a line.
    public init(copying line: borrowing TextLine) {
      self = unsafe line.withCString { text in unsafe String(cString: text) }
    }
  }
#endif
