/// Why it is asked whether a job is to go on that advances, or never counted.
package struct Question: Hashable, Sendable {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// It takes far longer than was expected.
    case slow
    /// It reports, and counts nothing.
    case texts
  }

  package var code: Code
  /// What follows the name of the job in a sentence: "has become slow: …".
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
