import JobCore
import JobWire

/// The jobs that `jobrun wait` still waits for, and the exit code that follows from their ends.
struct PendingJobs {
  /// The first end is enough.
  let isAny: Bool
  /// In the order in which they were named.
  private var numbers: [JobNumber] = []
  private var codes: [JobNumber: Int32] = [:]

  init(isAny: Bool) {
    self.isAny = isAny
  }

  /// A job named twice is waited for once.
  mutating func add(_ job: JobStatus) {
    if !numbers.contains(job.number) { numbers.append(job.number) }
  }

  /// Those that have not ended.
  var references: [JobReference] {
    numbers.filter { codes[$0] == nil }.map { .number($0) }
  }

  /// Takes a job that has ended; false when it was not waited for any more.
  mutating func end(_ job: JobStatus) -> Bool {
    guard code == nil, numbers.contains(job.number), codes[job.number] == nil,
      let code = ExitCode.of(job)
    else { return false }
    codes[job.number] = code
    return true
  }

  /// The first that is not 0, in the order of the names; nil while there is something to wait for.
  var code: Int32? {
    let ended = numbers.compactMap { codes[$0] }
    guard isAny ? !ended.isEmpty : ended.count == numbers.count else { return nil }
    return ended.first { $0 != ExitCode.success } ?? ExitCode.success
  }
}
