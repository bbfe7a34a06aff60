import JobCore
import JobWire

// Revokes the decisions that a journal refused.
extension JobRuntime {
  /// The state before a turn that must succeed or fail as a whole, because its event ends another job.
  ///
  /// Copying the scheduler is expensive, so only these turns do.
  struct Before {
    let scheduler: Scheduler
    let jobs: LiveJobTable
    let endedKeys: [String: JobNumber]

    init(_ runtime: JobRuntime) {
      (scheduler, jobs) = (runtime.scheduler, runtime.jobs)
      endedKeys = runtime.endedKeys
    }
  }

  /// Undoes the turn: the job that would have been replaced continues.
  func undo(_ turn: inout Turn, to before: Before, because refusal: JournalRefusal) {
    var undone = Turn()
    undone.answers = turn.answers.map { answer in
      let number = try? answer.reply.get().number
      return failed(answer, refusal, host: number.flatMap { jobs[$0]?.host })
    }
    undone.isUndone = true
    undone.refusal = refusal
    (scheduler, jobs, endedKeys) = (before.scheduler, before.jobs, before.endedKeys)
    turn = undone
  }

  private func failed(
    _ answer: Turn.Answer, _ refusal: JournalRefusal, host: JobHost?
  ) -> Turn.Answer {
    let problem = "the job cannot be stored: \(refusal.message)"
    return Turn.Answer(
      tag: answer.tag, reply: .failure(WireError(.cannotCreate, problem)), object: nil,
      host: answer.host ?? host)
  }

  /// Turns this turn's acceptances into refusals: their jobs never were.
  func takeBack(_ turn: inout Turn, because refusal: JournalRefusal) {
    let accepted = Set(turn.accepted.map(\.number))
    guard !accepted.isEmpty else { return }
    turn.lines.removeAll { accepted.contains($0.number) }
    turn.answers = apart(turn.answers) { answer in
      guard let number = try? answer.reply.get().number, accepted.contains(number) else {
        return nil
      }
      return failed(answer, refusal, host: jobs[number]?.host)
    }
    for index in turn.answers.indices { turn.answers[index].leaveOut(accepted) }
    turn.actions.removeAll { $0.number.map { accepted.contains($0) } ?? false }
    turn.accepted = []
    (turn.specifications, turn.batches) = ([:], [])
    // A job that also ended in this turn would be the answer to the same submission.
    endedKeys = endedKeys.filter { !accepted.contains($0.value) }
    for number in accepted.sorted() { withdraw(number) }
  }

  /// Withholds the success of requests that ended or changed a job: a crash could revoke it.
  func holdAnswers(_ turn: inout Turn, because refusal: JournalRefusal) {
    let ended = Set(turn.ended)
    let steered = Set(turn.lines.lazy.filter { $0.kind.isSteering }.map { $0.number })
    guard !ended.isEmpty || !steered.isEmpty else { return }
    turn.answers = apart(turn.answers) { answer in
      let numbers = (try? answer.reply.get().numbers) ?? []
      guard let number = numbers.first(where: { ended.contains($0) || steered.contains($0) })
      else { return nil }
      let what = ended.contains(number) ? "has ended" : "has changed"
      let problem = "job \(number) \(what), and that cannot be stored yet: \(refusal.message)"
      return Turn.Answer(
        tag: answer.tag, reply: .failure(WireError(.cannotCreate, problem)), object: nil,
        host: answer.host)
    }
  }

  /// Splits the answers: the failures from `failed`, then the others unchanged.
  private func apart(
    _ answers: [Turn.Answer], _ failed: (Turn.Answer) -> Turn.Answer?
  ) -> [Turn.Answer] {
    var failures: [Turn.Answer] = []
    var others: [Turn.Answer] = []
    for answer in answers {
      if let failure = failed(answer) { failures.append(failure) } else { others.append(answer) }
    }
    return failures + others
  }

  /// Removes a job from the scheduler that was never announced.
  private func withdraw(_ number: JobNumber) {
    guard let snapshot = scheduler.snapshot(number) else {
      // Accepted and ended in the same turn.
      jobs[number] = nil
      return
    }
    withdrawn.insert(number)
    withdrawals.append(.cancel(RequestTag(0), number, now: true))
    if case .queued = snapshot.state { return }
    withdrawals.append(JobRuntime.neverBegun(number, attempt: snapshot.attempt))
  }

  static func neverBegun(_ number: JobNumber, attempt: Int) -> Event {
    .finished(
      number, attempt: attempt, RunEnd(status: .cannotStart("it could not be stored")))
  }

  /// Drops the scheduler's announcements about a withdrawn job, up to its end.
  func forgetWithdrawn(_ number: JobNumber, _ announcement: Announcement) {
    guard announcement.kind == .ended else { return }
    withdrawn.remove(number)
    jobs[number] = nil
  }
}

extension Turn.Answer {
  /// Removes withdrawn jobs from an answer about many jobs.
  fileprivate mutating func leaveOut(_ jobs: Set<JobNumber>) {
    switch reply {
    case .success(.changedAll(let numbers)):
      reply = .success(.changedAll(numbers.filter { !jobs.contains($0) }))
    case .success(.cancelledAll(let numbers)):
      reply = .success(.cancelledAll(numbers.filter { !jobs.contains($0) }))
    default: break
    }
  }
}
