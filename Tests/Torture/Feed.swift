import JobCore
import JobWire
import LinuxSystem
import TestKit

/// `jobrun feed --since 0` from its first line on, through every death of the runner.
final class Feed {
  struct Event {
    var sequence: UInt64
    var kind: Announcement.Kind
    /// When the runner sent it.
    var at: WallTime
    var job: JobStatus

    /// One line for a person.
    var summary: String {
      var words = ["\(sequence)", at.text, kind.rawValue, "attempt \(job.attempt)"]
      if let pid = job.pid { words.append("pid \(pid)") }
      if let outcome = job.outcome { words.append(outcome.rawValue) }
      if let reason = job.stopReason { words.append(reason.code.rawValue) }
      if let code = job.exitCode { words.append("exit \(code)") }
      if let signal = job.signal { words.append("signal \(signal)") }
      if let progress = job.progress { words.append("\(progress.completed)/\(progress.total)") }
      return (words + [job.message ?? ""]).joined(separator: "  ")
    }
  }

  private var command: Command
  private var path: String
  private let workplace: Workplace
  /// A runner that cannot open more files refuses a reconnecting client: then it is asked again, as after too
  /// many runners in a row that died before they answered.
  private let mayBeRefused: Bool
  private var offset: UInt64 = 0
  private var splitter = LineSplitter()

  private(set) var events: [Event] = []
  private(set) var live: Set<JobNumber> = []
  /// The newest status of each job, by its title.
  private(set) var jobs: [String: JobStatus] = [:]
  /// Lines that should not be there: gaps, repeats, nonsense.
  private(set) var faults: [String] = []

  init(_ workplace: Workplace, name: String, mayBeRefused: Bool = false) throws {
    self.workplace = workplace
    self.mayBeRefused = mayBeRefused
    path = workplace.sandbox.path(name)
    command = try workplace.start(["feed", "--since", "0"], output: path)
  }

  var lastSequence: UInt64 { events.last?.sequence ?? 0 }

  /// Reads the new lines since the last call.
  ///
  /// - Throws: `Overdue` with its last output when the command has ended by itself.
  func read() throws {
    if !command.isRunning {
      let end = try command.wait()
      try collect()
      let hasGivenUp = end.errors.contains("the runner broke the connection")
      if hasGivenUp || mayBeRefused && end.status == ExitCode.cannotCreate {
        return try startAgain()
      }
      throw Overdue(
        awaited: "the feed, which goes on for ever", limit: .zero,
        seen: "\(end.ending) \(end.errors)")
    }
    try collect()
  }

  private func startAgain() throws {
    (path, offset, splitter) = (path + "+", 0, LineSplitter())
    command = try workplace.start(["feed", "--since", "\(lastSequence)"], output: path)
  }

  private func collect() throws {
    guard let file = try? File.open(path) else { return }
    while true {
      let bytes = try file.read(at: offset, maximum: 1 << 20)
      if bytes.isEmpty { return }
      offset += UInt64(bytes.count)
      splitter.append(bytes)
      while let element = splitter.next() { take(element) }
    }
  }

  /// Whether all jobs have ended, and this has told so.
  ///
  /// It may be behind the commands that submitted them: stopped, or on its way to the next runner.
  func hasToldAll() throws -> Bool {
    let listed = try workplace.run(["list", "--all", "--json"])
    guard listed.status == 0 else { return false }
    return try listed.output.split(separator: "\n").allSatisfy { line in
      let job = try JobStatus(json: Array(line.utf8)[...])
      return job.state == .ended && jobs[job.title]?.state == .ended
    }
  }

  /// Ends the command.
  func end() { command.signal(Signal.terminate) }

  private func take(_ element: LineSplitter.Element) {
    guard case .line(let bytes) = element else { return faults.append("a line too long") }
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(WireError) {
      guard case .feed(let line) = try RunnerLine(line: bytes) else {
        return faults.append(text)
      }
      take(line, text)
    } catch {
      faults.append("\(error.message): \(text)")
    }
  }

  private func take(_ line: FeedLine, _ text: String) {
    switch line {
    case .event(let sequence, let at, let kind, let job):
      if sequence != lastSequence + 1 {
        faults.append("event \(sequence) follows event \(lastSequence): \(text)")
      }
      events.append(Event(sequence: sequence, kind: kind, at: at, job: job))
      jobs[job.title] = job
      if kind == .ended { live.remove(job.number) } else { live.insert(job.number) }
    case .gap: faults.append(text)
    case .snapshot, .progress, .brief, .dropped: break
    }
  }
}
