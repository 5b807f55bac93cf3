#if !hasFeature(Embedded)
  import SignetVocabulary
#endif

/// The interface's words for how a touch went, behind `verify-` or `enroll-`.
enum StatusWord: Equatable {
  case match, noMatch
  case completed, failed, stagePassed, dataFull, duplicate
  case retryScan, swipeTooShort, notCentered, removeAndRetry, disconnected, unknownError

  init(_ retry: ScanRetry) {
    switch retry {
    case .general, .tooFast: self = .retryScan
    case .tooShort: self = .swipeTooShort
    case .centerFinger: self = .notCentered
    case .removeFinger: self = .removeAndRetry
    }
  }

  var text: StaticString {
    switch self {
    case .match: "match"
    case .noMatch: "no-match"
    case .completed: "completed"
    case .failed: "failed"
    case .stagePassed: "stage-passed"
    case .dataFull: "data-full"
    case .duplicate: "duplicate"
    case .retryScan: "retry-scan"
    case .swipeTooShort: "swipe-too-short"
    case .notCentered: "finger-not-centered"
    case .removeAndRetry: "remove-and-retry"
    case .disconnected: "disconnected"
    case .unknownError: "unknown-error"
    }
  }
}
