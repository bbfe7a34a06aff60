package import LinuxSystem

/// One file for all attempts of an engine, in which their supervisors announce changed mirrors: one number
/// per attempt, which differs after each write.
///
/// `mirror.md` beside this file describes its use on a file system that several machines share.
package struct ChangeFile: ~Copyable {
  private let file: FileDescriptor

  /// Slots of attempts are below this; 0 means no slot.
  package static let slots: UInt32 = 1 << 14
  private static let width = 8

  /// Opens the file for a supervisor; `store` is the folder of the engine.
  package init(in store: String) throws(SystemError) {
    file = try File.open(
      Self.path(in: store), [.write, .synchronous, .noFollow, .nonblocking])
  }

  private static func path(in store: String) -> String { "\(store)/changes" }

  /// Announces a changed mirror.
  package borrowing func note(_ sequence: UInt64, slot: UInt32) throws(SystemError) {
    guard slot > 0, slot < Self.slots else { return }
    try file.write(sequence.littleEndianBytes, at: UInt64(slot) * UInt64(Self.width))
  }

  /// Makes the file unless it exists.
  package static func make(in store: String) throws(SystemError) {
    let size = UInt64(slots) * UInt64(width)
    try File.makeDirectories(store)
    let file = try File.open(path(in: store), [.write, .create, .noFollow])
    if try file.size() < size { try file.resize(to: size) }
  }

  /// The current numbers of all slots below `end`.
  package static func read(in store: String, below end: UInt32) throws(SystemError) -> [UInt64] {
    let file = try File.open(path(in: store), [.read, .noFollow, .nonblocking])
    let bytes = try file.read(at: 0, maximum: Int(min(end, slots)) * width)
    let page = PageBytes(bytes: bytes)
    return (0..<(bytes.count / width)).map { page.word64($0 * width) }
  }
}
