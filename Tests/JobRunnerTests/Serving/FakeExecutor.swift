import JobCore
import JobRunner
import JobRuntime
import JobWire

/// Attempts that are only said to run: each begins at once and ends when it is told to, or when a test says so.
final class FakeExecutor: Executor {
  /// Where it tells what happens.
  weak var runtime: JobRuntime?
  private var attempts: [JobNumber: Int] = [:]

  var numbers: any Collection<JobNumber> { attempts.keys }

  func runs(_ number: JobNumber) -> Bool { attempts[number] != nil }

  func launch(_ number: JobNumber, attempt: Int, gpus: [String]) {
    attempts[number] = attempt
    runtime?.inbox.append(.started(number, attempt: attempt))
  }

  func end(_ number: JobNumber, _ status: RunEnd.Status = .exited(0)) {
    guard let attempt = attempts.removeValue(forKey: number) else { return }
    runtime?.inbox.append(
      .finished(number, attempt: attempt, RunEnd(status: status, declared: .nothing)))
  }

  func stop(_ number: JobNumber, reason: StopReason, deadline: Instant) {
    end(number, .signalled(15))
  }

  func kill(_ number: JobNumber) { end(number, .signalled(9)) }

  func sample(_ number: JobNumber) {}
  func mark(_ number: JobNumber, _ mark: ProgressTrace.Mark) {}
  func isObserved(_ number: JobNumber) -> Bool { false }
  func adopt(_ row: JobRecord, isSameBoot: Bool) {}
  func retire(_ job: LiveJob) {}
}
