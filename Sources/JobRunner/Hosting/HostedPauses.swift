import JobCore
import JobWire
import LinuxSystem

/// Requests to pause hosted jobs, until the programs that run them have answered: each decides for itself.
final class HostedPauses: Part {
  private struct Question {
    /// Jobs whose programs have not answered.
    var missing: Set<JobNumber>
    var paused: [JobNumber] = []
    let due: Instant
    let whenAnswered: ([JobNumber]) -> Void
  }

  /// How long to wait for an answer: a program may be stopped, or of a version that does not answer.
  private static let timeout = Interval.seconds(5)

  private var questions: [Question] = []

  /// Calls `whenAnswered` with the jobs that were paused, once each has an answer or time is up.
  func expect(_ numbers: [JobNumber], whenAnswered: @escaping ([JobNumber]) -> Void) {
    guard !numbers.isEmpty else { return whenAnswered([]) }
    let due = AwakeClock.instant(in: Self.timeout)
    questions.append(Question(missing: Set(numbers), due: due, whenAnswered: whenAnswered))
  }

  /// A program has answered, or its job has ended; returns whether a request waited for that.
  @discardableResult
  func answer(_ number: JobNumber, isPaused: Bool) -> Bool {
    var isAwaited = false
    for index in questions.indices where questions[index].missing.remove(number) != nil {
      isAwaited = true
      if isPaused { questions[index].paused.append(number) }
    }
    conclude { $0.missing.isEmpty }
    return isAwaited
  }

  var nextDue: Instant? { questions.map(\.due).min() }

  func act(at now: Instant) { conclude { $0.due <= now } }

  private func conclude(where isOver: (Question) -> Bool) {
    let over = questions.filter(isOver)
    questions.removeAll(where: isOver)
    for question in over { question.whenAnswered(question.paused.sorted()) }
  }
}
