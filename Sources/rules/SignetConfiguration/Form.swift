import SignetLanguage

/// How a value is spelled in the file: reads it strictly, and writes it the same way.
struct Form<Value>: Sendable {
  /// The values that are allowed, in words for messages: "a number from 1 to 100".
  let allowed: String
  /// The value; `nil` where the text is not of this form.
  let read: @Sendable (String) -> Value?
  /// The text; empty for a value that no text stands for, such as an unset folder.
  let write: @Sendable (Value) -> String
}

extension Form<Int> {
  static func number(_ range: ClosedRange<Int>) -> Form {
    Form(allowed: say("a number from \(range.lowerBound) to \(range.upperBound)")) { text in
      digits(text[...]).flatMap { range.contains($0) ? $0 : nil }
    } write: {
      "\($0)"
    }
  }
}

extension Form<Int> {
  static func powerOfTwo(_ range: ClosedRange<Int>) -> Form {
    let number = Form.number(range)
    let all = sequence(first: range.lowerBound) { $0 < range.upperBound ? 2 * $0 : nil }.map(String.init)
    return Form(allowed: say("one of \(all.joined(separator: ", "))")) { text in
      number.read(text).flatMap { $0.nonzeroBitCount == 1 ? $0 : nil }
    } write: {
      number.write($0)
    }
  }
}

extension Form<[Int]> {
  /// Registers of a TPM.
  static var registers: Form {
    Form(allowed: say("numbers of PCRs from 0 to 23, rising")) { text in
      let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
      let numbers = words.compactMap { digits($0) }.filter { $0 < 24 }
      let isRising = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
      return isRising && !numbers.isEmpty && numbers.count == words.count ? numbers : nil
    } write: {
      $0.map(String.init).joined(separator: " ")
    }
  }
}

extension Form<Bool> {
  static var yesOrNo: Form {
    Form(allowed: say("yes or no")) { text in
      text == "yes" ? true : text == "no" ? false : nil
    } write: {
      $0 ? "yes" : "no"
    }
  }
}

extension Form where Value: RawRepresentable<String> & SendableMetatype {
  /// One of the words of an enumeration.
  static func choice(_ allowed: String) -> Form {
    Form(allowed: allowed) {
      Value(rawValue: $0)
    } write: {
      $0.rawValue
    }
  }
}

extension Form<String> {
  static var seat: Form {
    word(say("a seat of logind: `seat` and at most 60 of a-z, A-Z, 0-9, `_` and `-`")) { scalar, _ in
      "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar || "_-".unicodeScalars.contains(scalar)
    }
  }

  /// Lower case only: libpam makes service names lower case, so a section with a capital in its name would never be used.
  static var service: Form {
    word(say("a PAM service: at most 64 of a-z, 0-9 and `_.+-`, the first a letter or digit")) { scalar, isFirst in
      "a"..."z" ~= scalar || "0"..."9" ~= scalar || !isFirst && "_.+-".unicodeScalars.contains(scalar)
    }
  }

  static var user: Form {
    word(say("a user name: at most 64 of A-Z, a-z, 0-9 and `_.-`, the first none of `.-`")) { scalar, isFirst in
      "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar || scalar == "_"
        || !isFirst && ".-".unicodeScalars.contains(scalar)
    }
  }

  private static func word(_ allowed: String, _ mayHold: @escaping @Sendable (Unicode.Scalar, Bool) -> Bool) -> Form {
    Form(allowed: allowed) { text in
      let scalars = text.unicodeScalars
      let isWord = scalars.enumerated().allSatisfy { mayHold($0.element, $0.offset == 0) }
      return isWord && (1...64).contains(scalars.count) ? text : nil
    } write: {
      $0
    }
  }

  static var directory: Form {
    Form(allowed: say("a directory's path, beginning with `/`")) {
      $0.hasPrefix("/") ? $0 : nil
    } write: {
      $0
    }
  }
}

extension Form<[String]> {
  /// Services that begin a session. Services that act for somebody who has one already must never get a login secret.
  static var loginServices: Form {
    list(say("PAM services that begin a session, at most 32, none of them \(acting.joined(separator: ", ")); or none")) {
      !acting.contains($0)
    }
  }

  static var services: Form { list(say("PAM services, at most 32; or none")) { _ in true } }

  static var readers: Form {
    words(say("names of readers, as `signet readers` has them, at most 32; or every"), empty: "every") {
      $0.contains(":") && $0.utf8.count <= 128
    }
  }

  private static func list(_ allowed: String, _ mayHold: @escaping @Sendable (String) -> Bool) -> Form {
    let service = Form<String>.service
    return words(allowed, empty: "none") { service.read($0) != nil && mayHold($0) }
  }

  private static func words(
    _ allowed: String, empty: String, _ mayHold: @escaping @Sendable (String) -> Bool
  ) -> Form {
    Form(allowed: allowed) { text in
      if text == empty { return [] }
      let names = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
      let isSound = names.allSatisfy { $0 != empty && mayHold($0) } && Set(names).count == names.count
      return isSound && (1...32).contains(names.count) ? names : nil
    } write: {
      $0.isEmpty ? empty : $0.joined(separator: " ")
    }
  }

  private static let acting = ["sudo", "sudo-i", "su", "su-l", "polkit-1", "signet-passcode"]
}

extension Form<Configuration.VirtualReader> {
  static var virtualReader: Form {
    // A Unix socket's address holds a path of at most 107 bytes.
    Form(allowed: say("device:PATH, storage:PATH or image:PATH, where PATH begins with `/` and has at most 107 bytes")) { text in
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, ["device", "storage", "image"].contains(parts[0]) else { return nil }
      guard parts[1].hasPrefix("/"), parts[1].utf8.count <= 107 else { return nil }
      return Configuration.VirtualReader(kind: parts[0], path: parts[1])
    } write: {
      "\($0.kind):\($0.path)"
    }
  }
}

/// A number in plain digits. No sign and no leading zero, which some readers would take for an octal number.
func digits(_ text: Substring) -> Int? {
  guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  guard text.utf8.count == 1 || text.utf8.first != 0x30 else { return nil }
  return Int(text)
}
