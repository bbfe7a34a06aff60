import JobCore
import JobRuntime
import JobWire

// Many submissions in one: all of them become jobs, or none, in any case.
extension Life {
  mutating func begin(_ batch: Batch, _ plan: WorkPlan) {
    var batch = batch
    if dice.chance(4) { batch.stem.after = prerequisites() }
    for index in 0..<batch.count {
      let submission = batch.submission(at: index)
      submissions[submission.key] = (submission, plan)
    }
    batches[batch.stem.key] = batch
    ask(batch.stem.key)
  }

  /// The client submits them, or asks again because no answer came.
  mutating func ask(_ batch: Batch) {
    guard let runtime else { return }
    let key = batch.stem.key
    if let stored = journal.batches[key],
      runtime.scheduler.snapshot(stored.first) == nil || dice.chance(2)
    {
      return tell(batch, .duplicateMany(first: stored.first, count: stored.count))
    }
    if dice.chance(2) { post(.machine(facts)) }
    if dice.chance(10) {
      plan(.askTwice(key: key), after: .milliseconds(2) + dice.milliseconds(100))
    }
    let tag = runtime.nextTag()
    runtime.drafts[batch: tag] = Life.draft(of: batch)
    post(.timeOfDay(timeOfDay))
    post(.batch(tag, batch))
    asked[tag] = key
  }

  private static func draft(of batch: Batch) -> BatchDraft? {
    let request = SubmitRequest(
      key: batch.stem.key, identifier: batch.stem.identifier.text, title: "many",
      speaksPage: batch.stem.options.speaksPage)
    let inputs = try? PackedInputs(
      Array(repeating: [UInt8(ascii: "x"), 0], count: batch.count).flatMap(\.self),
      count: batch.count, width: 1)
    return inputs.map { BatchDraft(request, batch, CommandTemplate([]), $0, specification: []) }
  }

  /// All jobs of a batch get the same answer, unless the connection broke just then.
  mutating func tell(_ batch: Batch, _ reply: Reply) {
    guard !dice.chance(10) else { return }
    if told[batch.stem.key] == nil { told[batch.stem.key] = reply }
    for index in 0..<batch.count {
      let key = batch.submission(at: index).key
      switch reply {
      case .acceptedMany(let first, _):
        noteAnswer(key, .accepted(JobNumber(first.value + UInt64(index))))
      case .duplicateMany(let first, _):
        noteAnswer(key, .duplicate(JobNumber(first.value + UInt64(index))))
      default: noteAnswer(key, reply)
      }
    }
  }

  /// Either all jobs of a batch are stored or none.
  func checkBatches() {
    for (key, batch) in batches {
      let stored = (0..<batch.count).count { index in
        journal.numbers[batch.submission(at: index).key] != nil
      }
      if stored != 0, stored != batch.count {
        deny("of \(batch.count) jobs in one, \(stored) are stored (\(key))")
      }
      if (stored > 0) != (journal.batches[key] != nil) { deny("\(key) is stored by halves") }
    }
  }
}
