import SignetVocabulary

/// What came first while something was found out for a client.
package enum Waited<Answer> {
  case answer(Answer)
  /// The client asks for something else.
  case request(RequestKind)
}

extension Waited: Equatable where Answer: Equatable {}
