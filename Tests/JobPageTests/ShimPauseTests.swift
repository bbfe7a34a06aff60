import Glibc
import JobPage
import LinuxSystem
import TestKit
import Testing

/// A supervisor pauses its tree according to the page of the job.
struct ShimPauseTests {
  private static let script = """
    sh -c 'trap "echo child heard; exit 0" TERM; echo child ready; while :; do sleep 0.02; done' &
    trap 'echo heard; exit 7' TERM
    while ! grep -q 'child ready' log; do sleep 0.02; done
    echo ready
    while :; do sleep 0.02; done
    """

  /// An attempt with a page, whose worker and its child are ready.
  private func attempt(_ scratch: borrowing Scratch) throws -> Attempt {
    _ = try scratch.page()
    let attempt = try Attempt(scratch.path, script: Self.script)
    _ = try attempt.started()
    _ = try WaitFor.file(attempt.order.log, contains: "\nready\n")
    return attempt
  }

  private func say(_ mark: UInt64, to attempt: Attempt) throws {
    try PageControl(path: attempt.order.page).write(PagePause(mark: mark))
    try attempt.signalShim(Signal.urgent)
  }

  /// Waits until the supervisor has taken what it was told.
  ///
  /// Of two pending signals it takes the lower number first: told to end before that, it would stop the tree
  /// again afterwards. A runner writes, too, that the job which it ends is not paused any more.
  private func awaitTaken(_ attempt: Attempt) throws {
    let deadline = generousDeadline()
    while AwakeClock.now() < deadline {
      let status = String(decoding: try File.readAll("/proc/\(attempt.shim)/status"), as: UTF8.self)
      let line = status.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") }
      let digits = try #require(line?.split(separator: "\t").last)
      let pending = try #require(UInt64(digits, radix: 16))
      if pending & 1 << UInt64(Signal.urgent - 1) == 0 { return }
      sched_yield()
    }
    throw Attempt.Missing(description: "a supervisor that takes its signal")
  }

  private func await(stopped: Bool, _ attempt: Attempt) throws {
    let deadline = generousDeadline()
    while AwakeClock.now() < deadline {
      let states = attempt.survivors().compactMap { ProcessStatus(pid: $0.pid)?.state }
      // A parent that waits for a child which was stopped before exec is in state `D`.
      let count = states.count { $0 == UInt8(ascii: "T") }
      let waiting = states.count { $0 == UInt8(ascii: "D") }
      if states.count > 1, stopped ? count > 0 && count + waiting == states.count : count == 0 {
        return
      }
      sched_yield()
    }
    throw Attempt.Missing(description: "a tree that is \(stopped ? "" : "not ")stopped")
  }

  @Test func `what the page says last is done, however often it is told`() throws {
    let scratch = try Scratch()
    let attempt = try attempt(scratch)
    try say(1, to: attempt)
    try self.await(stopped: true, attempt)
    try say(2, to: attempt)
    try self.await(stopped: false, attempt)
    try say(3, to: attempt)
    try say(4, to: attempt)
    try say(5, to: attempt)
    // The tree may still be stopped as of the third.
    try awaitTaken(attempt)
    try self.await(stopped: true, attempt)
    try attempt.signalShim(Signal.terminate)
    #expect(try attempt.ended().status == .exited(7))
    #expect(try attempt.log().contains("child heard"))
  }

  @Test func `what a stopped worker that was killed leaves behind goes on to be told to leave`()
    throws
  {
    let scratch = try Scratch()
    let attempt = try attempt(scratch)
    let record = try File.readAll(attempt.order.record)
    let worker = try #require(RunRecord(parsing: record).started).worker
    try say(1, to: attempt)
    try self.await(stopped: true, attempt)
    try ProcessDescriptor(worker).signal(Signal.kill)
    #expect(try attempt.ended().status == .signalled(Signal.kill))
    #expect(try attempt.log().contains("child heard"))
    #expect(attempt.survivors().isEmpty)
  }

  @Test func `a page that is gone changes nothing`() throws {
    let scratch = try Scratch()
    let attempt = try attempt(scratch)
    try say(1, to: attempt)
    try self.await(stopped: true, attempt)
    try File.remove(attempt.order.page)
    try attempt.signalShim(Signal.urgent)
    try attempt.signalShim(Signal.user1)
    #expect(try attempt.ended().status == .signalled(Signal.kill))
    #expect(attempt.survivors().isEmpty)
  }

  @Test func `a reader sees what was decided about a pause`() throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    var reader = try PageReader(path: path)
    #expect(reader.snapshot().pause == PagePause())
    let pause = PagePause(
      mark: 3, since: 77, keepsSlot: true, before: 9 << 40, until: 9 << 41)
    try PageControl(path: path).write(pause)
    #expect(reader.snapshot().pause == pause && pause.isPaused)
    #expect(PauseStatus.isPaused(page: path) == true)
    try PageControl(path: path).write(PagePause(mark: 256))
    #expect(PauseStatus.isPaused(page: path) == false)
    #expect(PauseStatus.isPaused(page: path + ".none") == nil)
  }
}
