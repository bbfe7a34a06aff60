import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// The next run of a recurring command, until the store has it.
struct Successor {
  let request: SubmitRequest
  let specification: [UInt8]
  var tryAt: Instant
}

// A recurring command is a chain of jobs: as one begins, the next is submitted, for the next time and
// after the end of this one. So each run has its own number, log and end; one at a time runs; what is
// missed is made up for once; and whoever cancels the one that waits has ended the chain.
extension Runner {
  /// Plans the next runs of those that begin in this turn.
  func planSuccessors(of lines: [Turn.Line]) {
    for line in lines where line.kind == .launched { planSuccessor(of: line.number) }
  }

  /// A run that has begun before has its successor, under the same key.
  func planSuccessor(of number: JobNumber) {
    guard let card = cards[number], card.attempt <= 1, let rule = card.details.recurrence,
      let bytes = (try? store.specification(number)) ?? nil
    else { return }
    var request = card.request
    request.key = Self.nextKey(after: request.key)
    request.identifier = Self.nextIdentifier(after: request.identifier)
    request.after = []
    request.afterAny = [number]
    let now = wallClock()
    request.notBefore = rule.next(
      after: now, last: card.submission.notBefore ?? now, on: LocalCalendar())
    successors[number] = Successor(request: request, specification: bytes, tryAt: clock())
    submitSuccessors()
  }

  /// When what could not be stored is tried again; nil = nothing waits for that.
  var nextSuccessor: Instant? { successors.values.map(\.tryAt).min() }

  /// Submits what is due; each is tried until it is there.
  func submitSuccessors() {
    let now = clock()
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
      luggage[tag] = Luggage(successorOf: number)
      tellTimeOfDay()
      ask(.submit(tag, submission))
    }
  }

  /// The next run is stored, or will never be.
  func successorAnswered(of number: JobNumber, _ reply: Reply) {
    guard case .refused(let refusal) = reply else {
      successors[number] = nil
      return
    }
    // What there is no room for now is tried again.
    guard refusal.code != .tooManyPendingTaskRequests, !isStopping else { return }
    successors[number] = nil
    note("job \(number) does not come back: \(refusal.message)")
  }

  /// Follows from the key before, so that a runner that died in between makes no second one.
  private static func nextKey(after key: String) -> String {
    var halves: [UInt64] = [0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4]
    for byte in key.utf8 {
      // FNV-1a, twice.
      for index in halves.indices {
        halves[index] = (halves[index] ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    return halves.map { String($0, radix: 36) }.reduce("next") { $0 + $1 }
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
