/// The reason for asking whether a job that advances, or never counted, should continue.
package struct Question: Hashable, Sendable {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// It takes far longer than was expected.
    case slow
    /// It reports without counting.
    case texts
  }

  package var code: Code
  /// The text after the job's name in a sentence: "has become slow: …".
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
