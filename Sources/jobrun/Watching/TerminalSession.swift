import JobClient
import JobPage
import LinuxSystem

/// Carries keys and size of this terminal to that of a job, and its output back, by a command that was told by
/// the runner.
final class TerminalSession {
  enum Ending {
    /// The person has left, or the window was closed.
    case left
    /// The job has ended, or is not reached any more; the last line of the command, often empty, says why.
    case over(complaint: String)
  }

  private let input: TerminalInput
  private let screen: Output
  private let pid: Int32
  private var toJob: FileDescriptor?
  private let fromJob: FileDescriptor
  private let complaints: FileDescriptor
  private var complaint: [UInt8] = []
  private var unsent: [UInt8] = []

  /// Ctrl-].
  private static let leaveKey: UInt8 = 0x1D
  /// The maximum number of bytes that wait for a job that does not read.
  private static let mostUnsent = 1 << 20
  private static let mostComplaint = 4_096
  /// In nanoseconds.
  private static let timeout: UInt64 = 1_000_000_000
  /// Programs change modes of the terminal, and change them back when they end, which they do not when they are
  /// left: the other screen, mouse, paste and cursor keys, and a hidden cursor.
  private static let usualModes =
    "\u{1B}[?47l\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1006l\u{1B}[?2004l\u{1B}[?1l\u{1B}>"
    + "\u{1B}[?25h\u{1B}[0m\r\n"

  init(_ command: [String], input: TerminalInput, screen: Output) throws(SystemError) {
    self.input = input
    self.screen = screen
    var keys = try Pipe()
    var output = try Pipe()
    var errors = try Pipe()
    let theirKeys = keys.takeReading()
    let theirOutput = output.takeWriting()
    let theirErrors = errors.takeWriting()
    var spawn = Spawn(command)
    // Signals of this terminal are not meant for it.
    spawn.startsSession = true
    spawn.descriptors = [
      .init(theirKeys.number, as: 0), .init(theirOutput.number, as: 1),
      .init(theirErrors.number, as: 2),
    ]
    pid = try spawn.start()
    let writing = keys.takeWriting()
    try writing.setNonblocking(true)
    toJob = consume writing
    fromJob = output.takeReading()
    complaints = errors.takeReading()
    try complaints.setNonblocking(true)
  }

  /// Runs to its end, with the terminal as it was before; lines on `link` are read and not needed.
  func run(beside link: RunnerLink) throws(SystemError) -> Ending {
    defer { input.releaseKeys() }
    let ending: Ending
    do throws(SystemError) {
      try input.takeTerminal()
      tellSize()
      ending = try carry(beside: link)
    } catch {
      endCommand()
      throw error
    }
    endCommand()
    if case .left = ending { screen.passOn(Array(Self.usualModes.utf8)) }
    return ending
  }

  private func carry(beside link: RunnerLink) throws(SystemError) -> Ending {
    while true {
      let fixed: [(number: Int32, interest: Interest)] = [
        (fromJob.number, .readable), (complaints.number, .readable),
        (toJob?.number ?? -1, unsent.isEmpty ? [] : .writable),
      ]
      let others = input.descriptors + (link.number.map { [$0] } ?? [])
      let watched = fixed + others.map { ($0, .readable) }
      for readiness in try Poll.wait(watched, until: nil) {
        switch Int(readiness.token) {
        case 0: if try !showOutput() { return .over(complaint: lastComplaint()) }
        case 1: readComplaints()
        case 2: break
        case let place where watched[place].number == link.number: _ = try? link.receive()
        case let place:
          if try takeInput(on: watched[place].number) { return .left }
        }
      }
      send()
    }
  }

  /// Closes the command's input and waits for its end, as the last keys are still on their way; a connection that
  /// hangs is cut.
  private func endCommand() {
    toJob = nil
    if let process = try? ProcessDescriptor(pid) {
      let isOver = try? Poll.wait(process.number, until: AwakeClock.now() + Self.timeout)
      if isOver != true { _ = try? process.signal(Signal.terminate) }
    }
    _ = try? ChildProcess.wait(pid)
  }

  /// False once there is no more.
  private func showOutput() throws(SystemError) -> Bool {
    var bytes: [UInt8] = []
    guard case .bytes = try fromJob.read(into: &bytes) else { return false }
    screen.passOn(bytes)
    return true
  }

  /// True when the person leaves.
  private func takeInput(on number: Int32) throws(SystemError) -> Bool {
    guard number == 0 else {
      for arrival in try input.arrivals(on: number) {
        switch arrival {
        case .leave: return true
        case .redraw:
          input.takeAgain()
          tellSize()
        case .key, .move, .escape, .mode, .interrupt, .stop: continue
        }
      }
      return false
    }
    guard let typed = input.typed() else { return true }
    let end = typed.firstIndex(of: Self.leaveKey)
    if unsent.count < Self.mostUnsent {
      for word in TerminalWord.words(typing: Array(typed[..<(end ?? typed.count)])) {
        unsent += word.encoded
      }
    }
    if end != nil { send() }
    return end != nil
  }

  private func tellSize() {
    guard let size = screen.size else { return }
    unsent +=
      TerminalWord.size(
        columns: UInt16(clamping: size.columns), rows: UInt16(clamping: max(1, size.rows))
      ).encoded
    send()
  }

  private func send() {
    while !unsent.isEmpty {
      do throws(SystemError) {
        guard let count = try toJob?.write(unsent) else { return }
        unsent.removeFirst(count)
      } catch {
        // Its output ends, too.
        unsent = []
      }
    }
  }

  private func readComplaints() {
    var bytes: [UInt8] = []
    guard case .bytes? = try? complaints.read(into: &bytes) else { return }
    complaint = Array((complaint + bytes).suffix(Self.mostComplaint))
  }

  private func lastComplaint() -> String {
    readComplaints()
    let last = complaint.split(separator: UInt8(ascii: "\n")).last ?? []
    return PlainText.make(last)
  }
}
