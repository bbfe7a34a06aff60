import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire

// Pausing of jobs, and holding, releasing, moving and editing of jobs that wait.
extension Runner {
  func pause(
    _ jobs: JobTarget, keepsSlot: Bool, length: Interval?, origin: RequestOrigin
  ) throws(WireError) {
    if case .one(let reference) = jobs {
      let number = try lookup.live(reference)
      let tag = tag(for: origin)
      guard hosted.decides(number) else {
        // So that the answer tells of it.
        local.noteUnreached(number)
        return ask(.pause(tag, number, keepsSlot: keepsSlot, length: length))
      }
      return hosted.pause([number]) { [unowned self] paused in
        guard paused.isEmpty, hosted.decides(number) else {
          return ask(.pause(tag, number, keepsSlot: keepsSlot, length: length))
        }
        let sentence = "job \(number) runs inside another program, which cannot pause it"
        respond(to: tag, .failure(WireError(.unavailable, sentence)))
      }
    }
    let some = jobs.selection
    for number in local.numbers where isMeant(number, by: some) { local.noteUnreached(number) }
    let tag = tag(for: origin)
    let asked = hosted.numbers.filter { isMeant($0, by: some) && hosted.decides($0) }
    // Jobs of the runner's own do not wait for the answers of programs; the list has both.
    func pauseAll(_ tag: RequestTag) -> Event {
      .pauseAll(tag, keepsSlot: keepsSlot, length: length, in: some)
    }
    if !asked.isEmpty { ask(pauseAll(runtime.nextTag())) }
    hosted.pause(asked) { [unowned self] paused in
      for number in paused {
        ask(.pause(runtime.nextTag(), number, keepsSlot: keepsSlot, length: length))
      }
      ask(pauseAll(tag))
    }
  }

  /// The answer of a program that was asked to pause a job.
  func hostPaused(
    _ number: JobNumber, _ isPaused: Bool, client: Client
  ) throws(WireError) {
    guard try hosted.hostPaused(number, isPaused, client: client) else { return }
    ask(.pause(runtime.nextTag(), number, keepsSlot: false))
  }

  func resume(_ jobs: JobTarget, origin: RequestOrigin) throws(WireError) {
    if case .one(let reference) = jobs {
      let number = try lookup.live(reference)
      resumeUnnoted(number)
      return ask(.resume(tag(for: origin), number))
    }
    for number in hosted.numbers where isMeant(number, by: jobs.selection) { resumeUnnoted(number) }
    ask(.resumeAll(tag(for: origin), in: jobs.selection))
  }

  /// A program may have paused a job without an answer.
  private func resumeUnnoted(_ number: JobNumber) {
    if hosted.decides(number) { hosted.ask(.resume(number), of: number) }
  }

  private func isMeant(_ number: JobNumber, by some: JobSelection?) -> Bool {
    some?.contains(number, of: lookup.group(of: number)) ?? true
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
    if edit.concernsLaunch { edit.specification = try specification(of: number, with: edit) }
    if case .notBefore = edit.start { tellTimeOfDay() }
    ask(.edit(tag(for: origin), number, edit))
  }

  /// What a waiting job executes, with another folder or environment.
  private func specification(
    of number: JobNumber, with edit: JobEdit
  ) throws(WireError) -> [UInt8] {
    let stored: StoredSpecification?
    do throws(StoreError) {
      stored = try store.specification(number)
    } catch {
      throw WireError(error.code, "job \(number) cannot be read: \(error.message)")
    }
    guard let stored else {
      throw WireError(.notFound, "the command of job \(number) is not stored here")
    }
    var changed: LaunchSpecification
    let isSettled: Bool
    do throws(JobPageError) {
      changed = try LaunchSpecification(stored, of: number, slot: 1)
      let other = try LaunchSpecification(stored, of: number, slot: 2)
      isSettled = changed.arguments == other.arguments
    } catch {
      throw WireError(.internal, "the command of job \(number) cannot be read: \(error)")
    }
    guard isSettled else {
      throw WireError(
        .usage,
        "job \(number) has its slot, {%}, in its command; cancel it and submit another one instead")
    }
    if let directory = edit.directory { changed.directory = Array(directory.utf8) }
    changed.replace(with: edit.environment)
    let bytes = changed.encoded()
    guard bytes.count <= Limits.launchSpecificationBytes else {
      throw WireError(
        .usage,
        "the command and the environment of job \(number) would have \(bytes.count) bytes;"
          + " \(Limits.launchSpecificationBytes) is the limit")
    }
    return bytes
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
