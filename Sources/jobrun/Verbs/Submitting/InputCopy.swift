import JobWire
import LinuxSystem

/// A copy of piped input, made before the job is submitted: complete, or removed.
///
/// It stays open until the job is accepted, which tells the runner that it is needed.
struct InputCopy {
  private let source: BorrowedDescriptor
  /// Nil = from the current position to the end of input.
  private let offset: UInt64?
  private let path: String
  private let talk: Output

  /// The time without data after which a message says that the command waits for input.
  private static let timeout: UInt64 = 1_000_000_000

  init(_ number: Int32, from offset: UInt64?, to path: String, talk: Output) {
    source = BorrowedDescriptor(number)
    self.offset = offset
    self.path = path
    self.talk = talk
  }

  /// Copies everything; the copy, and how many bytes that were.
  func make() throws(WireError) -> (copy: OpenedInput, bytes: UInt64) {
    do throws(SystemError) {
      // It may be gone with an older runner's folder.
      try File.makeDirectories(File.parent(of: path))
      let copy = OpenedInput(try File.open(path, [.write, .create, .truncate, .noFollow]))
      let count = try carry(into: copy.descriptor)
      // The job will be there after a power cut, and must not read less then.
      try copy.descriptor.synchronise()
      try File.synchroniseDirectory(of: path)
      return (copy, count)
    } catch {
      try? File.remove(path)  // the first problem is the one to tell
      throw WireError(
        .cannotCreate,
        "no copy of the standard input can be made: \(error.reason); nothing was submitted")
    }
  }

  private func carry(into copy: borrowing FileDescriptor) throws(SystemError) -> UInt64 {
    var count: UInt64 = 0
    var hasTold = false
    while true {
      var piece: [UInt8] = []
      if let offset {
        piece = try source.read(at: offset + count, maximum: 65536)
      } else {
        if !hasTold, try !source.waitToRead(until: AwakeClock.now() + Self.timeout) {
          talk.write(
            line: "jobrun: reading standard input to its end, for a copy that the job reads later;"
              + " --stdin none leaves it out")
          hasTold = true
        }
        _ = try source.waitToRead(until: nil)
        if case .wouldBlock = try source.read(into: &piece) { continue }
      }
      guard !piece.isEmpty else { return count }
      try copy.writeAll(piece)
      count += UInt64(piece.count)
    }
  }
}
