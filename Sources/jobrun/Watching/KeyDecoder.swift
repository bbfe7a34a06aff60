/// A key that leads from one line to another.
enum KeyMove: Hashable {
  case up, down, pageUp, pageDown
  /// Home and End.
  case first, last
}

/// Decodes a terminal's input: typed keys, arrow and similar keys, and the terminal's replies.
///
/// Works on pieces, because a slow line may cut a sequence anywhere: a letter of a sequence is never taken for
/// a key. Other function keys, and letters typed with Alt, are ignored.
struct KeyDecoder {
  enum Element: Hashable {
    case key(UInt8)
    case move(KeyMove)
    /// The answer to DECRQM (`ESC [ ? mode ; value $ y`, xterm's ctlseqs): 1 and 2 mean that the mode
    /// is known and can be set.
    case mode(Int, value: Int)
  }

  private enum State {
    case text
    /// After ESC; whether it ended an earlier piece.
    case escape(isOld: Bool)
    /// Inside `ESC [`, with the parameters so far.
    case sequence([UInt8])
    /// After `ESC O`.
    case single
    /// Inside a string, until BEL or `ESC \`.
    case string
    case stringEscape
  }

  private static let escape: UInt8 = 0x1B
  /// More parameters than this no answer has.
  private static let sequenceBytes = 32

  private var state = State.text

  /// Whether the input ends in what may be the Escape key alone.
  var endsInEscape: Bool {
    if case .escape = state { true } else { false }
  }

  /// No input follows: it was the Escape key.
  mutating func settleEscape() { state = .text }

  /// Decodes a piece of input.
  mutating func decode(_ bytes: [UInt8]) -> [Element] {
    if case .escape = state { state = .escape(isOld: true) }
    return bytes.compactMap { receive($0) }
  }

  private mutating func receive(_ byte: UInt8) -> Element? {
    switch state {
    case .text:
      guard byte == Self.escape else { return .key(byte) }
      state = .escape(isOld: false)
      return nil
    case .escape(let isOld): return receiveEscaped(byte, isOld: isOld)
    case .sequence(let parameters): return receiveParameter(byte, parameters)
    case .single:
      state = .text
      return Self.move(byte)
    case .string:
      if byte == 7 { state = .text } else if byte == Self.escape { state = .stringEscape }
      return nil
    case .stringEscape:
      state = byte == UInt8(ascii: "\\") ? .text : .string
      return nil
    }
  }

  private mutating func receiveEscaped(_ byte: UInt8, isOld: Bool) -> Element? {
    state = .text
    switch byte {
    case UInt8(ascii: "["): state = .sequence([])
    case UInt8(ascii: "O"): state = .single
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"): state = .string
    case Self.escape: state = .escape(isOld: false)
    default:
      // The Escape key alone, followed by a key; otherwise a letter with Alt.
      return isOld ? .key(byte) : nil
    }
    return nil
  }

  private mutating func receiveParameter(_ byte: UInt8, _ parameters: [UInt8]) -> Element? {
    guard !(0x20...0x3F).contains(byte) else {
      if parameters.count < Self.sequenceBytes { state = .sequence(parameters + [byte]) }
      return nil
    }
    state = .text
    if byte == UInt8(ascii: "y") { return Self.mode(parameters) }
    if byte == UInt8(ascii: "~") { return Self.numbered(parameters) }
    return parameters.isEmpty ? Self.move(byte) : nil
  }

  private static func move(_ byte: UInt8) -> Element? {
    switch byte {
    case UInt8(ascii: "A"): .move(.up)
    case UInt8(ascii: "B"): .move(.down)
    case UInt8(ascii: "H"): .move(.first)
    case UInt8(ascii: "F"): .move(.last)
    default: nil
    }
  }

  /// The keys of the old terminals with numbers: `ESC [ 5 ~`.
  private static func numbered(_ parameters: [UInt8]) -> Element? {
    switch String(decoding: parameters, as: UTF8.self) {
    case "1", "7": .move(.first)
    case "4", "8": .move(.last)
    case "5": .move(.pageUp)
    case "6": .move(.pageDown)
    default: nil
    }
  }

  private static func mode(_ parameters: [UInt8]) -> Element? {
    guard parameters.first == UInt8(ascii: "?"), parameters.last == UInt8(ascii: "$") else {
      return nil
    }
    let numbers = String(decoding: parameters.dropFirst().dropLast(), as: UTF8.self)
      .split(separator: ";").map { Int($0) }
    guard numbers.count == 2, let mode = numbers[0], let value = numbers[1] else { return nil }
    return .mode(mode, value: value)
  }
}
