/// Why signetd does not start.
package struct StartFailure: Error {
  package let description: String

  package init(description: String) { self.description = description }
}
