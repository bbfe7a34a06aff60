import JobWire

/// Filters a job's output so that it cannot control the terminal.
///
/// Line breaks, tabs and colours (SGR sequences, `ESC [ … m`) pass; all other control characters, including
/// bidirectional ones, and escape sequences are removed, and invalid UTF-8 is replaced. Works on pieces: a
/// sequence may be cut anywhere.
struct LogFilter {
  private enum State: Hashable {
    case text
    /// Inside a character of several bytes, with the bytes so far.
    case scalar([UInt8])
    case escape
    /// Inside `ESC [`, with the part so far.
    case sequence([UInt8])
    /// Inside a string such as a window title, until BEL or `ESC \`.
    case string
    case stringEscape
  }

  private static let escape: UInt8 = 0x1B
  /// More parameters than this no colour needs.
  private static let sequenceBytes = 32

  /// Whether colours pass.
  let keepsColour: Bool
  private var state = State.text

  init(keepsColour: Bool = true) {
    self.keepsColour = keepsColour
  }

  /// The part of `bytes` that may be shown.
  mutating func filtered(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var shown: [UInt8] = []
    for byte in bytes { receive(byte, into: &shown) }
    return shown
  }

  private mutating func receive(_ byte: UInt8, into shown: inout [UInt8]) {
    switch state {
    case .text: receiveText(byte, into: &shown)
    case .scalar(let begun): receiveScalar(begun, byte, into: &shown)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .sequence([])
      case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "^"), UInt8(ascii: "_"):
        state = .string
      default: state = .text
      }
    case .sequence(let parameters): receiveSequence(byte, parameters, into: &shown)
    case .string:
      if byte == 7 { state = .text } else if byte == Self.escape { state = .stringEscape }
    case .stringEscape: state = byte == UInt8(ascii: "\\") ? .text : .string
    }
  }

  private mutating func receiveText(_ byte: UInt8, into shown: inout [UInt8]) {
    switch byte {
    case Self.escape: state = .escape
    case 0xC2...0xF4: state = .scalar([byte])
    case UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): shown.append(byte)
    case 0..<0x20, 0x7F: break
    case 0x80...: shown += Self.replacement
    default: shown.append(byte)
    }
  }

  private mutating func receiveScalar(_ begun: [UInt8], _ byte: UInt8, into shown: inout [UInt8]) {
    guard byte & 0xC0 == 0x80 else {
      state = .text
      shown += Self.replacement
      return receive(byte, into: &shown)
    }
    let bytes = begun + [byte]
    guard bytes.count == Self.length(begun[0]) else {
      state = .scalar(bytes)
      return
    }
    state = .text
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
    if scalars.count != 1 {
      shown += Self.replacement
    } else if !scalars.contains(where: SafeText.isControl) {
      shown += bytes
    }
  }

  /// Bytes of the character that begins with this one (RFC 3629).
  private static func length(_ lead: UInt8) -> Int { lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4 }

  /// U+FFFD.
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  private mutating func receiveSequence(
    _ byte: UInt8, _ parameters: [UInt8], into shown: inout [UInt8]
  ) {
    switch byte {
    case 0x20...0x3F where parameters.count < Self.sequenceBytes:
      state = .sequence(parameters + [byte])
    case UInt8(ascii: "m") where parameters.allSatisfy(Self.isColourParameter):
      if keepsColour { shown += [Self.escape, UInt8(ascii: "[")] + parameters + [byte] }
      state = .text
    case 0x20...0x3F: break
    default: state = .text
    }
  }

  /// Digits and separators; `ESC [ > … m` is no colour but a keyboard mode of xterm.
  private static func isColourParameter(_ byte: UInt8) -> Bool {
    (0x30...0x3B).contains(byte)
  }
}
