import JobCore
import JobRuntime
import JobWire

// Many submissions in one: all of them become jobs, or none, whatever happens in between.
extension Life {
  mutating func begin(_ sweep: Sweep, _ plan: WorkPlan) {
    var sweep = sweep
    if dice.chance(4) { sweep.stem.after = prerequisites() }
    for index in 0..<sweep.count {
      let submission = sweep.submission(at: index)
      submissions[submission.key] = (submission, plan)
    }
    sweeps[sweep.stem.key] = sweep
    ask(sweep.stem.key)
  }

  /// The client submits them, or asks again because no answer came.
  mutating func ask(_ sweep: Sweep) {
    guard let runtime else { return }
    let key = sweep.stem.key
    if let stored = journal.sweeps[key],
      runtime.scheduler.snapshot(stored.first) == nil || dice.chance(2)
    {
      return tell(sweep, .duplicateMany(first: stored.first, count: stored.count))
    }
    if dice.chance(2) { post(.machine(facts)) }
    if dice.chance(10) {
      plan(.askTwice(key: key), after: .milliseconds(2) + dice.milliseconds(100))
    }
    let tag = runtime.nextTag()
    runtime.drafts[sweep: tag] = Life.draft(of: sweep)
    post(.timeOfDay(timeOfDay))
    post(.sweep(tag, sweep))
    asked[tag] = key
  }

  private static func draft(of sweep: Sweep) -> SweepDraft? {
    let request = SubmitRequest(
      key: sweep.stem.key, identifier: sweep.stem.identifier.text, title: "many",
      speaksPage: sweep.stem.options.speaksPage)
    let inputs = try? InputLists(
      Array(repeating: [UInt8(ascii: "x"), 0], count: sweep.count).flatMap(\.self),
      count: sweep.count, width: 1)
    return inputs.map { SweepDraft(request, sweep, CommandTemplate([]), $0, specification: []) }
  }

  /// What one of them is told each of them is told, unless the connection broke just then.
  mutating func tell(_ sweep: Sweep, _ reply: Reply) {
    guard !dice.chance(10) else { return }
    if told[sweep.stem.key] == nil { told[sweep.stem.key] = reply }
    for index in 0..<sweep.count {
      let key = sweep.submission(at: index).key
      switch reply {
      case .acceptedMany(let first, _):
        noteAnswer(key, .accepted(JobNumber(first.value + UInt64(index))))
      case .duplicateMany(let first, _):
        noteAnswer(key, .duplicate(JobNumber(first.value + UInt64(index))))
      default: noteAnswer(key, reply)
      }
    }
  }

  /// What is stored of them is all or nothing.
  func checkSweeps() {
    for (key, sweep) in sweeps {
      let stored = (0..<sweep.count).count { index in
        journal.numbers[sweep.submission(at: index).key] != nil
      }
      if stored != 0, stored != sweep.count {
        deny("of \(sweep.count) jobs in one, \(stored) are stored (\(key))")
      }
      if (stored > 0) != (journal.sweeps[key] != nil) { deny("\(key) is stored by halves") }
    }
  }
}
