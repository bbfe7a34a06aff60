import JobClient
import JobWire
import LinuxSystem
import TestKit
import Testing

struct RunnerStartTests {
  @Test func `a runner that is killed while it starts is started again`() throws {
    let sandbox = try Sandbox()
    let tried = sandbox.path("tried")
    let program = try sandbox.write(
      """
      #!/bin/sh
      if mkdir "\(tried)"; then kill -9 $$; fi
      echo "this is the second one" >&2
      exit 73
      """, to: "runner", executable: true)
    let paths = try Paths(
      environment: Environment(sandbox.environment), user: CurrentProcess.userIdentifier)
    var start = RunnerStart(paths: paths, program: program)
    let error = #expect(throws: WireError.self) { _ = try start.connection() }
    #expect(error?.message.contains("this is the second one") ?? false)
  }

  /// A million waiting jobs take half a minute to open.
  @Test func `a runner that is opening its store is waited for, with a note`() throws {
    let (sandbox, paths, program) = try otherwiseLocked()
    let lock = try File.open(paths.runnerLock, [.read, .write])
    #expect(try lock.tryLock())
    var timeouts = RunnerStart.Timeouts()
    (timeouts.answer, timeouts.note) = (20_000_000, 10_000_000)
    var start = RunnerStart(paths: paths, program: program, timeouts: timeouts)
    var notes: [String] = []
    start.onNote = { notes.append($0) }
    // Beyond the time for an answer, however late the first look may come.
    let answerDue = AwakeClock.now() + 2 * timeouts.answer
    let deadline = Deadline()
    while notes.isEmpty || AwakeClock.now() < answerDue, !deadline.hasPassed {
      let isWaiting = try start.attempt() == nil
      #expect(isWaiting)
      _ = try Poll.wait([], until: AwakeClock.now() + 1_000_000)
    }
    #expect(notes == ["the runner (process 77) is opening its store; waiting for it"])
    #expect(RunnerStart.opening(paths) == 77)
    timeouts.opening = 200_000_000
    let begun = AwakeClock.now()
    start = RunnerStart(paths: paths, program: program, timeouts: timeouts)
    let error = #expect(throws: WireError.self) { _ = try start.connection() }
    #expect(AwakeClock.now() - begun >= timeouts.opening)
    #expect(error?.message.hasPrefix("the runner did not answer within") ?? false)
    withExtendedLifetime(sandbox) {}
  }

  @Test func `a runner that has left without an answer is not waited for`() throws {
    let (sandbox, paths, program) = try otherwiseLocked()
    var timeouts = RunnerStart.Timeouts()
    (timeouts.answer, timeouts.note) = (20_000_000, 10_000_000)
    var start = RunnerStart(paths: paths, program: program, timeouts: timeouts)
    start.onNote = { Issue.record("noted: \($0)") }
    #expect(throws: WireError.self) { _ = try start.connection() }
    #expect(RunnerStart.opening(paths) == nil)
    withExtendedLifetime(sandbox) {}
  }

  /// A store whose runner never answers, and a program that finds its lock taken.
  private func otherwiseLocked() throws -> (Sandbox, Paths, String) {
    let sandbox = try Sandbox()
    let program = try sandbox.write("#!/bin/sh\n", to: "runner", executable: true)
    let paths = try Paths(
      environment: Environment(sandbox.environment), user: CurrentProcess.userIdentifier)
    try PrivateDirectory.prepare(paths.stateDirectory)
    try File.writeAtomically(Array("/nowhere/socket\n77\nopening\n".utf8), to: paths.runnerLock)
    return (sandbox, paths, program)
  }
}
