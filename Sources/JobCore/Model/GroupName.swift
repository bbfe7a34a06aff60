/// What jobs are called that share slots of their own: 1…64 letters, digits, hyphens and underscores,
/// with single dots between them.
package struct GroupName: Hashable, Sendable, CustomStringConvertible {
  /// Longest name in bytes.
  package static let bytesLimit = 64

  private let name: Boxed<String>

  package var text: String { name.value }

  /// Nil when `text` is no name.
  package init?(_ text: String) {
    guard (1...GroupName.bytesLimit).contains(text.utf8.count),
      JobIdentifier.isWellFormed(text)
    else { return nil }
    name = Boxed(text)
  }

  private init(unchecked text: String) { name = Boxed(text) }

  /// Stands for a name that is read later; no group has it.
  package static var blank: GroupName { GroupName(unchecked: "") }

  package var description: String { text }
}
