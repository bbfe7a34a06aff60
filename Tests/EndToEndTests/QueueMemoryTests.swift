import Foundation
import JobCore
import JobStore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// A runner's memory for waiting jobs.
@Suite struct QueueMemoryTests {
  private static let count: UInt64 = 6_000

  /// The same as before a restart: the store's rows are freed after they are restored.
  @Test func `a job that an earlier runner left takes two KiB and a half at most`() throws {
    let few = try resident(queued: 1) { _ in true }
    let bound = few + Double(Self.count) * 2.5
    let many = try resident(queued: Self.count) { $0 <= bound }
    #expect(many <= bound, "\((many - few) / Double(Self.count)) KiB a job")
  }

  /// KiB of a runner with this many jobs in its store, as soon as the value is as wanted, or at the deadline.
  private func resident(queued count: UInt64, isWanted: (Double) -> Bool) throws -> Double {
    let workshop = try Workshop()
    let state = workshop.sandbox.home + "/state"
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try fill(Store(path: state + "/jobrun.db"), count)
    #expect(try workshop.jobrun("show", "\(count)").status == 0)
    let runner = try RestartTests.runner(workshop)
    let deadline = Deadline(within: .seconds(20))
    var kibibytes = try Self.resident(runner)
    while !isWanted(kibibytes), !deadline.hasPassed {
      _ = try Poll.wait([], until: AwakeClock.now() + 50_000_000)
      kibibytes = try Self.resident(runner)
    }
    return kibibytes
  }

  /// Jobs that start tomorrow.
  private func fill(_ store: Store, _ count: UInt64) throws {
    let now = WallClock.now()
    try store.transaction(.normal) { () throws(StoreError) in
      for number in 1...count {
        let name = "io.jobrun.run.\(RandomBytes.hexadecimal(count: 16))"
        guard let identifier = JobIdentifier(name) else { continue }
        var submission = Submission(
          key: RandomBytes.hexadecimal(count: 16), identifier: identifier, speaksPage: false)
        submission.notBefore = WallTime(milliseconds: now + 86_400_000)
        var row = JobRecord(
          number: JobNumber(number), submission: submission, title: "Job \(number)",
          submittedMilliseconds: now)
        row.details.executed = ExecutedCommand(
          directory: Array("/home/somebody".utf8),
          arguments: ["sleep", "100000"].map { Array($0.utf8) })
        try store.insert(row, specification: [])
      }
      try store.saveBootID(Boot.identifier())
    }
  }

  private static func resident(_ pid: Int32) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    let digits = String(line.filter { $0.isNumber })
    return try #require(Double(digits))
  }
}
