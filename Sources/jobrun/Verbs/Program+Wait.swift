import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun wait ID… [--any] [--timeout D]`.
  func wait(_ invocation: Invocation) throws(WireError) -> Int32 {
    let operands = try JobOperand.all(invocation.operands)
    var words: [Argument] = []
    for operand in operands {
      switch operand {
      case .one(let word): words.append(word)
      case .several(let selection):
        guard operands.count == 1, !invocation.isSet(.any) else {
          throw WireError(
            .usage,
            "\(selection.name) is waited for as one, and alone; run another jobrun wait for others")
        }
        return try watch(selection, invocation, steers: false)
      }
    }
    let link = try link()
    link.deadline = invocation.duration(.timeout).map { AwakeClock.now() &+ $0.nanoseconds }
    var pending = PendingJobs(isAny: invocation.isSet(.any))
    do throws(WireError) {
      for word in words { pending.add(try job(word, on: link)) }
      return try wait(for: &pending, invocation, on: link)
    } catch {
      guard let deadline = link.deadline, AwakeClock.now() >= deadline else { throw error }
      complain(error, isJSON: false)
      return goesOn(pending)
    }
  }

  private func wait(
    for pending: inout PendingJobs, _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    let isJSON = invocation.isSet(.json)
    let deadline = link.deadline
    let signals = try WireError.from(.internal) { () throws(SystemError) in
      SignalBox(
        try SignalDescriptor([Signal.interrupt, Signal.terminate, Signal.hangup]))
    }
    var isFollowing = false
    while pending.code == nil {
      if link.isLost { isFollowing = false }
      if !isFollowing, try link.reconnect(ifLost: true) {
        isFollowing = try link.send(.follow(pending.references, attach: false)) != nil
      }
      let end = link.isLost ? AwakeClock.now() + WatchPace.frame : deadline
      guard try waitOnce(link, signals, until: min(end ?? .max, deadline ?? .max)) else {
        return goesOn(pending)
      }
      if let deadline, AwakeClock.now() >= deadline { return goesOn(pending) }
      for job in try endedJobs(on: link) where pending.end(job) {
        if isJSON { writeJSON(job) } else { say(job) }
      }
      data.flush()
    }
    return pending.code ?? ExitCode.success
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

  /// What has arrived about jobs that have ended.
  private func endedJobs(on link: RunnerLink) throws(WireError) -> [JobStatus] {
    guard let number = link.number, (try? Poll.wait(number, .readable, until: 0)) == true,
      case .lines(let lines) = try link.receive()
    else { return [] }
    var ended: [JobStatus] = []
    for line in lines {
      switch line {
      case .feed(.event(_, _, _, let job)), .feed(.snapshot(let job)):
        if job.state == .ended { ended.append(job) }
      case .reply(.error(_, let error)): throw error
      case .feed, .reply, .host: continue
      }
    }
    return ended
  }

  private func say(_ job: JobStatus) {
    let colour = surroundings.wantsColour && talk.isTerminal
    talk.write(line: Receipt.line(job), colour: colour)
  }

  private func goesOn(_ pending: PendingJobs) -> Int32 {
    let names = pending.references.map { $0.description }
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
