import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Gives an ended job another attempt: the same number, command, folder and environment, and other options
  /// where `edit` has some.
  func redo(
    _ reference: JobReference, force: Bool, hold: Bool, _ edit: JobEdit, origin: RequestOrigin
  ) throws(WireError) {
    let object = try lookup.find(reference)
    guard object.state == .ended else {
      throw WireError(.alreadyRunning, "job \(object.number) has not ended")
    }
    if endCommands.concerns(object.number) {
      throw WireError(
        .alreadyRunning,
        "the on-end command of job \(object.number) is still running; redo the job once that has ended"
      )
    }
    var row = try redoable(object)
    row.submission.isHeld = hold
    if !edit.isEmpty {
      try edit.check()
      guard !edit.concernsLaunch else {
        throw WireError(.usage, "job \(object.number) keeps its folder and its environment")
      }
      try lookup.checkExist(edit.named)
      edit.apply(to: &row.submission)
      (row.title, row.subtitle) = (edit.title ?? row.title, edit.subtitle ?? row.subtitle)
    }
    bound(&row.submission.options.priority, of: row.submission.bundle)
    let tag = tag(for: origin)
    runtime.drafts[tag] = Draft(LiveJob(redoing: row))
    if row.submission.notBefore != nil { tellTimeOfDay() }
    let event = Event.redo(
      tag, row.number, row.submission, attempt: row.attempt + 1, isForced: force)
    ask(event, tag, for: row.submission.options)
  }

  private func redoable(_ object: JobStatus) throws(WireError) -> JobRecord {
    let row: JobRecord?
    let isKept: Bool
    do throws(StoreError) {
      row = try store.job(object.number)
      isKept = try store.hasSpecification(object.number)
    } catch {
      throw WireError(error.code, "job \(object.number) cannot be read: \(error.message)")
    }
    if let host = row?.host {
      throw WireError(
        .notFound,
        "job \(object.number) ran in process \(host.pid); only that program can submit it again")
    }
    guard let row, isKept else {
      throw WireError(
        .notFound, "the command of job \(object.number) is no longer stored; submit it again")
    }
    guard row.details.input.isRepeatable else {
      throw WireError(
        .unavailable,
        "what job \(object.number) read came through a pipe, which can be read only once;"
          + " submit it again")
    }
    return row
  }

  /// Removes the files of a redone job's earlier attempts, once the redo is stored: only a resumable job can
  /// use them.
  func startAfresh(_ number: JobNumber) {
    guard let liveJob = liveJobs[number], !liveJob.submission.options.resumable else { return }
    cleanup.discard(home.paths.jobState(number))
  }
}

extension LiveJob {
  /// A job that makes another attempt, as if it had just been accepted; its resource usage is kept.
  init(redoing row: JobRecord) {
    self.init(
      number: row.number, submission: row.submission, definition: row.definition, title: row.title,
      subtitle: row.subtitle, submittedAt: WallTime(milliseconds: row.submittedMilliseconds))
    attempt = row.attempt
    details = row.details
    use = row.use
  }
}
