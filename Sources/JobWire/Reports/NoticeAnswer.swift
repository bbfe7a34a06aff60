/// What `jobrun-helper notify` prints, as one line of JSON: whether the order was carried out.
///
/// The helper shares its process with a foreign library and tells what a foreign program said, so the
/// reader trusts none of it: texts are cleaned and cut.
package struct NoticeAnswer: Hashable, Sendable {
  /// The number that the service gave the notice; nil when none was shown.
  package var number: UInt32?
  /// Whether the service did what it was told.
  package var isDone: Bool
  /// Who did it, or why it was not done; never empty.
  package var why: String

  package init(number: UInt32? = nil, isDone: Bool, why: String) {
    self.number = number
    self.isDone = isDone
    self.why = Self.clean(why)
  }

  private static let textLimit = 512

  /// Reads what a helper printed; nil when it is not one whole answer.
  package init?(output: [UInt8]) {
    guard let answer = try? Self(line: output[...]) else { return nil }
    self.init(number: answer.number, isDone: answer.isDone, why: answer.why)
  }

  private static func clean(_ text: String) -> String {
    let shown = SafeText.shown(text, atMost: textLimit)
    return shown.isEmpty ? "the helper gave no reason" : shown
  }
}

extension NoticeAnswer: Coded {
  package init() { self.init(isDone: false, why: "") }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.codeAlways(&number, "number")
    try coder.code(&isDone, "done")
    try coder.code(&why, "why")
  }
}
