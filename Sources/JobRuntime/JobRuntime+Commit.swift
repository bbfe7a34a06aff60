package import JobCore
import JobWire

/// Announcements that a journal refused although they are true.
struct HeldBack {
  var lines: [Turn.Line] = []
  /// Where in `lines` each job's end is: of a crowd that was cancelled every one is asked for.
  private var ends: [JobNumber: Int] = [:]
  var released: [JobNumber] = []
  /// The new content of waiting pushes, in place of the stored one.
  var replacements: [JobNumber: [UInt8]] = [:]
  /// Only launches: an unstored one would be repeated after a crash.
  var launches: [Effect] = []
  /// The reason, in words.
  var trouble = ""

  var isEmpty: Bool { lines.isEmpty && released.isEmpty }

  mutating func add(_ more: [Turn.Line]) {
    for line in more {
      if line.kind == .ended { ends[line.number] = lines.count }
      lines.append(line)
    }
  }

  /// Whether it has ended and that was not stored.
  func hasEnd(of number: JobNumber) -> Bool { ends[number] != nil }

  /// The job as it ended; nil when it did not, or that was stored.
  func end(of number: JobNumber) -> JobStatus? { ends[number].flatMap { lines[$0].object } }
}

extension JobRuntime {
  /// Offers a turn's announcements to the journal, after those that it refused before.
  ///
  /// If it refuses, the turn's acceptances are revoked and their submitters informed; events of running jobs
  /// are kept and retried, because they are true whether or not they can be stored.
  func commit(
    _ turn: inout Turn, _ before: Before?, at now: Moment, _ journal: inout some Journal
  ) {
    guard turn.hasNews || !heldBack.isEmpty else { return }
    var waiting = HeldBack()
    swap(&waiting, &heldBack)
    let waitingCount = waiting.lines.count
    var lines = waiting.lines
    waiting.lines = []
    if lines.isEmpty { swap(&lines, &turn.lines) } else { lines += turn.lines }
    turn.lines = []
    let replacements = waiting.replacements.merging(turn.replacements) { $1 }
    var commit = Commit(
      at: now.wall, lines: lines, released: waiting.released + turn.released,
      specifications: turn.specifications, replacements: replacements, batches: turn.batches,
      hasAcceptances: !turn.accepted.isEmpty,
      json: { [unowned self] in json(of: $0) })
    lines = []
    beingAccepted = Set(turn.specifications.keys)
    let refusal = journal.commit(&commit, of: jobs)
    beingAccepted = []
    guard let refusal else {
      turn.lines = commit.lines
      for case .launch(let number, _, _) in turn.actions {
        guard let new = turn.specifications[number], new.batch == nil else { continue }
        arrivedSpecifications[number] = new.bytes
      }
      (turn.specifications, turn.replacements, turn.batches) = ([:], [:], [])
      if !waiting.launches.isEmpty { turn.actions = waiting.launches + turn.actions }
      sequence = turn.lines.last?.sequence ?? sequence
      retryAt = nil
      return
    }
    waiting.lines = Array(commit.lines.prefix(waitingCount))
    turn.lines = Array(commit.lines.dropFirst(waitingCount))
    hold(&turn, after: waiting, before, because: refusal)
    retryAt = heldBack.isEmpty ? nil : now.awake + .seconds(1)
  }

  /// The stored form of a line's job.
  private func json(of line: Turn.Line) -> [UInt8] {
    if let object = line.object { return object.json }
    guard paths != nil, case .queued(let reason) = line.state else { return [] }
    let position = scheduler.position(of: line.number)
    return AcceptanceNote(pendingReason: reason, position: position).json
  }

  /// Sorts the refused announcements: revoked ones, announced ones, and waiting ones.
  private func hold(
    _ turn: inout Turn, after waiting: HeldBack, _ before: Before?,
    because refusal: JournalRefusal
  ) {
    turn.refusal = refusal
    if let before {
      undo(&turn, to: before, because: refusal)
    } else {
      takeBack(&turn, because: refusal)
      holdAnswers(&turn, because: refusal)
    }
    heldBack = waiting
    heldBack.trouble = refusal.message
    for line in turn.lines where line.kind == .ended {
      if let object = line.object { turn.unstored.append(withoutEnd(object)) }
    }
    heldBack.add(turn.lines)
    heldBack.released += turn.released
    heldBack.replacements.merge(turn.replacements) { $1 }
    heldBack.launches += turn.actions.filter(\.isLaunch)
    (turn.lines, turn.released, turn.replacements) = ([], [], [:])
    turn.actions.removeAll(where: \.isLaunch)
    forgetStoppedLaunches(&turn)
  }

  /// A job is stopped whose launch still waits for the journal: it never begins.
  private func forgetStoppedLaunches(_ turn: inout Turn) {
    for case .stop(let number, _, _) in turn.actions {
      guard let index = heldBack.launches.firstIndex(where: { $0.number == number }),
        case .launch(_, let attempt, _) = heldBack.launches[index]
      else { continue }
      heldBack.launches.remove(at: index)
      turn.actions.removeAll { $0.number == number }
      let end = RunEnd(status: .cannotStart("it was stopped before it began"))
      inbox.append(.finished(number, attempt: attempt, end))
    }
  }

  /// Offers refused announcements again one second from now, not from the beginning of the turn: a journal that
  /// takes longer to refuse would be retried without end.
  package func putOffRetry(from now: Instant) {
    if retryAt != nil { retryAt = now + .seconds(1) }
  }

  /// Offers it at once, as there may be room now.
  package func retryNow() {
    if retryAt != nil { retryAt = Instant(nanoseconds: 0) }
  }

  /// The journal's reason for the announcements held back.
  package var trouble: String { heldBack.trouble }

  /// Whether something is true that the journal has not got yet.
  package var isHoldingBack: Bool { !heldBack.isEmpty }

  /// Whether the job has ended and that is not stored yet.
  package func hasUnstoredEnd(_ number: JobNumber) -> Bool { heldBack.hasEnd(of: number) }

  /// The job as shown while its end is not stored: a crash could revoke that end.
  func withoutEnd(_ object: JobStatus) -> JobStatus {
    var object = object
    (object.state, object.outcome, object.ended) = (.running, nil, nil)
    (object.exitCode, object.signal) = (nil, nil)
    object.warning = "it has ended, and that cannot be stored: \(heldBack.trouble)"
    return object
  }
}
