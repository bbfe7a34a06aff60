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

  /// Prints the lines of several jobs as they come, each with a tag, until all have ended.
  ///
  /// `wanted`: nil = all running jobs and those that start meanwhile, until none runs.
  func followLogs(
    of wanted: Set<JobNumber>?, _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    guard !invocation.isSet(.json), !invocation.isSet(.firstLines) else {
      let flag = invocation.isSet(.json) ? Flag.json : .firstLines
      throw WireError(
        .usage,
        "\(flag.spelling) and \(Flag.follow.spelling) of several jobs cannot be used together")
    }
    let input = try WireError.from(.internal) { () throws(SystemError) in
      try TerminalInput(wantsKeys: false)
    }
    var logs = FollowedLogs(
      wanted, lines: invocation.count(.lines), hasTags: !invocation.isSet(.noHeading), data: data)
    while !data.isClosed {
      var live: [JobStatus] = []
      _ = try link.list(all: false, brief: true, of: nil) { job in
        live.append(job)
        return true
      }
      try logs.update(live, link.paths)
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
}
