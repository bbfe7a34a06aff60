/// A path of `--send` or `--fetch`: below the job's working folder, and relative to it.
package enum SentPath {
  /// The form in which it travels; nil if it is not below `folder`.
  package static func relative(_ text: String, to folder: String) -> String? {
    var parts = parts(of: text)
    if text.utf8.first == UInt8(ascii: "/") {
      let above = Self.parts(of: folder)
      guard parts.starts(with: above) else { return nil }
      parts.removeFirst(above.count)
    }
    guard !text.isEmpty, !parts.contains("..") else { return nil }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// The error in what was to travel, as the end of a sentence; nil when it is valid.
  static func problem(_ path: String) -> String? {
    relative(path, to: "/") == path && !path.utf8.contains(0)
      ? nil : "which is not a path below the job's folder"
  }

  private static func parts(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
      .filter { $0 != "." }
  }
}
