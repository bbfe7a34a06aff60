/// A job's command and folder, as shown to people.
///
/// In one block of memory, because a hundred thousand of them may wait: the folder, then the arguments, each
/// followed by a NUL.
package struct ExecutedCommand: Hashable, Sendable {
  package private(set) var packed: [UInt8]

  /// Longest command that is shown whole, in bytes; the rest of a longer one is an ellipsis.
  package static let shownBytes = 4096

  /// Any bytes but NUL; invalid UTF-8 is shown with replacements, and logins in addresses are hidden.
  package init(directory: [UInt8], arguments: [[UInt8]]) {
    packed = directory.prefix(Self.shownBytes) + [0]
    var left = Self.shownBytes
    for argument in arguments {
      let argument = AddressLogin.hidden(in: argument)
      guard argument.count + 1 <= left else {
        packed += Self.start(of: argument, bytes: left) + Array("…".utf8) + [0]
        break
      }
      packed += argument + [0]
      left -= argument.count + 1
    }
  }

  /// Reads `packed` again.
  package init(packed: [UInt8]) {
    self.packed = packed
  }

  package var directory: String { parts.first ?? "" }

  /// Nil when it is not to be shown.
  package var command: [String]? {
    let command = Array(parts.dropFirst())
    return command.isEmpty ? nil : command
  }

  private var parts: [String] {
    packed.dropLast().split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// At most this many bytes, without cutting a character in half.
  private static func start(of argument: [UInt8], bytes limit: Int) -> [UInt8] {
    var start = Array(argument.prefix(limit))
    while let last = start.last, last & 0xC0 == 0x80 { start.removeLast() }
    if let last = start.last, last >= 0xC0 { start.removeLast() }
    return start
  }
}
