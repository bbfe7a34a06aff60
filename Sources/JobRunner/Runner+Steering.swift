import JobCore
import JobRuntime
import JobStore
import JobWire

// Pausing of jobs, and holding, releasing, moving and editing of jobs that wait.
extension Runner {
  func pause(_ jobs: JobTarget, keepsSlot: Bool, origin: RequestOrigin) throws(WireError) {
    if case .one(let reference) = jobs {
      let number = try lookup.live(reference)
      try refuseHosted(number, .pause(number), to: "pause")
      // So that the answer tells of it.
      local.noteUnreached(number)
      return ask(.pause(tag(for: origin), number, keepsSlot: keepsSlot))
    }
    let some = jobs.selection
    askHosts(in: some) { .pause($0) }
    for number in local.numbers
    where some?.contains(number, of: lookup.group(of: number)) ?? true {
      local.noteUnreached(number)
    }
    ask(.pauseAll(tag(for: origin), keepsSlot: keepsSlot, in: some))
  }

  func resume(_ jobs: JobTarget, origin: RequestOrigin) throws(WireError) {
    if case .one(let reference) = jobs {
      let number = try lookup.live(reference)
      try refuseHosted(number, .resume(number), to: "resume")
      return ask(.resume(tag(for: origin), number))
    }
    askHosts(in: jobs.selection) { .resume($0) }
    ask(.resumeAll(tag(for: origin), in: jobs.selection))
  }

  /// A program that was there before runs the job: it is asked, and decides.
  private func refuseHosted(
    _ number: JobNumber, _ line: HostLine, to verb: String
  ) throws(WireError) {
    guard hosted.ask(line, of: number) else { return }
    throw WireError(
      .notFound,
      "job \(number) runs inside another program; it was asked to \(verb), but it may not do so")
  }

  /// Tells the programs of all hosted jobs that are meant.
  private func askHosts(in some: JobSelection?, _ line: (JobNumber) -> HostLine) {
    for number in hosted.numbers
    where some?.contains(number, of: lookup.group(of: number)) ?? true {
      _ = hosted.ask(line(number), of: number)
    }
  }

  func hold(_ reference: JobReference, origin: RequestOrigin) throws(WireError) {
    let number = try waiting(reference, toBe: "held")
    ask(.hold(tag(for: origin), number))
  }

  func release(_ reference: JobReference, origin: RequestOrigin) throws(WireError) {
    let number = try waiting(reference, toBe: "released")
    ask(.release(tag(for: origin), number))
  }

  func start(_ reference: JobReference, origin: RequestOrigin) throws(WireError) {
    let number = try waiting(reference, toBe: "started")
    ask(.start(tag(for: origin), number))
  }

  /// Nothing of the group starts any more, or everything may again; durable before it is answered.
  func pauseGroup(_ group: GroupName, _ isPaused: Bool) throws(WireError) {
    var groups = runtime.scheduler.pausedGroups
    if isPaused { groups.insert(group) } else { groups.remove(group) }
    do throws(StoreError) {
      try store.transaction(.full) { () throws(StoreError) in try store.savePausedGroups(groups) }
    } catch {
      throw WireError(error.code, "that cannot be stored: \(error.message)")
    }
    ask(.pauseGroup(group, isPaused))
    settle()
  }

  func move(
    _ reference: JobReference, behind target: JobReference?, origin: RequestOrigin
  ) throws(WireError) {
    let number = try waiting(reference, toBe: "moved")
    let behind = try target.map { target throws(WireError) in
      try waiting(target, toBe: "followed")
    }
    ask(.move(tag(for: origin), number, behind: behind))
  }

  func edit(_ reference: JobReference, _ edit: JobEdit, origin: RequestOrigin) throws(WireError) {
    let number = try waiting(reference, toBe: "edited")
    try edit.check()
    var edit = edit
    if var priority = edit.priority {
      bound(&priority, of: liveJobs[number]?.submission.bundle)
      edit.priority = priority
    }
    try lookup.checkExist(edit.named)
    if case .notBefore = edit.start { tellTimeOfDay() }
    ask(.edit(tag(for: origin), number, edit))
  }

  /// The number of a job that has not ended; whether it waits is for the scheduler to say.
  private func waiting(_ reference: JobReference, toBe what: String) throws(WireError) -> JobNumber
  {
    let object = try lookup.find(reference)
    guard object.state == .ended else { return object.number }
    let sentence = JobLookup.ended(object).message
    throw WireError(.notFound, "\(sentence); only a waiting job can be \(what)")
  }
}
