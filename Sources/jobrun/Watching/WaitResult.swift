import JobCore
import JobWire

/// The exit code of `jobrun wait`, and the jobs whose ends are missing for it.
struct WaitResult {
  /// The first end is enough.
  let isAny: Bool
  /// The first that is no success is enough.
  let failsFast: Bool
  /// It is enough that they have begun.
  let untilRunning: Bool
  /// In the order in which they were named.
  private var numbers: [JobNumber] = []
  private var known: Set<JobNumber> = []
  private var codes: [JobNumber: Int32] = [:]
  private var hasFailed = false

  init(isAny: Bool, failsFast: Bool = false, untilRunning: Bool = false) {
    self.isAny = isAny
    self.failsFast = failsFast
    self.untilRunning = untilRunning
  }

  /// A job named twice is waited for once.
  mutating func add(_ job: JobStatus) {
    if known.insert(job.number).inserted { numbers.append(job.number) }
  }

  /// The latest of all of them.
  var newest: JobNumber { known.max() ?? JobNumber(0) }

  /// Whether no job was named.
  var isEmpty: Bool { numbers.isEmpty }

  /// The jobs that are still awaited.
  var references: [JobReference] {
    numbers.filter { codes[$0] == nil }.map { .number($0) }
  }

  func contains(_ reference: JobReference) -> Bool {
    guard case .number(let number) = reference else { return false }
    return known.contains(number) && codes[number] == nil
  }

  /// Handles a job that may have ended, or begun; false if it was no longer awaited, or continues.
  mutating func end(_ job: JobStatus) -> Bool {
    guard code == nil, known.contains(job.number), codes[job.number] == nil,
      let code = ExitCode.of(job) ?? (hasBegun(job) ? ExitCode.success : nil)
    else { return false }
    codes[job.number] = code
    if code != ExitCode.success { hasFailed = true }
    return true
  }

  private func hasBegun(_ job: JobStatus) -> Bool {
    guard untilRunning else { return false }
    switch job.state {
    case .queued, .launching: return false
    case .running, .stalled, .paused, .stopping, .ended: return true
    }
  }

  /// The first that is not 0, in the order of the names; nil while there is something to wait for.
  var code: Int32? {
    let isOver =
      codes.count == numbers.count || isAny && !codes.isEmpty || failsFast && hasFailed
    guard isOver else { return nil }
    return numbers.lazy.compactMap { codes[$0] }.first { $0 != ExitCode.success }
      ?? ExitCode.success
  }
}
