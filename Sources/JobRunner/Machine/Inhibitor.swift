internal import LinuxSystem

/// A lock of logind against the sleep of the machine, held by `systemd-inhibit` for as long as a pipe
/// from this process is open: it is gone however this process ends.
final class Inhibitor {
  /// The kind of lock (systemd-inhibit(1)).
  struct Wish: Hashable, Sendable {
    let what: String
    let mode: String

    /// In the order of attempts; first a lock that still lets the user suspend the machine (since systemd 257).
    ///
    /// A user without a seat may usually only block idleness, which is the cause of automatic sleep.
    static let all = [
      Wish(what: "sleep:idle", mode: "block-weak"), Wish(what: "sleep:idle", mode: "block"),
      Wish(what: "idle", mode: "block"),
      Wish(what: "sleep", mode: "delay"),
    ]
  }

  enum News: Hashable, Sendable {
    case nothing
    case isHeld
    /// The reason, in words.
    case isOver(String)
  }

  private static let outputLimit = 4096
  /// The line that confirms the lock; other output may come before it.
  private static let held = "jobrun holds it"

  private let process: ProcessDescriptor
  private let output: FileDescriptor
  private let life: FileDescriptor
  private var told: [UInt8] = []

  /// Requests a lock; `why` is shown by `systemd-inhibit --list`.
  init(_ wish: Wish, why: String, environment: [[UInt8]]) throws(SystemError) {
    var outputPipe = try Pipe()
    var lifePipe = try Pipe()
    let output = outputPipe.takeReading()
    let writing = outputPipe.takeWriting()
    let life = lifePipe.takeWriting()
    let reading = lifePipe.takeReading()
    try output.setNonblocking(true)
    // The command runs only once it has the lock.
    var spawn = Spawn(
      [
        "systemd-inhibit", "--what=\(wish.what)", "--who=jobrun", "--why=\(why)",
        "--mode=\(wish.mode)", "sh", "-c", "echo '\(Self.held)'; exec cat >/dev/null",
      ], environment: environment)
    spawn.startsSession = true
    spawn.descriptors = [
      .init(reading.number, as: 0), .init(writing.number, as: 1), .init(writing.number, as: 2),
    ]
    process = try spawn.startWatched()
    self.output = output
    self.life = life
  }

  deinit { ChildProcess.discard(process.pid) }

  /// For an event loop: readable when there is output, or the process has ended.
  var number: Int32 { output.number }

  /// The news since the last call.
  func hear() -> News {
    let wasHeld = isHeld
    while told.count < Self.outputLimit {
      switch (try? output.read(into: &told)) ?? .end {
      case .bytes: continue
      case .wouldBlock:
        return isHeld && !wasHeld ? .isHeld : .nothing
      case .end: return .isOver(reason)
      }
    }
    return .isOver(reason)
  }

  private var isHeld: Bool { lines.contains { $0 == Self.held } }

  private var lines: [Substring] { String(decoding: told, as: UTF8.self).split(separator: "\n") }

  private var reason: String {
    lines.last { $0 != Self.held }.map(String.init) ?? "systemd-inhibit has ended"
  }
}
