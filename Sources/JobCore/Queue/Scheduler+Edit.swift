extension Scheduler {
  /// A person edits a waiting job; its command stays as it is.
  mutating func edit(_ number: JobNumber, _ edit: JobEdit, _ tag: RequestTag, at now: Instant) {
    guard let index = waiting(number, toBe: "edited", tag) else { return }
    if let refusal = refusal(of: edit, of: index) { return outbox.reply(tag, .refused(refusal)) }
    outbox.reply(tag, .done(number))
    guard edit.concernsRules else { return outbox.announce(number, .edited, state(index)) }
    let waitsElsewhere = waitsForAttempt(index)
    if !waitsElsewhere { leaveWaiting(index) }
    table[index].change(edit.apply)
    if edit.namesGroup { changeLane(index) }
    if edit.namesJobs {
      prerequisites.remove(number)
      awaitPrerequisites(index)
    }
    admissionDue = true
    if waitsElsewhere {
      outbox.announce(number, .edited, state(index))
    } else {
      wait(index, announcing: .edited, at: now)
    }
  }

  /// A job that is in no line waits for the slots of another group.
  private mutating func changeLane(_ index: Int) {
    let before = lane(index)
    let options = table[index].submission.options
    table[index].lane = Int32(lanes.enter(options.lane, slots: 0))
    while lines.count <= lane(index) { lines.append(WaitingLine()) }
    leaveLane(before)
  }

  /// Whether it waits for its next attempt, or for the end of the job with its identifier; its other conditions
  /// are checked after that.
  private func waitsForAttempt(_ index: Int) -> Bool {
    switch table[index].phase {
    case .delayed, .after: true
    default: false
    }
  }

  private func refusal(of edit: JobEdit, of index: Int) -> Refusal? {
    let number = table[index].number
    if edit.start != nil, table[index].attempt > 1 {
      return Refusal(
        .usage,
        "job \(number) has run before; --not-before is for jobs that have not"
      )
    }
    var submission = table[index].submission
    edit.apply(to: &submission)
    if edit.requirements != nil || edit.namesGroup {
      if let why = impossibility(of: submission.options, boundTo: table[index].machine) {
        return Refusal(.unavailable, why)
      }
      let refusal =
        refusal(bySettings: submission) ?? refusal(byGroupsBeside: submission)
        ?? refusal(bySlotsFor: submission.options)
      if let refusal { return refusal }
    }
    for prerequisite in edit.named {
      let other = prerequisite.number
      if other == number {
        return Refusal(.usage, "job \(number) cannot come after itself; name other jobs")
      }
      if table.index(of: other) == nil, !prerequisite.isMet(by: prerequisite.outcome) {
        let reason = Scheduler.reason(toRefuseAfter: other, prerequisite.outcome)
        return Refusal(.unavailable, reason.message)
      }
      if waits(other, for: number) {
        return Refusal(
          .usage, "job \(number) cannot come after job \(other), which waits for it itself")
      }
    }
    return nil
  }

  /// Whether a job waits for the end of another one, directly or through others.
  private func waits(_ number: JobNumber, for awaited: JobNumber) -> Bool {
    var open = [number]
    var seen: Set<JobNumber> = [number]
    while let number = open.popLast() {
      var earlier = prerequisites.awaited(by: number).elements
      if let index = table.index(of: number), case .after(let predecessor) = table[index].phase {
        earlier.append(predecessor)
      }
      for other in earlier where seen.insert(other).inserted {
        if other == awaited { return true }
        open.append(other)
      }
    }
    return false
  }
}
