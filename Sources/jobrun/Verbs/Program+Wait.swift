import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun wait [ID…] [--all] [--new] [--any] [--fail-fast] [--until STATE] [--timeout D]`.
  func wait(_ invocation: Invocation) throws(WireError) -> Int32 {
    let operands = try JobOperand.all(invocation.operands)
    let isPlain = ![Flag.any, .failFast, .until, .newJobs].contains(where: invocation.isSet)
    if isPlain, operands.count == 1, case .several(let selection) = operands[0] {
      return try watch(selection, invocation, steers: false)
    }
    if invocation.isSet(.allLive), !operands.isEmpty {
      throw WireError(.usage, "--all and ID cannot be used together")
    }
    let growing = try growing(operands, invocation)
    let link = try link()
    let began = AwakeClock.now()
    let deadline = invocation.duration(.timeout).map { began &+ $0.nanoseconds }
    // However short the time is, the first question is answered.
    link.deadline = deadline.map { max($0, began &+ Self.answerTime) }
    var result = WaitResult(
      isAny: invocation.isSet(.any), failsFast: invocation.isSet(.failFast),
      untilRunning: invocation.text(.until) == "running")
    do throws(WireError) {
      for job in try awaited(operands, invocation, on: link) {
        result.add(job)
        if result.end(job) { tell(job, isJSON: invocation.isSet(.json)) }
      }
      data.flush()
      if result.isEmpty {
        talk.write(line: "no job is running or waiting; there is nothing to wait for")
        return ExitCode.success
      }
      let code = try wait(for: &result, until: deadline, invocation, on: link)
      guard result.code != nil, let growing else { return code }
      return try wait(for: &result, and: growing, until: deadline, invocation, on: link)
    } catch {
      guard let deadline = link.deadline, AwakeClock.now() >= deadline else { throw error }
      complain(error, isJSON: false)
      return goesOn(result)
    }
  }

  /// The selections that new jobs may belong to (nil in it: all jobs); nil without `--new`.
  private func growing(
    _ operands: [JobOperand], _ invocation: Invocation
  ) throws(WireError) -> [JobSelection?]? {
    guard invocation.isSet(.newJobs) else { return nil }
    guard !invocation.isSet(.allLive) else { return [nil] }
    var groups: [JobSelection?] = []
    for case .several(.group(let name)) in operands { groups.append(.group(name)) }
    guard !groups.isEmpty, groups.count == operands.count else {
      throw WireError(.usage, "--new needs --all or group:NAME, to which new jobs can be added")
    }
    return groups
  }

  /// Waits also for the jobs that were submitted since, until there are no more.
  private func wait(
    for result: inout WaitResult, and growing: [JobSelection?], until deadline: UInt64?,
    _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    while true {
      let newest = result.newest
      for selection in growing {
        for job in try jobs(selection, .any, on: link) where job.number > newest {
          result.add(job)
          if result.end(job) { tell(job, isJSON: invocation.isSet(.json)) }
        }
      }
      if let code = result.code, result.newest == newest { return code }
      let code = try wait(for: &result, until: deadline, invocation, on: link)
      guard result.code != nil else { return code }
    }
  }

  /// The jobs to wait for: the named ones, all live ones, or the latest.
  private func awaited(
    _ operands: [JobOperand], _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> [JobStatus] {
    if invocation.isSet(.allLive) { return try jobs(all: false, on: link) }
    if operands.isEmpty { return [try latest(on: link)] }
    var found: [JobStatus] = []
    for operand in operands {
      switch operand {
      case .one(let word): found.append(try job(word, on: link))
      case .several(let selection):
        let jobs = try jobs(selection, .any, on: link)
        guard !jobs.isEmpty else {
          throw try nothing(selection, "is known", on: link)
        }
        found += jobs
      }
    }
    return found
  }

  private func wait(
    for result: inout WaitResult, until deadline: UInt64?, _ invocation: Invocation,
    on link: RunnerLink
  ) throws(WireError) -> Int32 {
    let isJSON = invocation.isSet(.json)
    let signals = try WireError.from(.internal) { () throws(SystemError) in
      SignalBox(
        try SignalDescriptor([Signal.interrupt, Signal.terminate, Signal.hangup]))
    }
    var isFollowing = false
    var followed: [JobReference] = []
    while result.code == nil {
      if link.isLost { isFollowing = false }
      // Of more than one connection may follow, the next once these have ended.
      if followed.allSatisfy({ !result.contains($0) }) { isFollowing = false }
      if !isFollowing, try link.reconnect(ifLost: true) {
        followed = Array(result.references.prefix(Limits.followedJobs))
        isFollowing = try link.send(.follow(followed, attach: false)) != nil
      }
      let end = link.isLost ? AwakeClock.now() + WatchPace.frame : deadline
      guard try waitOnce(link, signals, until: min(end ?? .max, deadline ?? .max)) else {
        return goesOn(result)
      }
      for job in try changedJobs(on: link) where result.end(job) { tell(job, isJSON: isJSON) }
      data.flush()
      if result.code == nil, let deadline, AwakeClock.now() >= deadline { return goesOn(result) }
    }
    return result.code ?? ExitCode.success
  }

  /// Waits for a line, a signal or the time; false when the person wants to leave.
  private func waitOnce(
    _ link: RunnerLink, _ signals: SignalBox, until deadline: UInt64
  ) throws(WireError) -> Bool {
    let descriptors = [signals.number] + (link.number.map { [$0] } ?? [])
    let ready = try WireError.from(.internal) { () throws(SystemError) in
      try Poll.wait(
        descriptors.map { ($0, .readable) }, until: deadline == .max ? nil : deadline)
    }
    return !ready.contains { $0.token == 0 }
  }

  /// The jobs in the lines received.
  private func changedJobs(on link: RunnerLink) throws(WireError) -> [JobStatus] {
    guard let number = link.number, (try? Poll.wait(number, .readable, until: 0)) == true,
      case .lines(let lines) = try link.receive()
    else { return [] }
    var changed: [JobStatus] = []
    for line in lines {
      switch line {
      case .feed(.event(_, _, _, let job)), .feed(.snapshot(let job)):
        changed.append(job)
      case .reply(.error(_, let error)): throw error
      case .feed, .reply, .host: continue
      }
    }
    return changed
  }

  /// How long the runner may take for its first answer, if that is more than `--timeout`.
  static let answerTime: UInt64 = 3_000_000_000

  private func tell(_ job: JobStatus, isJSON: Bool) {
    if isJSON { return writeJSON(job) }
    let colour = surroundings.wantsColour && talk.isTerminal
    talk.write(line: Receipt.line(job), colour: colour)
  }

  private func goesOn(_ result: WaitResult) -> Int32 {
    let names = result.references.map { $0.description }
    guard !names.isEmpty else { return ExitCode.detached }
    let verb =
      names.count == 1
      ? "job \(names[0]) has not ended" : "jobs \(names.joined(separator: ", ")) have not ended"
    talk.write(line: "\(verb); see jobrun list")
    return ExitCode.detached
  }
}

/// Holds a signal descriptor where a copyable value is needed.
private final class SignalBox {
  private let signals: SignalDescriptor

  init(_ signals: consuming SignalDescriptor) {
    self.signals = signals
  }

  var number: Int32 { signals.number }
}
