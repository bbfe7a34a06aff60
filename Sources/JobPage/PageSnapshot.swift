/// The content of a page at one time, safe to show: counts clamped, texts without control characters.
package struct PageSnapshot: Hashable, Sendable {
  package enum Condition: Hashable, Sendable {
    case intact
    /// The worker has truncated its page.
    case truncated
    /// The header is no longer the runner's, or a word holds an invalid value.
    case garbage
    /// The file cannot be read.
    case unreadable
  }

  /// Anything but `intact` deserves a warning; all other fields then have their defaults, except the texts,
  /// which stay the last good ones.
  package var condition: Condition = .intact
  package var completed: UInt64 = 0
  /// 0 = indeterminate.
  package var total: UInt64 = 0
  package var reports: UInt64 = 0
  package var unit: PageUnit = .items
  /// On `AwakeClock`; 0 = not quiet.
  package var quietUntil: UInt64 = 0
  /// Changes with every new title or subtitle.
  package var textSequence: UInt64 = 0
  /// Empty = not set by the worker.
  package var title: String = ""
  package var subtitle: String = ""
  package var outcome: PageOutcome = .none
  package var deferSeconds: UInt32 = 0
  package var message: String = ""
  /// The runner's request to stop; nil while the worker may go on.
  package var stop: PageStop?
  /// The runner's last decision about a pause.
  package var pause = PagePause()
  /// A supervisor has taken the attempt, so that its worker may have started.
  package var hasBegun = false

  package init() {}
}

/// The bytes of a page as they were read.
struct PageBytes {
  let bytes: [UInt8]

  func word64(_ offset: Int) -> UInt64 { word(offset) }

  func word32(_ offset: Int) -> UInt32 { word(offset) }

  private func word<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Word {
    unsafe bytes.withUnsafeBytes {
      unsafe Word(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Word.self))
    }
  }

  /// A count; a value beyond a signed 64-bit number came from below zero and is 0.
  func count(_ offset: Int) -> UInt64 {
    let value = word64(offset)
    return value > UInt64(Int64.max) ? 0 : value
  }

  /// A text, or nil when its length is impossible.
  func text(_ offset: Int) -> String? {
    let length = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    guard length <= PageLayout.textBytes else { return nil }
    return PlainText.make(bytes[(offset + 2)..<(offset + 2 + length)])
  }

  var hasHeader: Bool {
    bytes.starts(with: PageLayout.magicBytes)
      && word32(PageLayout.versionNumber) == PageLayout.version
      && word32(PageLayout.pageSize) == UInt32(PageLayout.size)
  }
}

/// Text from a worker that may go to a terminal.
package enum PlainText {
  /// The bytes as repaired UTF-8 in one line: line breaks become blanks, and everything that could control
  /// a terminal or change the direction of writing is removed.
  package static func make(_ bytes: some Collection<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x09...0x0D, 0x85, 0x2028, 0x2029: text.append(" ")
      case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069:
        continue
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
