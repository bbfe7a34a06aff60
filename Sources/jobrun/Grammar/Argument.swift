/// One argument as the kernel handed it over: any bytes but NUL.
struct Argument: Hashable, Sendable, ExpressibleByStringLiteral {
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  init(stringLiteral text: String) {
    self.init(text)
  }

  /// Whether it is valid UTF-8, so that `text` is the whole truth.
  var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// As text; invalid UTF-8 is replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
