import JobCore
import JobRunner
import LinuxSystem
import TestKit
import Testing

/// What a job gets beside others, written into a fake control group: a folder with the kernel's files.
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
      (.continued, true, "100", "0"), (.continued, false, "25", "0"),
      (.processing, false, "1", "1"),
      (.refresh, false, "1", "1"), (.processing, true, "100", "0"),
    ] as [(Submission.Kind, Bool, String, String)])
  func `what is watched comes first, and what is scheduled last`(
    kind: Submission.Kind, isAttached: Bool, weight: String, idle: String
  ) throws {
    GroupShare(kind, isAttached: isAttached).apply(to: group)
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
