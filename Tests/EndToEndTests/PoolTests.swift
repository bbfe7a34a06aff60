import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Jobs for a pool run on whichever of its machines has room; the machines are helpers on this one.
@Suite struct PoolTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(slots: 1, capabilities: #"["gpu"]"#)
    try configure(#""here", "tower", "attic""#)
  }

  private func configure(_ members: String) throws {
    let text = """
      {"slots": 1, "engines": {
        "tower": {"kind": "host", "slots": 1}, "attic": {"kind": "host", "slots": 1},
        "boxes": {"kind": "pool", "of": [\(members)]}}}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
  }

  private func stub(_ settings: String) throws -> [String: String] {
    let library = workshop.sandbox.path("libnvidia-ml.so.1")
    try StubLibrary.build("StubNVML/stub_nvml.c", at: library)
    return ["JOBRUN_NVML": library, "STUB_NVML": settings]
  }

  @Test func `each machine gets one, the next waits and says why, and it is shown who runs where`()
    throws
  {
    try workshop.defineGated("gated")
    for _ in 1...4 { _ = try workshop.submit("gated", "--on", "boxes") }
    for number: UInt64 in 1...3 { try workshop.awaitReady(number) }
    let jobs = try (1...3).map { try workshop.show($0) }
    #expect(Set(jobs.map { $0.terms.engine ?? "here" }) == ["here", "tower", "attic"])
    #expect(jobs.allSatisfy { $0.terms.pool == "boxes" })
    let waiting = try workshop.show(4)
    #expect(waiting.terms.engine == "boxes")
    #expect(
      waiting.pendingReason?.message
        == "no member of boxes has a free slot: here 0 of 1, tower 0 of 1, attic 0 of 1")
    let there = try workshop.jobrun("list", "--on", "tower", "--format", "engine,number").output
    #expect(there.split(separator: "\n").count == 1)
    #expect(there.hasPrefix("tower\t"), "\(there)")
    #expect(
      try workshop.jobrun("list", "--on", "boxes", "--format", "number").output == "1\n2\n3\n4\n")
    #expect(try workshop.jobrun("list").output.contains("on attic"))
    #expect(try workshop.jobrun("show", "4").output.contains("boxes\n"))
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1", "2", "3", "4").status == 0)
    let ended = try workshop.show(4)
    #expect(ended.terms.pool == "boxes")
    #expect(ended.outcome == .succeeded)
    withExtendedLifetime(opened) {}
  }

  @Test func `a GPU of a host is pinned there, and a second job waits for it`() throws {
    try configure(#""tower", "attic""#)
    let stub = try stub("gpus=1")
    try workshop.define(
      "hold",
      "echo \"visible: $CUDA_VISIBLE_DEVICES\"; echo > \"$READY.$JOBRUN_JOB\"; read l < $GATE",
      #","requires":["gpu"]"#)
    for _ in 1...3 {
      _ = try workshop.submit("hold", "--on", "boxes", "--require", "gpu=1", environment: stub)
    }
    for number: UInt64 in 1...2 { try workshop.awaitReady(number) }
    #expect(Set(try (1...2).map { try workshop.show($0).terms.engine }) == ["tower", "attic"])
    #expect(
      try workshop.show(3).pendingReason?.message
        == "no member of boxes has a free GPU: tower 0 of 1, attic 0 of 1")
    let table = try workshop.jobrun("resources", "--on", "boxes").output
    #expect(table.contains("leased by job 1"), "\(table)")
    let refused = try workshop.jobrun(
      "run", "--on", "boxes", "--require", "gpu=2", "--", "true", environment: stub)
    #expect(refused.status == 69)
    #expect(
      refused.errors.contains(
        "no member of boxes can ever run it: the job needs 2 GPUs, and tower has only one"),
      "\(refused.errors)")
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1", "2", "3").status == 0)
    let log = try workshop.jobrun("log", "3").output
    #expect(log == "visible: GPU-00000000-0000-0000-0000-000000000000\n")
    withExtendedLifetime(opened) {}
  }

  @Test func `a runner that was killed finds each where it was, and those that wait go on`() throws
  {
    try workshop.defineGated("gated")
    for _ in 1...5 { _ = try workshop.submit("gated", "--on", "boxes") }
    for number: UInt64 in 1...3 { try workshop.awaitReady(number) }
    let before = try (1...3).map { try workshop.show($0).terms.engine }
    kill(try RestartTests.runner(workshop), SIGKILL)
    let after = try (1...3).map { try workshop.show($0) }
    #expect(after.map(\.terms.engine) == before)
    #expect(after.allSatisfy { $0.attempt == 1 })
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1", "2", "3", "4", "5").status == 0)
    withExtendedLifetime(opened) {}
  }

  @Test func `a retry stays where its files are, and what is done again may go elsewhere`() throws {
    try configure(#""tower", "here""#)
    let script =
      "echo x >> \"$JOBRUN_STATE_DIR/tries\"; test $(wc -l < \"$JOBRUN_STATE_DIR/tries\") = 2"
    let ran = try workshop.jobrun(
      "run", "--on", "boxes", "--retries", "1:0s", "--plain", "--", "sh", "-c", script)
    #expect(ran.status == 0, "\(ran.errors)")
    let job = try workshop.show(1)
    #expect(job.attempt == 2)
    let failed = try workshop.jobrun("run", "--on", "boxes", "--plain", "--", "false")
    #expect(failed.status == 1)
    try workshop.jobrun("redo", "2")
    #expect(try workshop.waitForEnd(2).attempt == 2)
  }

  @Test
  func `a job waits behind those before it, held or cancelled, and a lone one has its machine`()
    throws
  {
    try workshop.defineGated("gated")
    for _ in 1...3 { _ = try workshop.submit("gated", "--on", "boxes") }
    for number: UInt64 in 1...3 { try workshop.awaitReady(number) }
    _ = try workshop.submit("gated", "--on", "boxes", "--hold")
    _ = try workshop.submit("gated", "--on", "boxes", "--after", "1", "--exclusive")
    _ = try workshop.submit("gated", "--on", "boxes")
    #expect(try workshop.show(4).pendingReason?.code == .held)
    #expect(try workshop.show(5).pendingReason?.code == .after)
    let late = try workshop.jobrun(
      "submit", "gated", "--on", "boxes", "--strategy", "fail", "--detach")
    #expect(late.status == 75, "\(late.errors)")
    try workshop.jobrun("cancel", "6")
    #expect(try workshop.show(6).outcome == .cancelled)
    try workshop.jobrun("release", "4")
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1", "2", "3", "4", "5").status == 0)
    withExtendedLifetime(opened) {}
  }

  /// With the exit code of all settings that cannot be read.
  @Test(arguments: [
    ("", "names no member"), (#""boxes""#, "the pool itself"),
    (#""towr""#, "no engine is called so; did you mean tower?"),
    (#""tower", "tower""#, "names \"tower\" twice"),
  ])
  func `a pool that makes no sense is told with file and line`(
    _ members: String, _ sentence: String
  ) throws {
    try configure(members)
    let refused = try workshop.jobrun("list")
    #expect(refused.status == 78)
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
    #expect(refused.errors.contains("config.json:3"), "\(refused.errors)")
  }
}
