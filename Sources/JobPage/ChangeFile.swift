package import LinuxSystem

/// One file for all attempts of an engine, in which their supervisors say whose mirror is new: a number for
/// each, which is different after each writing.
///
/// `mirror.md` beside this file says how it is used on a file system that several machines see.
package struct ChangeFile: ~Copyable {
  private let file: FileDescriptor

  /// Numbers of attempts are below that; 0 is none's.
  package static let slots: UInt32 = 1 << 14
  private static let width = 8

  /// For a supervisor; `store`: the folder of the engine.
  package init(in store: String) throws(SystemError) {
    file = try File.open(
      Self.path(in: store), [.write, .synchronous, .noFollow, .nonblocking])
  }

  private static func path(in store: String) -> String { "\(store)/changes" }

  /// A mirror is new.
  package borrowing func note(_ sequence: UInt64, slot: UInt32) throws(SystemError) {
    guard slot > 0, slot < Self.slots else { return }
    try file.write(sequence.littleEndianBytes, at: UInt64(slot) * UInt64(Self.width))
  }

  /// Makes the file unless it is there.
  package static func make(in store: String) throws(SystemError) {
    let size = UInt64(slots) * UInt64(width)
    try File.makeDirectories(store)
    let file = try File.open(path(in: store), [.write, .create, .noFollow])
    if try file.size() < size { try file.resize(to: size) }
  }

  /// The numbers of all slots below `end`, as they are now.
  package static func read(in store: String, below end: UInt32) throws(SystemError) -> [UInt64] {
    let file = try File.open(path(in: store), [.read, .noFollow, .nonblocking])
    let bytes = try file.read(at: 0, maximum: Int(min(end, slots)) * width)
    let page = PageBytes(bytes: bytes)
    return (0..<(bytes.count / width)).map { page.word64($0 * width) }
  }
}
