package import JobCore

extension GroupName {
  /// - Throws: `usage` for an invalid name.
  package init(checking text: String) throws(WireError) {
    guard let name = GroupName(text) else {
      throw WireError(
        .usage,
        "the group \(text.quoted) is not a name; use 1 to \(GroupName.bytesLimit) letters, digits, '-' and"
          + " '_', with single dots between them")
    }
    self = name
  }
}
