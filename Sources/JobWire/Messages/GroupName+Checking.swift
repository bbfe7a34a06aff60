package import JobCore

extension GroupName {
  /// - Throws: `usage` for an invalid name, and for `none`, which means no group.
  package init(checking text: String) throws(WireError) {
    try self.init(stored: text)
    try checkMeaning()
  }

  /// - Throws: `usage` for an invalid name.
  init(stored text: String) throws(WireError) {
    guard let name = GroupName(text) else {
      throw WireError(
        .usage,
        "the group \(text.quoted) is not a name; use 1 to \(GroupName.bytesLimit) letters, digits, '-' and"
          + " '_', with single dots between them")
    }
    self = name
  }

  /// - Throws: `usage` for `none`.
  func checkMeaning() throws(WireError) {
    guard text != "none" else {
      throw WireError(
        .usage, "a group cannot be called \"none\", which means no group; use another name")
    }
  }
}
