import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// The helper of kind `host` as the runner sees it: lines in, lines out, and killed at any time.
struct HelperTests {
  @Test func `a job is begun, shown and told to have ended`() throws {
    let scratch = try Scratch()
    let helper = try HelperRun(scratch.path)
    let name = EngineAttempt(JobNumber(12), 1)
    try helper.launch(name, script: #"printf 'out \377\n'; exit 7"#)
    guard case .accepted(name, _) = try helper.next() else { throw helper.unexpected() }
    guard case .started(name, _) = try helper.next(but: .pages) else { throw helper.unexpected() }
    guard case .ended(name, let record, nil, _) = try helper.next(but: .pages) else {
      throw helper.unexpected()
    }
    #expect(RunRecord(parsing: Array(record.utf8)).ended?.status == .exited(7))
    #expect(String(decoding: helper.log, as: UTF8.self) == "out \u{fffd}\n")
    helper.send(.forget(name))
    helper.send(.ping)
    #expect(try helper.next() == .pong)
    #expect(!File.exists(helper.folder(of: name).path))
  }

  @Test func `a job that runs is found again after its helper was killed, and can be stopped`()
    throws
  {
    let scratch = try Scratch()
    let name = EngineAttempt(JobNumber(12), 1)
    let first = try HelperRun(scratch.path)
    try first.launch(name, script: "echo up; exec sleep 1000")
    while true { if case .started = try first.next() { break } }
    try first.kill()
    let second = try HelperRun(scratch.path)
    second.send(.adopt([EngineAdoption(name, logBytes: 0, hasStarted: false)], waiting: nil))
    second.send(.stop(name, reason: 1, graceMilliseconds: 30_000, terminates: true))
    while true {
      let report = try second.next()
      guard case .ended(name, let record, _, _) = report else { continue }
      let read = RunRecord(parsing: Array(record.utf8))
      #expect(read.stopCause == .told(1))
      #expect(read.ended?.status == .signalled(Signal.terminate))
      return
    }
  }

  @Test func `two runners in one folder hear of each other, and their jobs never meet`() throws {
    let scratch = try Scratch()
    let name = EngineAttempt(JobNumber(12), 1)
    let first = try HelperRun(scratch.path)
    try first.launch(name, script: "exec sleep 1000")
    while true { if case .started = try first.next() { break } }
    let second = try HelperRun(scratch.path, store: "def")
    guard case .note(let told) = try second.next() else { throw second.unexpected() }
    #expect(told.hasPrefix("jobs in \(scratch.path) are also watched by the runner on "))
    try second.launch(name, script: "exit 3")
    while true {
      guard case .ended(name, let record, _, _) = try second.next() else { continue }
      #expect(RunRecord(parsing: Array(record.utf8)).ended?.status == .exited(3))
      return
    }
  }

  @Test func `what is withdrawn has begun, or never will`() throws {
    let scratch = try Scratch()
    let name = EngineAttempt(JobNumber(12), 1)
    let helper = try HelperRun(scratch.path)
    try helper.launch(name, script: "exit 3")
    helper.send(.withdraw(name))
    while true {
      switch try helper.next() {
      case .revoked(name):
        #expect(RunRecord(parsing: try File.readAll(helper.folder(of: name).record)).isRevoked)
        return
      case .ended(name, let record, _, _):
        #expect(RunRecord(parsing: Array(record.utf8)).ended?.status == .exited(3))
        return
      default: continue
      }
    }
  }

  @Test func `who begins to watch a job that is just being started does not end it`() throws {
    let scratch = try Scratch()
    let helper = try HelperRun(scratch.path)
    for number: UInt64 in 1...5 {
      let name = EngineAttempt(JobNumber(number), 1)
      try helper.launch(name, script: "exit 7")
      guard case .accepted(name, _) = try helper.next() else { throw helper.unexpected() }
      helper.send(.watch(name, seconds: 60))
      guard case .started(name, _) = try helper.next(but: .pages) else { throw helper.unexpected() }
      guard case .ended(name, let record, nil, _) = try helper.next(but: .pages) else {
        throw helper.unexpected()
      }
      #expect(RunRecord(parsing: Array(record.utf8)).ended?.status == .exited(7))
    }
  }

  @Test func `what was never begun is forbidden, and a helper that comes late begins nothing`()
    throws
  {
    let scratch = try Scratch()
    let name = EngineAttempt(JobNumber(12), 1)
    let second = try HelperRun(scratch.path)
    second.send(.adopt([EngineAdoption(name, logBytes: 0, hasStarted: false)], waiting: nil))
    #expect(try second.next() == .revoked(name))
    #expect(try second.next() == .adopted)
    // The one before was only slow.
    let first = try HelperRun(scratch.path)
    try first.launch(name, script: "echo ran >> ran")
    while true { if case .revoked(name) = try first.next() { break } }
    #expect(!File.exists(scratch.file("ran")))
  }
}
