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

  /// The answer as one line, newline included.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("number", number)
    writer.field("done", isDone)
    writer.field("why", why)
    writer.endObject()
    writer.newline()
    return writer.bytes
  }

  /// Reads what a helper printed; nil when it is not one whole answer.
  package init?(output: [UInt8]) {
    do throws(WireError) {
      let fields = try JSONFields(line: output[...])
      self.init(
        number: try fields.optionalNumber("number"), isDone: try fields.bool("done"),
        why: try fields.string("why"))
    } catch {
      return nil
    }
  }

  private static func clean(_ text: String) -> String {
    let shown = String(SafeText.shown(text).prefix(textLimit))
    return shown.isEmpty ? "the helper gave no reason" : shown
  }
}
