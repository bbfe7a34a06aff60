import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// Submits the next runs of recurring commands.
///
/// A recurring command is a chain of jobs: when one begins, the next is submitted, for the next time and after
/// the end of this one. So each run has its own number, log and end; runs never overlap; missed runs are made
/// up for once; and cancelling the waiting run ends the chain.
final class NextRuns: Part {
  /// The next run of a recurring command, until the store has it.
  private struct Successor {
    let request: SubmitRequest
    let specification: [UInt8]
    var tryAt: Instant
  }

  private let runtime: JobRuntime
  private let store: Store
  private let notes: RunnerNotes
  private let isStopping: () -> Bool
  /// Next runs that the store does not have yet, by the job before.
  private var successors: [JobNumber: Successor] = [:]
  /// The job before, by the tags of submissions on their way.
  private var predecessors: [RequestTag: JobNumber] = [:]
  /// By how many milliseconds the wall clock was ahead of the awake one; nil before the first look.
  private var clockShift: Int64?

  /// `isStopping`: the runner accepts no more jobs.
  init(
    runtime: JobRuntime, store: Store, notes: RunnerNotes, isStopping: @escaping () -> Bool
  ) {
    self.runtime = runtime
    self.store = store
    self.notes = notes
    self.isStopping = isStopping
  }

  /// When to retry after a failed store; nil = there is no such job.
  var nextDue: Instant? { successors.values.map(\.tryAt).min() }

  func act(at now: Instant) { submit(at: now) }

  /// Plans the next runs of jobs that begin in this turn.
  func plan(after lines: [Turn.Line]) {
    for line in lines where line.kind == .launched { planSuccessor(of: line.number) }
  }

  /// Plans waiting runs anew after the clock was set back.
  func noticeClock(_ wall: WallTime, at now: Instant) {
    let shift = wall.milliseconds - Int64(clamping: now.nanoseconds / 1_000_000)
    defer { clockShift = shift }
    guard let before = clockShift, before - shift > Self.jump else { return }
    for liveJob in runtime.jobs.values where liveJob.waits {
      guard let rule = liveJob.details.recurrence, let due = liveJob.submission.notBefore,
        liveJob.submission.key.hasPrefix(Self.keyPrefix)
      else { continue }
      let next = rule.next(after: wall, last: due, on: LocalCalendar())
      guard next < due else { continue }
      var edit = JobEdit()
      edit.start = .notBefore(next)
      runtime.inbox.append(.edit(runtime.nextTag(), liveJob.number, edit))
    }
  }

  /// In milliseconds; clocks are set right by less all the time.
  private static let jump: Int64 = 60_000

  /// A run that has begun before has its successor, under the same key.
  func planSuccessor(of number: JobNumber) {
    guard let liveJob = runtime.jobs[number], liveJob.attempt <= 1,
      let rule = liveJob.details.recurrence,
      let bytes = runtime.arrivedSpecifications[number]
        ?? ((try? store.specification(number)) ?? nil)?.bytes
    else { return }
    var request = liveJob.request
    request.key = Self.nextKey(after: request.key)
    request.identifier = Self.nextIdentifier(after: request.identifier)
    request.after = []
    request.afterAny = [number]
    let now = WallTime.now()
    request.notBefore = rule.next(
      after: now, last: liveJob.submission.notBefore ?? now, on: LocalCalendar())
    successors[number] = Successor(request: request, specification: bytes, tryAt: .now())
    submit(at: .now())
  }

  /// Submits due runs; each is retried until it is accepted.
  private func submit(at now: Instant) {
    for (number, successor) in successors where successor.tryAt <= now {
      let known = (try? store.job(key: successor.request.key)) ?? nil
      guard known == nil, let submission = try? successor.request.submission() else {
        successors[number] = nil
        continue
      }
      successors[number]?.tryAt = now + .seconds(5)
      let tag = runtime.nextTag()
      runtime.drafts[tag] = Draft(
        LiveJob(successor.request, submission), specification: successor.specification)
      predecessors[tag] = number
      runtime.inbox += [.timeOfDay(.now()), .submit(tag, submission)]
    }
  }

  /// The submission under this tag is stored.
  func accepted(_ tag: RequestTag) {
    if let number = predecessors.removeValue(forKey: tag) { successors[number] = nil }
  }

  /// Handles the answer to a submission with this tag; a failure is retried, because it decided nothing.
  func answered(_ tag: RequestTag, _ reply: Result<Reply, WireError>) {
    guard let number = predecessors.removeValue(forKey: tag), case .success(let reply) = reply
    else { return }
    guard case .refused(let refusal) = reply else {
      successors[number] = nil
      return
    }
    // A lack of space is temporary: retry.
    guard refusal.code != .tooManyPendingTaskRequests, !isStopping() else { return }
    successors[number] = nil
    notes.add("job \(number) does not come back: \(refusal.message)")
  }

  private static let keyPrefix = "next"

  /// Follows from the key before, so that a runner that died in between makes no second one.
  private static func nextKey(after key: String) -> String {
    var halves: [UInt64] = [0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4]
    for byte in key.utf8 {
      // FNV-1a, twice.
      for index in halves.indices {
        halves[index] = (halves[index] ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    return halves.map { String($0, radix: 36) }.reduce(keyPrefix) { $0 + $1 }
  }

  /// `io.jobrun.run.k3f9`, then `io.jobrun.run.k3f9.2`, `.3` and so on.
  private static func nextIdentifier(after identifier: String) -> String {
    let labels = identifier.split(separator: ".")
    guard labels.count > 4, let last = labels.last, let count = UInt64(last) else {
      return identifier + ".2"
    }
    return labels.dropLast().map { $0 + "." }.joined() + "\(count + 1)"
  }
}
