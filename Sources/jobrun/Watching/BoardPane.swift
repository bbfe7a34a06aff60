import JobCore
import JobWire

/// The content of the `jobrun watch` screen.
enum BoardPane: Hashable {
  case jobs
  /// The help on keys.
  case keys
  /// One job with its facts and the end of its output.
  case job(JobNumber)
  /// A job's output.
  case log(JobNumber)
}

/// A text of one line that is typed: a filter, a search, a title.
struct TypedText: Hashable {
  private var bytes: [UInt8]
  /// In bytes.
  private let longest: Int
  /// Whether keys are typed into it.
  var isTyped = false

  init(_ text: String = "", longest: Int = 64) {
    bytes = Array(text.utf8)
    self.longest = longest
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var isEmpty: Bool { bytes.isEmpty }

  /// Takes a key while it is being typed.
  mutating func type(_ byte: UInt8) {
    switch byte {
    case 0x0D, 0x0A: isTyped = false
    case 0x15: bytes = []
    case 0x08, 0x7F: bytes = Array(text.dropLast().utf8)
    case 0x20...0xFF: if bytes.count < longest { bytes.append(byte) }
    default: break
    }
  }

  mutating func clear() { (bytes, isTyped) = ([], false) }

  /// Whether it is part of one of these, ignoring case.
  func matches(_ texts: [String?]) -> Bool {
    let wanted = text.lowercased()
    return texts.contains { $0?.lowercased().holds(wanted) ?? false }
  }
}
