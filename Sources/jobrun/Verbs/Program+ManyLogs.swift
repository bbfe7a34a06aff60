import JobClient
import JobCore
import JobWire
import LinuxSystem

// The growing outputs of several jobs.
extension Program {
  /// The numbers of the selected jobs.
  func selected(
    _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Set<JobNumber> {
    var numbers: Set<JobNumber> = []
    var quiet = invocation
    quiet.values[.json] = nil
    let code = try forEachJob(quiet, .any, on: link) { numbers.insert($0.number) }
    guard code == ExitCode.success || !numbers.isEmpty else {
      throw WireError(.notFound, "there is no output to follow")
    }
    return numbers
  }

  /// Prints what runs and what starts meanwhile, until nothing runs; nil where there is one job at most, or none
  /// runs.
  func followRunning(
    _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32? {
    let newest = try newest(on: link)
    let live = try liveJobs(on: link)
    guard live.count > 1, live.contains(where: { $0.state.hasPage }) else { return nil }
    return try followLogs(of: nil, from: (live, newest), invocation, on: link)
  }

  /// Prints the lines of several jobs as they come, each with a tag, until all have ended.
  ///
  /// `wanted`: nil = all running jobs and those that start meanwhile, until none runs. `start`: the jobs at the
  /// beginning; nil = they are asked for.
  func followLogs(
    of wanted: Set<JobNumber>?, from start: (live: [JobStatus], newest: JobNumber)? = nil,
    _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    guard !invocation.isSet(.firstLines) else {
      throw WireError(
        .usage,
        "\(Flag.firstLines.spelling) and \(Flag.follow.spelling) of several jobs cannot be used together"
      )
    }
    let input = try WireError.from(.internal) { () throws(SystemError) in
      try TerminalInput(wantsKeys: false)
    }
    var logs = FollowedLogs(
      wanted, lines: invocation.count(.lines), hasTags: !invocation.isSet(.noHeading),
      isJSON: invocation.isSet(.json), data: data)
    data.stopWaiting()
    defer { data.waitAgain() }
    if let start { try logs.update(start.live, newest: start.newest, link.paths) }
    while !data.isClosed {
      // In this order: what has come before it and is not in the list has ended.
      let newest = wanted == nil ? try newest(on: link) : JobNumber(0)
      try logs.update(try liveJobs(on: link), newest: newest, link.paths)
      if logs.isOver { return ExitCode.success }
      let end = AwakeClock.now() + FollowedLogs.listInterval
      repeat {
        try logs.printNew()
        if try hasSignal(input, until: AwakeClock.now() + WatchPace.frame) {
          return ExitCode.detached
        }
      } while AwakeClock.now() < end && !data.isClosed
    }
    return ExitCode.success
  }

  private func newest(on link: RunnerLink) throws(WireError) -> JobNumber {
    do throws(WireError) {
      return try job(answering: .show(.latest(back: 0)), on: link).number
    } catch {
      // All may have been forgotten.
      guard error.code == .notFound else { throw error }
      return JobNumber(0)
    }
  }

  private func liveJobs(on link: RunnerLink) throws(WireError) -> [JobStatus] {
    var live: [JobStatus] = []
    _ = try link.list(all: false, brief: true, of: nil) { job in
      live.append(job)
      return true
    }
    return live
  }
}
