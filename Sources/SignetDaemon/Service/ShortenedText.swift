extension String {
  /// The text in at most `limit` bytes. Of a longer one the end is kept, because the end of a path says the most.
  package func shortened(to limit: Int) -> String {
    if utf8.count <= limit { return self }
    var rest = Substring(self)
    while rest.utf8.count > limit - 3 { rest = rest.dropFirst() }
    return "..." + rest
  }
}
