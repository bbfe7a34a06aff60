import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// A resumable job on real input: after any end, the next attempt resumes.
@Suite struct MirrorTests {
  /// The supervisor of an attempt, which its worker cannot outlive.
  private static func supervisor(_ workshop: Workshop, attempt: Int) throws -> Int32 {
    let path = workshop.sandbox.home + "/state/runs/1.\(attempt)"
    let words = try WaitFor.file(path, contains: "started").split(separator: " ")
    return try #require(words.dropFirst(3).first.flatMap { Int32($0) })
  }

  /// Which file (device and inode) each finished path is, by the job's own notes.
  private static func finished(_ workshop: Workshop, target: String) -> [String: UInt64] {
    let notes = workshop.sandbox.home + "/state/state/1/finished"
    let fields = (FileManager.default.contents(atPath: notes) ?? Data())
      .split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    var inodes: [String: UInt64] = [:]
    for (index, field) in fields.enumerated() where field == "file" && index + 5 < fields.count {
      var status = stat()
      if unsafe lstat(target + "/" + fields[index + 1], &status) == 0 {
        inodes[fields[index + 1]] = UInt64(status.st_ino)
      }
    }
    return inodes
  }

  /// A file in the source that takes the job minutes, so that there is time to kill it before it gets
  /// any further; it takes no room on the disk.
  private struct Barrier {
    private let source: String
    private var path: String?

    init(_ source: String) {
      self.source = source
    }

    /// Moves it to the beginning of a folder: all earlier ones can be finished, and no later one.
    mutating func move(to folder: String?) throws {
      if let path { try FileManager.default.removeItem(atPath: path) }
      path = folder.map { "\(source)/\($0)/a barrier" }
      guard let path else { return }
      try Data().write(to: URL(fileURLWithPath: path))
      #expect(unsafe truncate(path, 4 << 30) == 0)
    }
  }

  /// Waits until the job has noted more than `count` files as finished.
  private static func await(
    more count: Int, _ workshop: Workshop, target: String
  ) throws -> [String: UInt64] {
    let notes = workshop.sandbox.home + "/state/state/1/finished"
    return try WaitFor.change(
      at: notes, awaited: "more than \(count) finished files", within: Deadline.timeout
    ) {
      let finished = finished(workshop, target: target)
      return finished.count > count ? finished : nil
    }
  }

  @Test func `killed thrice with its supervisor and redone, a mirror ends identical`() throws {
    let workshop = try Workshop()
    let source = try ExportTests.folder(workshop, files: 120, bytesEach: 96 << 10)
    let target = workshop.sandbox.path("copy")
    var barrier = Barrier(source)
    try barrier.move(to: "day 2")
    try workshop.jobrun(
      "submit", "mirror", "--detach", "--", source, target, environment: ExportTests.jobs)
    var done: [String: UInt64] = [:]
    for attempt in 1...3 {
      let supervisor = try Self.supervisor(workshop, attempt: attempt)
      done = try Self.await(more: done.count + 10, workshop, target: target)
      kill(supervisor, SIGKILL)
      #expect(try workshop.jobrun("wait", "1").status == 76)
      #expect(try workshop.show(1).stopReason?.code == .supervisorLost)
      done = Self.finished(workshop, target: target)
      try barrier.move(to: ["day 4", "day 6", nil][attempt - 1])
      #expect(try workshop.jobrun("redo", "1").status == 0)
    }
    #expect(try workshop.jobrun("wait", "1").status == 0)
    let compared = try workshop.sandbox.run("diff", ["-r", "--no-dereference", source, target])
    #expect(compared.status == 0, "\(compared.output)")
    for (path, inode) in done {
      var status = stat()
      #expect(unsafe lstat(target + "/" + path, &status) == 0)
      #expect(UInt64(status.st_ino) == inode, "\(path) was copied again")
    }
    let job = try workshop.show(1)
    #expect(job.attempt == 4)
    #expect(job.progress?.fraction == 1)
    #expect(job.message?.contains("were there already") == true, "\(job.message ?? "")")
    try WaitFor.noFile(workshop.sandbox.home + "/state/state/1")
    #expect(workshop.strays() == [])
  }

  @Test func `killed twice and stalled once, a mirror's report shows how it went on`() throws {
    let workshop = try Workshop()
    let source = try ExportTests.folder(workshop, files: 120, bytesEach: 96 << 10)
    var barrier = Barrier(source)
    try barrier.move(to: "day 2")
    // A reader of the feed makes the runner sample jobs.
    let feed = try workshop.start("feed")
    try workshop.jobrun(
      "submit", "mirror", "--detach", "--", source, workshop.sandbox.path("copy"),
      environment: ExportTests.jobs)
    let trace = workshop.sandbox.home + "/state/logs/1.trace"
    for attempt in 1...2 {
      let supervisor = try Self.supervisor(workshop, attempt: attempt)
      try WaitFor.file(trace, contains: " \(attempt) ")
      if attempt == 2 {
        try workshop.jobrun("simulate", "stall", "1")
        try workshop.jobrun("continue", "1")
      }
      kill(supervisor, SIGKILL)
      try workshop.jobrun("wait", "1")
      try barrier.move(to: ["day 4", nil][attempt - 1])
      try workshop.jobrun("redo", "1")
    }
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    feed.signal(SIGINT)
    let marks = try workshop.jobrun("report", "1").output.matches(
      of: /<li>\d\d:\d\d:\d\d (.*?)<\/li>/
    ).map { String($0.1) }
    #expect(marks == ["attempt 2", "stalled, asked", "goes on", "attempt 3"])
    let line = try workshop.jobrun("report", "1", "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let points = try #require(object?["points"] as? [[String: Any]])
    #expect(points.last?["fraction"] as? Double == 1, "\(line)")
  }

  @Test func `after a restart of the machine a mirror goes on by itself`() throws {
    let workshop = try Workshop()
    let source = try ExportTests.folder(workshop, files: 120, bytesEach: 96 << 10)
    let target = workshop.sandbox.path("copy")
    var barrier = Barrier(source)
    try barrier.move(to: "day 2")
    try workshop.jobrun(
      "submit", "mirror", "--detach", "--", source, target, environment: ExportTests.jobs)
    let supervisor = try Self.supervisor(workshop, attempt: 1)
    let done = try Self.await(more: 10, workshop, target: target)
    try workshop.reboot(killing: [supervisor])
    try barrier.move(to: nil)
    #expect(try workshop.jobrun("wait", "1").status == 0)
    let compared = try workshop.sandbox.run("diff", ["-r", "--no-dereference", source, target])
    #expect(compared.status == 0, "\(compared.output)")
    for (path, inode) in done {
      var status = stat()
      #expect(unsafe lstat(target + "/" + path, &status) == 0)
      #expect(UInt64(status.st_ino) == inode, "\(path) was copied again")
    }
    #expect(try workshop.show(1).attempt == 2)
  }
}
