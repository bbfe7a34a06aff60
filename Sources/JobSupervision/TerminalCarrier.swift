internal import JobPage
package import LinuxSystem

/// Connects this process's standard streams with the terminal of a job that runs on this machine.
///
/// Standard input has `TerminalWord`s for it; what it writes into its log is copied to standard output, from
/// the last part of what is there already. It ends with its input, with the reader of its output, or with
/// the job.
package struct TerminalCarrier: ~Copyable {
  private let input: FileDescriptor
  private let output: FileDescriptor
  /// Closed if the job has its terminal no more.
  private let keys: FileDescriptor
  private let log: FileDescriptor
  private var changes: FileChanges?
  private var words = TerminalWords()
  private var pending: [UInt8] = []
  private var offset: UInt64 = 0
  /// The output up to here was shown to others, whose terminals have answered what it asks.
  private var repeatedUntil: UInt64 = 0

  private static let portion = 64 << 10
  /// What is shown of the output before.
  private static let before: UInt64 = 16 << 10
  /// Output that is further behind is skipped: its log has it.
  private static let farBehind: UInt64 = 1 << 20
  /// The interval between two looks at a log that cannot be watched.
  private static let lookPause: UInt64 = 50_000_000

  package init(keys: String, log: String) throws(SystemError) {
    let file = try File.open(log)
    let start = try Self.start(of: file)
    let size = try file.size()
    let pipe = try Self.open(keys)
    let wasVisited = Self.visit(keys)
    input = FileDescriptor(owning: 0)
    output = FileDescriptor(owning: 1)
    self.keys = pipe
    self.log = file
    // Without a watch, as their number is limited, it looks from time to time.
    changes = try? FileChanges(log)
    offset = start
    repeatedUntil = wasVisited ? size : 0
  }

  /// Permissions of the pipe after the first visit, as the mark for later ones; they permit nothing more.
  private static let visited: UInt32 = 0o700

  /// Marks the visit; returns whether there was an earlier one.
  private static func visit(_ keys: String) -> Bool {
    guard let status = try? File.status(keys) else { return true }
    if status.mode & 0o777 == visited { return true }
    try? File.setPermissions(visited, keys)
    return false
  }

  private static func open(_ keys: String) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) {
      return try File.open(keys, [.write, .nonblocking])
    } catch {
      guard [SystemError.notFound, SystemError.noReader].contains(error.number) else { throw error }
      return FileDescriptor(owning: -1)
    }
  }

  package mutating func run() throws(SystemError) {
    while keys.number >= 0 {
      if pending.isEmpty, let word = words.next() { pending = word.encoded }
      if !pending.isEmpty, try keys.write(pending) != nil {
        pending = []
        continue
      }
      let hasMore = try showOutput()
      var watched: [(number: Int32, interest: Interest)] = [
        (keys.number, pending.isEmpty ? [] : .writable)
      ]
      if pending.isEmpty { watched.append((input.number, .readable)) }
      let before = watched.count
      if let number = changes?.number { watched.append((number, .readable)) }
      let now = AwakeClock.now()
      let deadline = hasMore ? now : changes == nil ? now + Self.lookPause : nil
      for readiness in try Poll.wait(watched, until: deadline) {
        switch Int(readiness.token) {
        case 0:
          if readiness.isHangup { return try showRest() }
        case before...: _ = changes?.drain()
        default:
          var bytes: [UInt8] = []
          guard case .bytes = try input.read(into: &bytes) else { return }
          words.append(bytes)
        }
      }
    }
    try showRest()
  }

  /// Everything that the job wrote before it ended.
  private mutating func showRest() throws(SystemError) {
    while try showOutput() {}
  }

  /// Shows the next part of the output; false when there is no more.
  private mutating func showOutput() throws(SystemError) -> Bool {
    let size = try log.size()
    // Where the file system has no holes, a log over its limit was cut.
    offset = min(offset, size)
    if size - offset > Self.farBehind { offset = size - Self.before }
    guard let start = log.dataStart(from: offset) else { return false }
    let length = (log.holeStart(from: start) ?? .max) - start
    let isRepeated = start < repeatedUntil
    let most = isRepeated ? repeatedUntil - start : UInt64(Self.portion)
    let bytes = try log.read(at: start, maximum: Int(min(max(1, length), most)))
    if bytes.isEmpty { return false }
    offset = start + UInt64(bytes.count)
    try output.writeAll(isRepeated ? RepeatedOutput.shown(bytes) : bytes)
    return true
  }

  /// Where the last part of the output begins: with a line.
  private static func start(of log: borrowing FileDescriptor) throws(SystemError) -> UInt64 {
    let size = try log.size()
    guard size > before else { return 0 }
    let bytes = try log.read(at: size - before, maximum: Int(before))
    let line = bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return size - before + UInt64(line)
  }
}
