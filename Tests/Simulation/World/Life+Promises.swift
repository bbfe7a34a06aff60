import JobCore
import JobRuntime

// Jobs that replace others, and ended jobs that make another attempt.
extension Life {
  /// A job that another one takes the place of ends only once that one is stored: it lives on if the
  /// journal refused its successor.
  func checkSuccessor(of job: LiveJob, _ reason: StopReason) {
    guard reason.code == .superseded, !journal.hasSuccessor(of: job, named: reason) else { return }
    deny("job \(job.number) is given up, and no successor of it is stored: \(reason.message)")
  }

  /// As the runner does: only of a job whose end is stored, whose process was not a host, and that has
  /// not succeeded.
  mutating func askToRedo(_ choice: Int, isForced: Bool) {
    let choices = journal.redoable
    guard let runtime, !choices.isEmpty else { return }
    let job = choices[choice % choices.count]
    var redone = LiveJob(
      number: job.number, submission: job.submission, definition: nil, title: "", subtitle: "",
      submittedAt: job.submittedAt)
    redone.attempt = job.attempt
    var submission = job.submission
    submission.isHeld = false
    post(.timeOfDay(timeOfDay))
    if dice.chance(2) { post(.machine(facts)) }
    for _ in 0..<(dice.chance(10) ? 2 : 1) {
      let tag = runtime.nextTag()
      runtime.drafts[tag] = Draft(redone)
      askedToRedo[tag] = job.number
      post(
        .redo(tag, job.number, submission, attempt: job.attempt + 1, isForced: isForced))
    }
  }

  /// The journal has stored another attempt of a job: earlier promises no longer apply.
  mutating func redo(_ number: JobNumber) {
    guard let outcome = outcomes.removeValue(forKey: number) else {
      return deny("job \(number) makes another attempt, and had not ended")
    }
    if outcome == .succeeded { deny("job \(number) had succeeded, and is done again") }
    redoneFrom[number] = (attempts.last { $0.number == number }?.attempt ?? 0) + 1
  }

  /// Promises survive a power cut.
  mutating func losePower() {
    journal.losePower()
    for number in journal.ended.keys.sorted() where outcomes[number] == nil {
      if promisedToRedo.contains(number) {
        deny("job \(number) was to make another attempt, and that is lost with the power")
      }
      outcomes[number] = journal.ended[number]?.outcome
    }
  }
}
