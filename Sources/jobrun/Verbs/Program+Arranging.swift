import JobClient
import JobCore
import JobWire

// Verbs for waiting jobs.
extension Program {
  /// Carries out `jobrun hold ID… | --all` and `jobrun release ID… | --all`.
  func hold(_ invocation: Invocation, holds: Bool) throws(WireError) -> Int32 {
    let link = try link()
    return try forEachJob(
      invocation, holds ? .waiting : .held, all: holds ? .allWaiting : .allHeld, on: link
    ) { before throws(WireError) in
      let reference = JobReference.number(before.number)
      let after = try job(answering: holds ? .hold(reference) : .release(reference), on: link)
      report(
        after, holds ? "job \(after.number) is on hold" : released(before, after), invocation)
    }
  }

  private func released(_ before: JobStatus, _ after: JobStatus) -> String {
    guard before.pendingReason?.code == .held else { return "job \(after.number) was not on hold" }
    return "released job \(after.number)\(prospect(of: after))"
  }

  /// The consequence for a job: ` (waiting: …)`, ` (still on hold)`, `; it starts now`.
  private func prospect(of job: JobStatus) -> String {
    if job.pendingReason?.code == .held { return " (still on hold)" }
    return waitingReason(of: job) ?? "; it starts now"
  }

  /// ` (waiting: …)`; nil for a job that does not wait.
  func waitingReason(of job: JobStatus) -> String? {
    guard let reason = PendingTable.sentence(job, at: .present) else { return nil }
    return reason.hasPrefix("waits ") ? " (\(reason))" : " (waiting: \(reason))"
  }

  /// Carries out `jobrun move ID --first | --after ID`.
  func move(_ invocation: Invocation) throws(WireError) -> Int32 {
    let target = invocation.text(.behind)
    guard (target != nil) != invocation.isSet(.first) else {
      throw WireError(
        .usage,
        "move needs a place: either \(Flag.first.spelling), or \(Flag.behind.spelling) ID for right"
          + " behind that job")
    }
    let link = try link()
    let number = try job(invocation.operands[0], on: link).number
    let behind = try target.map { text throws(WireError) in
      try named(text, by: .behind, on: link)
    }
    let after = try job(
      answering: .move(.number(number), behind: behind.map { .number($0) }), on: link)
    let place =
      after.position.map { "it is #\($0) in the queue" }
      ?? "it takes its place once it is in the queue"
    report(after, "moved job \(number); \(place)", invocation)
    data.flush()
    return ExitCode.success
  }

  /// Carries out `jobrun start ID…`.
  func start(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    return try forEachJob(invocation, .waiting, on: link) { job throws(WireError) in
      let after = try self.job(answering: .start(.number(job.number)), on: link)
      report(after, "job \(after.number) starts now, beyond the slots", invocation)
    }
  }

  /// Carries out `jobrun edit ID [--title TEXT] [--priority …] …`.
  func edit(_ invocation: Invocation) throws(WireError) -> Int32 {
    var edit = JobEdit()
    edit.title = invocation.text(.title)
    edit.subtitle = invocation.text(.subtitle)
    edit.priority = invocation.choice(.newPriority)
    if let text = invocation.text(.newStart) {
      edit.start =
        text == "now"
        ? .soon
        : .notBefore(try TimeText.parse(text, now: Moment.present.wall, flag: .newStart))
    }
    try edit.takeLimits(invocation)
    if invocation.isSet(.cwd) {
      edit.directory = String(decoding: try directory(of: invocation), as: UTF8.self)
    }
    edit.environment = try invocation.variables()
    let names = invocation.words(.newAfter)
    guard !edit.isEmpty || !names.isEmpty else {
      let flags = Flag.ofEdits.filter { $0 != .json }.map { $0.spelling }
      throw WireError(.usage, "edit needs something to change: \(NearestName.choice(of: flags))")
    }
    let link = try link()
    if !names.isEmpty {
      let others =
        names == ["none"] ? [] : try jobs(that: .newAfter, names: names, on: link)
      edit.after = Prerequisite.list(after: others, afterAny: [])
    }
    return try forEachJob(invocation, .waiting, on: link) { job throws(WireError) in
      let after = try self.job(answering: .edit(.number(job.number), edit), on: link)
      report(after, "changed job \(after.number)\(prospect(of: after))", invocation)
    }
  }

  /// The job that the value of a flag names.
  private func named(
    _ text: String, by flag: Flag, on link: RunnerLink
  ) throws(WireError) -> JobNumber {
    do throws(WireError) {
      return try job(Argument(text), on: link).number
    } catch {
      throw WireError(error.code, "\(flag.spelling): \(error.message)")
    }
  }
}

extension JobEdit {
  mutating func takeLimits(_ invocation: Invocation) throws(WireError) {
    if let span = invocation.duration(.newLimit) { limit = span }
    if invocation.values[.newLimit] == .never { limit = .zero }
    grace = invocation.duration(.grace)
    requirements = invocation.requirements(.newRequire)
    if let text = invocation.text(.retries) {
      let (count, delay) = try SubmitRequest.retries(text)
      (retries, retryDelay) = (count, delay ?? .zero)
    }
    if let text = invocation.text(.newGroup) {
      if text == "none" { leavesGroup = true } else { group = try GroupName(checking: text) }
    }
  }
}
