import JobClient
import JobCore
import JobWire
import LinuxSystem

// Jobs with -i: this terminal shows their output unchanged, and all keys go to them.
extension Program {
  /// Refuses what does not go with keys for a job.
  func checkKeys(_ invocation: Invocation) throws(WireError) {
    let flag = Flag.interactive.spelling
    for other in [Flag.stdin, .stdout, .stderr, .keptLog] where invocation.text(other) != nil {
      throw WireError(
        .usage,
        "\(flag) and \(other.spelling) cannot be used together: the job's terminal is yours")
    }
    if invocation.isSet(.json) {
      throw WireError(
        .usage, "\(flag) and \(Flag.json.spelling) cannot be used together: JSON is for programs")
    }
    guard invocation.isSet(.detach) || Self.hasTerminal else {
      throw WireError(
        .usage,
        "\(flag) needs a terminal, which standard input and output are not; leave it out, or add"
          + " \(Flag.detach.spelling) and use jobrun attach on a terminal")
    }
  }

  private static var hasTerminal: Bool { Terminal.isTerminal(0) && Terminal.isTerminal(1) }

  /// Whether what a person types here goes to the job.
  func takesKeys(_ job: JobStatus, _ invocation: Invocation) -> Bool {
    job.terms.input == JobInput.terminal.text && job.state != .ended && Self.hasTerminal
      && !invocation.isSet(.json)
      && !invocation.isSet(.plain)
  }

  /// Connects this terminal with the job's from its start to its end; returns the job's exit code.
  ///
  /// A lost connection is made again; meanwhile the job is shown as any other.
  func visit(
    _ job: JobStatus, _ invocation: Invocation, link: RunnerLink, input: TerminalInput
  ) throws(WireError) -> Int32 {
    var entrance = JobScreen.Entrance()
    while true {
      let screen = JobScreen(
        job, display: try watchDisplay(invocation, link: link, followsLog: false), steers: true)
      screen.entrance = entrance
      let code = try LiveLoop(screen, link: link, input: input).run()
      guard screen.hasEntered else { return code }
      entrance.opensAt = AwakeClock.now() + JobScreen.Entrance.pause
      guard let command = try terminal(of: job) else { continue }
      if !entrance.wasUsed {
        talk.write(line: "attached to the terminal of job \(job.number); Ctrl-] detaches")
      }
      entrance.wasUsed = true
      let ending = try WireError.from(.internal) { () throws(SystemError) in
        try TerminalSession(command, input: input, screen: data).run(beside: link)
      }
      entrance.opensAt = AwakeClock.now() + JobScreen.Entrance.pause
      switch ending {
      case .left:
        let number = job.number
        talk.write(
          line: "job \(number) keeps running; jobrun attach \(number) returns to its terminal")
        return ExitCode.detached
      case .over(let complaint):
        if !complaint.isEmpty, complaint != entrance.complaint {
          talk.write(line: "jobrun: \(complaint)")
        }
        entrance.complaint = complaint
      }
    }
  }

  /// The command that leads there; nil when the job has ended meanwhile, or waits for its next attempt.
  private func terminal(of job: JobStatus) throws(WireError) -> [String]? {
    let answer: Response
    do throws(WireError) {
      // The feed arrives on the other connection.
      answer = try link().ask(.terminal(.number(job.number)))
    } catch {
      return nil
    }
    guard case .command(let command) = answer else {
      throw WireError(.internal, "the runner did not answer with a terminal")
    }
    return command
  }
}
