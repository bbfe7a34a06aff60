/// What jobs are called that share slots of their own: 1…64 letters, digits, hyphens and underscores,
/// with single dots between them.
package struct GroupName: Hashable, Sendable, CustomStringConvertible {
  private final class Text: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
  }

  /// Longest name in bytes.
  package static let bytesLimit = 64

  /// On the heap: few jobs have a group, and all have room for it.
  private let name: Text

  package var text: String { name.text }

  /// Nil when `text` is no name.
  package init?(_ text: String) {
    guard (1...GroupName.bytesLimit).contains(text.utf8.count),
      JobIdentifier.isWellFormed(text)
    else { return nil }
    name = Text(text)
  }

  package static func == (left: GroupName, right: GroupName) -> Bool {
    left.name === right.name || left.text == right.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  package var description: String { text }
}
