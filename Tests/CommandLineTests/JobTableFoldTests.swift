import JobCore
import JobWire
import Testing

@testable import jobrun

/// The jobs of one submission as one row, and what differs between them.
@Suite struct JobTableFoldTests {
  private func batch(_ titles: [String], from first: UInt64 = 12) -> [JobStatus] {
    titles.enumerated().map { index, title in
      var job = Sample.job(index == 0 ? .running : .queued, title: title)
      job.number = JobNumber(first + UInt64(index))
      job.identifier = "io.jobrun.run.k3f9abcd.\(index + 1)"
      if index > 0 { job.pendingReason = PendingReason(.slots, "the only slot is taken") }
      return job
    }
  }

  private func lines(
    _ jobs: [JobStatus], width: Int? = nil, folds: Bool = true
  ) -> [String] {
    JobTable.lines(jobs, width: width, at: Sample.now, folds: folds).map(\.text)
  }

  @Test func `they are one row with their numbers and states`() {
    var alone = Sample.job(.running, title: "Backup")
    alone.number = JobNumber(99)
    let lines = lines(batch(["gzip -9 a.log", "gzip -9 b.log", "gzip -9 c.log"]) + [alone])
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("12-14  1 running, 2 waiting"))
    #expect(lines[0].contains("gzip -9 …"))
    #expect(lines[0].hasSuffix("io.jobrun.run.k3f9abcd.*"))
    #expect(lines[1].contains("99  running"))
  }

  @Test func `the ended part of them is their progress`() {
    var jobs = batch(["a 1", "a 2", "a 3", "a 4"])
    jobs.removeFirst(2)
    #expect(lines(jobs)[0].contains("50 %"))
  }

  @Test func `its progress counts the whole batch, whichever of it are listed`() {
    var jobs = batch(["a 1", "a 2", "a 3", "a 4", "a 5", "a 6"])
    for index in jobs.indices { jobs[index].terms.batchSize = 8 }
    // The last two and the first have ended.
    var table = JobTable(width: nil, at: Sample.now, folds: true)
    var lines = jobs[1...].flatMap { table.add($0) } + table.finish()
    #expect(lines[0].text.contains("37 %"), "\(lines[0].text)")
    // A filter lists only two.
    table = JobTable(width: nil, at: Sample.now, folds: true)
    table.addUnlisted(jobs[1])
    lines = jobs[2...3].flatMap { table.add($0) }
    for job in jobs[4...] { table.addUnlisted(job) }
    lines += table.finish()
    #expect(
      lines[0].text.hasPrefix("14-15  ") && lines[0].text.contains("37 %"), "\(lines[0].text)")
  }

  /// What the runner leaves out of a folded list: of three that wait, the last two.
  @Test(arguments: [
    (["gzip a b", "gzip a c", "gzip a d", "gzip a e"], "gzip a "),
    (["gzip a", "gzip b", "gzip ba", "gzip bb"], "gzip b"),
    (["gzip a", "gzip b", "tar c", "zip d"], ""),
    (["same", "same", "same", "same"], nil), (["same", "other", "other", "other"], nil),
    (["übung a", "übung b", "übung bü", "übung bö"], "übung b\u{FFFD}"),
  ])
  func `the row of a folded list is that of the whole one`(titles: [String], shared: String?) {
    let jobs = batch(titles)
    var first = jobs[1]
    first.folded = FoldedJobs(count: 2, title: shared)
    #expect(lines([jobs[0], first]) == lines(jobs))
    #expect(lines([first]) == lines(Array(jobs[1...])))
  }

  @Test func `it lasts since its first has begun, until its last has ended`() {
    var jobs = batch(["a 1", "a 2"])
    func before(_ seconds: Int64) -> WallTime {
      WallTime(milliseconds: Sample.now.wall.milliseconds - seconds * 1_000)
    }
    (jobs[0].state, jobs[0].outcome) = (.ended, .succeeded)
    (jobs[0].started, jobs[0].ended) = (before(65), before(30))
    #expect(lines(jobs)[0].contains("  1:05  "))
    (jobs[1].state, jobs[1].outcome) = (.ended, .succeeded)
    (jobs[1].started, jobs[1].ended) = (before(30), before(20))
    #expect(lines(jobs)[0].contains("  0:20 ago  "))
  }

  @Test func `one with a question is seen`() {
    var jobs = batch(["a 1", "a 2"])
    jobs[0].state = .stalled
    jobs[0].prompt = JobStatus.Prompt(question: "Continue?", since: Sample.now.wall)
    let lines = lines(jobs)
    #expect(lines.count == 3)
    #expect(lines[2].contains("Continue? jobrun continue 12, or --no"))
  }

  @Test func `opened, each shows what differs`() {
    let long = "blender --background --python-exit-code 1 scenes/"
    let lines = lines(
      batch([long + " shot-1", long + " shot-2"]), width: 80, folds: false)
    #expect(lines.contains { $0.contains("… shot-1") })
    #expect(lines.contains { $0.contains("… shot-2") })
  }

  @Test(arguments: [48, 60, 80])
  func `a batch with long states leaves room for the titles and times of others`(_ width: Int) {
    var jobs = batch(["a 1", "a 2", "a 3", "a 4"])
    for (index, outcome) in [Outcome.failed, .cancelled, .succeeded].enumerated() {
      (jobs[index].state, jobs[index].outcome) = (.ended, outcome)
      jobs[index].ended = Sample.now.wall
    }
    var alone = Sample.job(.running, title: "Nightly backup of everything that is in the house")
    alone.number = JobNumber(99)
    let lines = lines(jobs + [alone], width: width)
    #expect(lines[0].hasPrefix("12-15  1 waiting, 1 failed, 1 cancelled, 1 succ"), "\(lines)")
    #expect(lines[2].contains("Nightly bac") || width < 60, "\(lines)")
    #expect(lines.allSatisfy { TextWidth.of($0) <= width }, "\(lines)")
    #expect(lines[2].contains(":") || width < 60, "its time is seen: \(lines)")
  }

  @Test func `without a terminal no title is cut`() {
    let title = String(repeating: "long ", count: 20) + "end"
    #expect(lines([Sample.job(title: title)])[0].contains(title))
    var ended = Sample.ended(.succeeded)
    ended.title = title
    let history = HistoryTable.lines([ended], width: nil, now: Sample.now.wall).map(\.text)
    #expect(history[0].contains(title))
  }

  @Test func `a batch of one is a job`() {
    #expect(lines(batch(["a 1"]))[0].hasPrefix("12  running"))
  }
}
