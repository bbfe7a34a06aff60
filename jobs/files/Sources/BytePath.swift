internal import Glibc

/// A path or name as the kernel has it: bytes without NUL, in any encoding.
package struct BytePath: Hashable, Sendable, CustomStringConvertible {
  private static let slash = UInt8(ascii: "/")

  package var bytes: [UInt8]

  package init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  package init(_ text: String) {
    self.init(text.utf8)
  }

  /// Reads a C string.
  package init(_ pointer: UnsafePointer<CChar>) {
    unsafe self.init(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
  }

  /// The path of `name` below this one.
  package func appending(_ name: BytePath) -> BytePath {
    if bytes.isEmpty { return name }
    return BytePath(
      bytes.last == Self.slash ? bytes + name.bytes : bytes + [Self.slash] + name.bytes)
  }

  package func appending(_ name: String) -> BytePath { appending(BytePath(name)) }

  /// This path without trailing slashes; a single one stays.
  private var trimmed: ArraySlice<UInt8> {
    var rest = bytes[...]
    while rest.count > 1, rest.last == Self.slash { rest.removeLast() }
    return rest
  }

  /// The last part; empty for `/`.
  package var name: BytePath {
    let rest = trimmed
    guard let last = rest.lastIndex(of: Self.slash) else { return BytePath(rest) }
    return BytePath(rest[(last + 1)...])
  }

  /// The part before the last; `.` when there is none.
  package var folder: BytePath {
    let rest = trimmed
    guard let last = rest.lastIndex(of: Self.slash) else { return BytePath(".") }
    return last == rest.startIndex ? BytePath("/") : BytePath(rest[..<last])
  }

  /// The real path without links or dots (`man 3 realpath`); nil when a component is missing.
  package var resolved: BytePath? {
    unsafe withCString { pointer in
      guard let real = unsafe realpath(pointer, nil) else { return nil }
      defer { unsafe free(real) }
      return unsafe BytePath(real)
    }
  }

  /// Whether the bytes are valid UTF-8.
  package var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

  package func hasSuffix(_ suffix: String) -> Bool {
    bytes.count > suffix.utf8.count && bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// Calls `body` with the bytes as a C string.
  package func withCString<Value>(_ body: (UnsafePointer<CChar>) throws -> Value) rethrows -> Value
  {
    let characters = bytes.map(CChar.init(bitPattern:)) + [0]
    return try unsafe characters.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("a C string has its NUL") }
      return try unsafe body(base)
    }
  }

  /// For people: invalid bytes and control characters are replaced.
  package var description: String {
    let text = String(decoding: bytes, as: UTF8.self)
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
