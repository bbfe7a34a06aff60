import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// The control groups of attempts: made before the supervisor, removed once nothing lives there.
extension LocalExecutor {
  /// A group for an attempt that is about to begin; nil where there are none.
  func makeGroup(_ job: LiveJob, attempt: Int) -> ControlGroup? {
    let number = job.number
    guard case .granted(let jobs, let controllers) = groups else {
      limitMemory(of: job, in: nil)
      return nil
    }
    let group = jobs.child("\(number).\(attempt)")
    do throws(SystemError) {
      try group.make()
      guard !group.isPopulated else {
        // A job of another store has this number in it.
        notes.add("job \(number) has no control group: \(group.path) is in use")
        limitMemory(of: job, in: nil)
        return nil
      }
      if !controllers.isEmpty { share(of: job).apply(to: group) }
      limitMemory(of: job, in: group)
      traffic?.begin(group)
      return group
    } catch {
      notes.add("job \(number) has no control group: \(error)")
      return nil
    }
  }

  /// Sent to the network; nil where the kernel does not count it, and for an adopted attempt.
  func bytesSent(by live: Attempt) -> UInt64? {
    guard let group = live.group else { return nil }
    return traffic?.bytesSent(by: group)
  }

  /// Gives a job its share beside others when a client begins to watch it, or ceases.
  func updateWeight(_ number: JobNumber) {
    guard let live = attempts[number], let job = runtime.jobs[number] else { return }
    guard let group = live.group else { return giveWay(live, share(of: job).givesWay) }
    share(of: job).apply(to: group)
  }

  /// Without a control group, the priority of each thread is set: an unwatched job yields to others.
  private func giveWay(_ live: Attempt, _ givesWay: Bool) {
    guard givesWay != live.givesWay, live.hasStarted, let supervisor = live.supervisorPID else {
      return
    }
    live.givesWay = givesWay
    runtime.jobs[live.number]?.givesWay = givesWay
    BackgroundProcesses.set(ProcessFiles.descendants(of: supervisor), giveWay: givesWay)
  }

  /// Of a job whose moment the runner has picked at its start; of others once they have run for a while, as most
  /// are watched, or short.
  func giveWayFromStart(_ number: JobNumber) {
    guard let job = runtime.jobs[number], job.submission.options.kind.isScheduled else { return }
    if attempts[number]?.group == nil { updateWeight(number) }
  }

  private func share(of job: LiveJob) -> GroupShare {
    let options = job.submission.options
    return GroupShare(options.kind, options.priority, isAttached: job.attachedCount > 0)
  }

  /// Holds a job to the memory that it has asked for, where the settings say so.
  func limitMemory(of job: LiveJob, in group: ControlGroup?) {
    let bytes = job.submission.options.requirements.memoryBytes
    guard context.settings.current.enforcesRequirements, bytes > 0 else { return }
    let memory = GroupMemory(bytes)
    if group?.limitMemory(high: memory.high, most: memory.most) != true {
      notes.add("\"enforce\" has no effect: jobs have no control group with memory here")
    }
  }

  /// The group of an attempt that an earlier runner has started; of one whose order was not kept, that
  /// which it would have made here.
  func adoptedGroup(_ order: LaunchOrder?, _ number: JobNumber, attempt: Int) -> ControlGroup? {
    if let order { return order.group.map { ControlGroup(path: $0) } }
    guard case .granted(let jobs, _) = groups else { return nil }
    let group = jobs.child("\(number).\(attempt)")
    return group.exists ? group : nil
  }

  /// Removes the group of an attempt that was not begun.
  func discardGroup(_ number: JobNumber, attempt: Int) {
    guard case .granted(let jobs, _) = groups else { return }
    jobs.child("\(number).\(attempt)").remove()
  }

  /// Ends what is left in a group, and removes it.
  func discard(_ group: ControlGroup?) {
    guard let group, !group.remove() else { return }
    group.kill()
    emptying.append(group)
    emptyPause = .milliseconds(5)
    emptyAt = Instant.now() + emptyPause
  }

  /// Tries again to remove those of which something was left.
  func removeEmptied(at now: Instant) {
    emptying.removeAll {
      $0.kill()
      return $0.remove()
    }
    // What does not die at once waits for a disk or a debugger.
    emptyPause = min(emptyPause * 2, .seconds(10))
    emptyAt = now + emptyPause
  }

  /// Ends what is left of attempts that are over; of a job that the store does not know nothing is.
  func removeStrayGroups() {
    guard case .granted(let jobs, _) = groups else { return }
    let known = Set(attempts.values.compactMap { $0.group })
    for name in jobs.children where !known.contains(jobs.child(name)) {
      guard !jobs.child(name).remove(), let number = UInt64(name.prefix { $0 != "." }),
        (try? context.store.job(JobNumber(number))) != nil
      else { continue }
      discard(jobs.child(name))
    }
  }
}
