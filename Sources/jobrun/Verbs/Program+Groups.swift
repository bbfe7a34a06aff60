import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Flag {
  static let failed = Flag(
    "failed", .none, "only failed jobs, not cancelled ones")
}

extension Argument {
  /// The group in `group:NAME`; nil for other texts.
  ///
  /// - Throws: `usage` for an invalid name.
  func group() throws(WireError) -> GroupName? {
    let (text, mark) = (text, "group:")
    guard text.hasPrefix(mark) else { return nil }
    return try GroupName(checking: String(text.dropFirst(mark.utf8.count)))
  }
}

// Several jobs, watched as one.
extension Program {
  /// Watches several jobs as one until all have ended; the exit code is that of the first failure.
  ///
  /// `steers`: Ctrl-C cancels the remaining jobs.
  func watch(
    _ selection: JobSelection, _ invocation: Invocation, steers: Bool
  ) throws(WireError) -> Int32 {
    let link = try link()
    let began = AwakeClock.now()
    let deadline = invocation.duration(.timeout).map { began &+ $0.nanoseconds }
    link.deadline = deadline.map { max($0, began &+ Self.answerTime) }
    do throws(WireError) {
      try checkMembers(of: selection, on: link)
    } catch {
      guard let latest = link.deadline, AwakeClock.now() >= latest else { throw error }
      complain(error, isJSON: false)
      return ExitCode.detached
    }
    link.deadline = nil
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
    let jobs = BatchJobs(selection.name, selection, steers: steers, at: .present)
    let screen = BatchScreen(
      jobs, display: display, talk: talk, data: data, until: deadline
    ) { () throws(WireError) in try self.hasOneSuccess(selection) }
    return try LiveLoop(screen, link: link, input: input).run()
  }

  /// Whether each submission with a job that did not succeed wanted one success only, and has it.
  private func hasOneSuccess(_ selection: JobSelection) throws(WireError) -> Bool {
    let link = try link()
    var others: [BatchKey: JobNumber] = [:]
    var successful: Set<BatchKey> = []
    for job in try jobs(selection, .ended, on: link) {
      let key = BatchKey(job)
      if job.outcome == .succeeded {
        if let key { successful.insert(key) }
      } else {
        guard let key else { return false }
        others[key] = job.number
      }
    }
    for (key, number) in others {
      guard successful.contains(key),
        try job(answering: .show(.number(number)), on: link).terms.options?.haltsOnSuccess ?? false
      else { return false }
    }
    return true
  }

  /// - Throws: `notFound` when none of these jobs exists, live or ended.
  private func checkMembers(of selection: JobSelection, on link: RunnerLink) throws(WireError) {
    guard case .tally(let tally) = try link.ask(.followMany(selection)) else {
      throw WireError(.internal, "the runner did not answer with a tally")
    }
    guard tally.live + tally.succeeded + tally.failed + tally.cancelled == 0 else { return }
    throw try nothing(selection, "is known", on: link)
  }
}
