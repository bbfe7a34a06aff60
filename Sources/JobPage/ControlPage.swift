/// What a supervisor on another machine is to do: 4096 bytes that only the sending side writes.
///
/// Spans and no instants but one, as the two machines share no clock. `mirror.md` beside this file is the
/// same table for people.
package struct ControlPage: Hashable, Sendable {
  /// Between two writings of the mirror and two looks at this page; 0 = as the supervisor likes.
  package var paceMilliseconds: UInt32 = 0
  /// The job is to end: it is told why, and killed after the grace.
  package var isStopped = false
  package var reason: UInt32 = 0
  package var graceMilliseconds: UInt32 = 0
  /// A plain command is told by SIGTERM, too.
  package var terminates = false
  /// Everything of it is to end now.
  package var isKilled = false
  /// For so long after a ring the pace is a second; 0 = a minute.
  package var fastSeconds: UInt32 = 0
  /// How long after its SIGTERM the engine kills; 0 = as long as the job's own grace.
  package var engineGraceMilliseconds: UInt32 = 0
  /// Grows with each writing: what was obeyed is not obeyed again.
  package var serial: UInt64 = 0
  /// Where in `ChangeFile` the supervisor says that its mirror is new; 0 = nowhere.
  package var slot: UInt32 = 0
  /// When the engine ends the attempt, in milliseconds since 1970; 0 = not known, or never.
  ///
  /// It is by the clock of the engine, which its nodes share: credentials among them are refused otherwise.
  package var endsAtMilliseconds: UInt64 = 0

  package init() {}

  /// `JRC1`.
  private static let magic: UInt32 = 0x3143_524A
  static let size = 4096

  package func encoded() -> [UInt8] {
    let words: [UInt32] = [
      Self.magic, paceMilliseconds, isStopped ? 1 : 0, reason, graceMilliseconds,
      isKilled ? 1 : 0, terminates ? 1 : 0, fastSeconds, engineGraceMilliseconds, 0,
    ]
    var bytes: [UInt8] = []
    for word in words { bytes += word.littleEndianBytes }
    bytes += serial.littleEndianBytes + slot.littleEndianBytes + UInt32(0).littleEndianBytes
    bytes += endsAtMilliseconds.littleEndianBytes
    bytes += [UInt8](repeating: 0, count: Self.size - bytes.count)
    bytes.seal()
    return bytes
  }

  /// Nil for a page that is half written, or none.
  package init?(decoding bytes: [UInt8]) {
    guard bytes.count == Self.size, bytes.isSealed else { return nil }
    let page = PageBytes(bytes: bytes)
    guard page.word32(0) == Self.magic else { return nil }
    paceMilliseconds = page.word32(4)
    isStopped = page.word32(8) != 0
    reason = page.word32(12)
    graceMilliseconds = page.word32(16)
    isKilled = page.word32(20) != 0
    terminates = page.word32(24) != 0
    fastSeconds = page.word32(28)
    engineGraceMilliseconds = page.word32(32)
    serial = page.word64(40)
    slot = page.word32(48)
    endsAtMilliseconds = page.word64(56)
  }
}
