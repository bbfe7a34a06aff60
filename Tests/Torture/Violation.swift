import JobCore

/// A promise that was broken.
struct Violation {
  enum Class: String, CaseIterable {
    /// An accepted job that is not in the store, or has no end.
    case lost
    /// A job that was started or ended more often than allowed, or is there twice.
    case twice
    /// An end, a code or a text that does not match the job's kind.
    case wrong
    /// A process or a file that is left behind.
    case left
    /// An event that is missing in the feed, or repeated.
    case gap
  }

  var kind: Class
  var sentence: String
  /// The submission that it is about, if any.
  var errand: Errand?
  var number: JobNumber?

  init(_ kind: Class, _ sentence: String, _ errand: Errand? = nil, number: JobNumber? = nil) {
    self.kind = kind
    self.sentence = sentence
    self.errand = errand
    self.number = number
  }
}
