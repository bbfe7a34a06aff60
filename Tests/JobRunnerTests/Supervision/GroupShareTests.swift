import JobCore
import JobRunner
import LinuxSystem
import TestKit
import Testing

/// A job's share, written into a fake control group: a folder with the kernel's files.
@Suite struct GroupShareTests {
  private let sandbox: Sandbox
  private let group: ControlGroup

  init() throws {
    sandbox = try Sandbox()
    group = ControlGroup(path: sandbox.path("fake-group"))
    try group.make()
    for name in ["cpu.weight", "io.weight", "cpu.idle", "memory.high", "memory.max"] {
      try File.writeAtomically([], to: "\(group.path)/\(name)")
    }
  }

  private func content(_ name: String) throws -> String? {
    String(decoding: try File.readAll("\(group.path)/\(name)"), as: UTF8.self)
      .split(separator: "\n").first.map { String($0) }
  }

  @Test(
    arguments: [
      (.continued, .normal, true, "100", "0"), (.continued, .normal, false, "25", "0"),
      (.continued, .high, true, "200", "0"), (.continued, .high, false, "50", "0"),
      (.continued, .low, true, "50", "0"), (.continued, .low, false, "12", "0"),
      (.processing, .high, false, "1", "1"), (.refresh, .normal, false, "1", "1"),
      (.processing, .normal, true, "100", "0"),
    ] as [(Submission.Kind, Submission.Priority, Bool, String, String)])
  func `what is watched comes first, then what has a higher priority, and what is scheduled last`(
    kind: Submission.Kind, priority: Submission.Priority, isAttached: Bool, weight: String,
    idle: String
  ) throws {
    GroupShare(kind, priority, isAttached: isAttached).apply(to: group)
    #expect(try content("cpu.weight") == weight)
    #expect(try content("io.weight") == "default \(weight)")
    #expect(try content("cpu.idle") == idle)
  }

  @Test func `what was asked for is the most, and before that room is made`() throws {
    let memory = GroupMemory(4 << 30)
    #expect(group.limitMemory(high: memory.high, most: memory.most))
    #expect(try content("memory.max") == "4294967296")
    #expect(try content("memory.high") == "4026531840")
  }
}
