import JobCore

// Invariants of background requests.
extension World {
  mutating func tell(_ time: WallTime) {
    if let timeOfDay, time < timeOfDay { startedAt = [:] }
    timeOfDay = time
    for number in members.keys { noteTime(of: number) }
  }

  mutating func noteTime(of number: JobNumber) {
    guard let timeOfDay, let earliest = members[number]?.submission.notBefore,
      earliest <= timeOfDay
    else { return }
    members[number]?.hasComeDue = true
  }

  /// No job starts for the first time before its time of day.
  mutating func checkTime(of number: JobNumber, _ member: Member) {
    if member.attempt == 0, !member.hasComeDue {
      impossible.append("job \(number) is launched before its time")
    }
  }

  /// A background task does not start three times in a row without a pause.
  mutating func checkPace(of number: JobNumber, _ member: Member) {
    let submission = member.submission
    guard member.attempt == 0, submission.bundle != nil, let timeOfDay,
      [.refresh, .processing].contains(submission.options.kind),
      let pace = configuration.budget?.pace
    else { return }
    let before = startedAt[submission.identifier] ?? []
    if before.count == 2, timeOfDay - before[0] < pace {
      impossible.append("job \(number) is the third of its name within \(pace.words)")
    }
    startedAt[submission.identifier] = before.suffix(1) + [timeOfDay]
  }

  /// One refresh and ten processing requests of a bundle may wait; called before one more does.
  mutating func checkPending(_ submission: Submission) {
    guard let limit = submission.options.kind.pendingLimit else { return }
    let waiting = members.values.count { member in
      (member.stage == .inLine || member.stage == .aside)
        && member.submission.options.kind == submission.options.kind
        && member.submission.bundle == submission.bundle
    }
    if waiting >= limit {
      impossible.append(
        "a request is accepted, and \(waiting) \(submission.options.kind) ones wait")
    }
  }

  /// A processing task is stopped after two probes in a row without its condition.
  mutating func checkConditions(_ facts: MachineFacts, at now: Instant) {
    for (number, member) in members {
      guard member.stage == .active(stopping: false), member.pause == nil,
        member.submission.options.kind == .processing,
        !member.isLaunchedEarly, facts.lacks(member.demandHere)
      else {
        members[number]?.conditionLostAt = nil
        continue
      }
      let since = member.conditionLostAt ?? now
      members[number]?.conditionLostAt = since
      if now - since >= .seconds(1) {
        impossible.append("job \(number) goes on though its condition is gone")
      }
    }
  }
}

extension MachineFacts {
  fileprivate func lacks(_ demand: Requirements) -> Bool {
    (demand.network && !network.holds) || (demand.power && !power.holds)
  }
}
