import CLinux

#if !hasFeature(Embedded)
  import SignetBytes
#endif

extension TextLine {
  /// How many columns of a terminal the line takes: East Asian letters take two each.
  ///
  /// Takes the line for UTF-8, byte by byte; what is not counts as one column for each byte that begins something.
  public var columns: Int {
    let text = span
    var (columns, index) = (0, 0)
    while index >= 0, index < text.count {
      let lead = text[index]
      index &+= 1
      var scalar = UInt32(lead)
      if lead >= 0xC0 {
        scalar &= lead >= 0xF0 ? 0x07 : lead >= 0xE0 ? 0x0F : 0x1F
        while index >= 0, index < text.count, text[index] & 0xC0 == 0x80 {
          scalar = scalar &<< 6 | UInt32(text[index] & 0x3F)
          index &+= 1
        }
      }
      columns &+= Int(clinux_columns(scalar))
    }
    return columns
  }
}

#if !hasFeature(Embedded)
  extension String {
    /// How many columns of a terminal the text takes.
    public var columns: Int { unicodeScalars.reduce(0) { $0 + Int(clinux_columns($1.value)) } }

    /// The beginning of the text that takes no more than so many columns.
    public func prefix(columns: Int) -> String {
      var (fitting, left) = (String.UnicodeScalarView(), columns)
      for scalar in unicodeScalars {
        left -= Int(clinux_columns(scalar.value))
        guard left >= 0 else { break }
        fitting.append(scalar)
      }
      return String(fitting)
    }
  }
#endif
