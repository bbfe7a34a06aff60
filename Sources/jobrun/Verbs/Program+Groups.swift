import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Flag {
  static let failed = Flag(
    "failed", .none, "of a group only those that failed, not those that were cancelled")
}

extension Argument {
  /// The group that this names as `group:NAME`; nil when it names no group.
  ///
  /// - Throws: `usage`, for what is no name.
  func group() throws(WireError) -> GroupName? {
    let (text, mark) = (text, "group:")
    guard text.hasPrefix(mark) else { return nil }
    return try GroupName(checking: String(text.dropFirst(mark.utf8.count)))
  }
}

// All jobs of a group as one: what stands as group:NAME where else the name of a job stands.
extension Program {
  /// Watches a group as one until none of its jobs is left; the exit code is that of the first that failed.
  ///
  /// `steers`: Ctrl-C cancels what is left.
  func watch(
    _ group: GroupName, _ invocation: Invocation, steers: Bool
  ) throws(WireError) -> Int32 {
    let link = try link()
    try checkMembers(of: group, on: link)
    let deadline = invocation.duration(.timeout).map { AwakeClock.now() &+ $0.nanoseconds }
    let display: WatchDisplay
    if steers {
      display = try watchDisplay(invocation, link: link)
    } else {
      let style = invocation.isSet(.json) ? WatchDisplay.Style.json : .none
      display = WatchDisplay(
        style: style, followsLog: false, data: data, talk: talk, colour: surroundings.wantsColour)
    }
    let input = try WireError.from(.internal) { () throws(SystemError) in
      try TerminalInput(wantsKeys: steers)
    }
    let jobs = SweptJobs("group \(group)", .group(group), steers: steers, at: .present)
    return try SweepLoop(
      jobs, link: link, display: display, input: input, talk: talk, data: data, until: deadline
    ).run()
  }

  /// - Throws: `notFound` for a group that has no job, live or ended.
  private func checkMembers(of group: GroupName, on link: RunnerLink) throws(WireError) {
    guard case .tally(let tally) = try link.ask(.followMany(.group(group))) else {
      throw WireError(.internal, "the runner did not answer with a tally")
    }
    guard tally.live + tally.succeeded + tally.failed + tally.cancelled == 0 else { return }
    throw WireError(
      .notFound, "no job of group \(group) is known; jobrun list shows what runs or waits")
  }

  /// Tells all jobs of a group to stop.
  func cancel(
    _ group: GroupName, _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    let answer = try link.ask(.cancelAll(now: invocation.isSet(.now), .group(group)))
    guard case .count(let count, _) = answer else {
      throw WireError(.internal, "the runner did not answer with a count")
    }
    if invocation.isSet(.json) {
      writeJSON {
        $0.field("group", group.text)
        $0.field("count", count)
      }
    } else {
      let jobs = QuantityText.grouped(count) + (count == 1 ? " job" : " jobs")
      talk.write(
        line: count == 0
          ? "no jobs of group \(group) are running or waiting"
          : "\(jobs) of group \(group) \(count == 1 ? "is" : "are") stopping")
    }
    return ExitCode.success
  }

  /// Lets those of a group that ended without success make another attempt: of what `watch` shows as one,
  /// only the failed where the person says so.
  func redo(_ group: GroupName, _ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let members = try jobs(all: true, on: link).filter { $0.terms.group == group.text }
    let chosen = Self.redoable(members, onlyFailed: invocation.isSet(.failed))
    guard !chosen.isEmpty else {
      throw WireError(.notFound, "no job of group \(group) has failed that could be redone")
    }
    var code = ExitCode.success
    for job in chosen {
      do throws(WireError) {
        let request = Request.redo(.number(job.number), force: invocation.isSet(.force))
        report(
          try self.job(answering: request, on: link), "job \(job.number) starts another attempt",
          invocation)
      } catch {
        complain(error, isJSON: invocation.isSet(.json))
        if code == ExitCode.success { code = error.code.exitCode }
      }
    }
    data.flush()
    return code
  }

  /// Those of a group that belong together, as in a tally, and have not succeeded.
  static func redoable(_ members: [JobStatus], onlyFailed: Bool) -> [JobStatus] {
    let ended = members.filter { $0.state == .ended }
    let oldest = members.filter { $0.state != .ended }.map { $0.submitted }.min()
    let latest = ended.max { ($0.ended ?? $0.submitted) < ($1.ended ?? $1.submitted) }
    guard let since = oldest ?? latest?.submitted else { return [] }
    return ended.filter { job in
      guard let end = job.ended, end >= since, job.outcome != .succeeded else { return false }
      return !onlyFailed || job.outcome != .cancelled
    }
  }
}
