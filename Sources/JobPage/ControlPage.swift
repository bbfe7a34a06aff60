/// Orders for a supervisor on another machine: 4096 bytes that only the sending side writes.
///
/// All times but one are durations, as the two machines share no clock. `mirror.md` beside this file
/// documents the same layout.
package struct ControlPage: Hashable, Sendable {
  /// The interval between two writes of the mirror and between two reads of this page; 0 = the supervisor's
  /// default.
  package var paceMilliseconds: UInt32 = 0
  /// Whether the job must stop: the page gives the reason, and the supervisor kills it after the grace.
  package var isStopped = false
  package var reason: UInt32 = 0
  package var graceMilliseconds: UInt32 = 0
  /// A plain command also gets SIGTERM.
  package var terminates = false
  /// All processes of the attempt are to end now.
  package var isKilled = false
  /// The interval is one second for this long after a ring; 0 = for a minute.
  package var fastSeconds: UInt32 = 0
  /// The time between the engine's SIGTERM and its kill; 0 = the job's own grace.
  package var engineGraceMilliseconds: UInt32 = 0
  /// Grows with each write, so that no order is obeyed twice.
  package var serial: UInt64 = 0
  /// The slot of `ChangeFile` in which the supervisor announces a changed mirror; 0 = none.
  package var slot: UInt32 = 0
  /// When the engine ends the attempt, in milliseconds since 1970; 0 = unknown or never.
  ///
  /// By the engine's clock, which its nodes share: they would refuse each other's credentials otherwise.
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

  /// Nil for a page that is half written or not a control page.
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
