import Foundation
import JobCore
import JobWire
import Testing

@testable import jobrun

/// Golden frames of the live line.
struct LiveViewTests {
  private func frame(_ model: JobViewModel, _ width: Int) -> [String] {
    LiveView.lines(model, width: width).map(\.text)
  }

  @Test(arguments: [
    (
      100,
      "Trip 2026  ━━━━━━────────   43 %  1.2/2.8 GB  112 MB/s   0:14 left  photos/2026/img_0042.jpg"
    ),
    (80, "Trip 2026  ━━━━━━────────   43 %  1.2/2.8 GB  112 MB/s   0:14 left  …mg_0042.jpg"),
    (60, "Trip 2026  ━━━━━━────────   43 %  1.2/2.8 GB  0:14 left"),
    (40, "Trip 2026  ━━╸───  1.2/2.8 GB  0:14 left"),
    (20, "Trip 20…  1.2/2.8 GB"),
    (8, "…   43 %"),
  ])
  func `a running export gives way from the right`(width: Int, text: String) {
    #expect(frame(Sample.export(), width) == [text])
  }

  @Test(arguments: [100, 80])
  func `the bar keeps its length from file to file`(width: Int) {
    let bars = ["a", "photos/2026/img_0042.jpg", "photos/2026/Trip to the north/img_0042.jpg"].map {
      var model = Sample.export()
      model.job.subtitle = $0
      return frame(model, width)[0].count { "━╸─".contains($0) }
    }
    #expect(Set(bars).count == 1, "\(bars)")
  }

  @Test func `in a table it is said where it runs, unless that is here`() {
    var model = Sample.export()
    model.showsPlace = true
    #expect(!frame(model, 160)[0].contains(" on "))
    (model.job.terms.engine, model.job.terms.pool, model.job.node) = ("tower", "boxes", "n7")
    #expect(frame(model, 160)[0].contains("  on tower of boxes (n7)  photos/2026/img_0042.jpg"))
    model.showsPlace = false
    #expect(!frame(model, 160)[0].contains(" on "))
  }

  @Test func `a narrow terminal keeps the question`() {
    var job = Sample.job(.stalled)
    job.progress = JobProgress(completed: 43, total: 100)
    job.prompt = JobStatus.Prompt(question: "Continue?", since: WallTime(milliseconds: 0))
    var model = JobViewModel(job)
    model.unchanged = .seconds(42)
    model.takesKeys = true
    #expect(
      frame(model, 80) == [
        "Trip 2026  ━━━━━━━━━─────────────   43 %  43/100   stalled 0:42  continue? [y/n]"
      ])
    #expect(frame(model, 40) == ["Trip 2026  stalled 0:42  continue? [y/n]"])
    #expect(frame(model, 20) == ["Tr…  continue? [y/n]"])
  }

  @Test(arguments: [
    (Interval.seconds(45), "45 s"), (.seconds(541), "10 min"), (.seconds(3_660), "1 h 1 min"),
    (.seconds(7_200), "2 h"), (.days(3), "3 d 0 h"),
  ])
  func `a pause that ends by itself says in what time`(left: Interval, words: String) {
    var job = Sample.job(.paused)
    job.paused = JobStatus.Paused(
      since: Sample.now.wall, seconds: 0, until: Sample.now.wall + left)
    var model = JobViewModel(job)
    model.pauseLeft = job.pauseLeft(at: Sample.now)
    model.takesKeys = true
    #expect(frame(model, 80).first?.hasSuffix("paused  resumes in \(words)") == true)
    job.state = .running
    #expect(job.pauseLeft(at: Sample.now) == nil)
  }

  @Test func `a paused job says so, and how it goes on`() {
    var job = Sample.job(.paused)
    job.progress = JobProgress(completed: 43, total: 100)
    var model = JobViewModel(job)
    model.takesKeys = true
    #expect(frame(model, 80).first?.hasSuffix("43/100   paused  p resumes it") == true)
    job.pendingReason = PendingReason(.slots, "both slots are taken by jobs 3 and 4")
    #expect(
      frame(JobViewModel(job), 100).first?.hasSuffix(
        "paused  resumes when a slot is free") == true)
  }

  @Test func `the share of a part is never seen without its name`() {
    var job = Sample.job(.running)
    job.progress = JobProgress(
      completed: 4000, total: 10_000, unit: .share, source: .output, recogniser: "tqdm",
      note: "phase 3")
    for width in [100, 60, 40] {
      let line = frame(JobViewModel(job), width).first ?? ""
      #expect(!line.contains("40 %") || line.contains("phase 3"), "\(line)")
    }
    #expect(frame(JobViewModel(job), 100).first?.contains("40 %  phase 3") == true)
  }

  @Test func `what was read of a file is told beside the amount`() {
    var job = Sample.job(.running)
    job.progress = JobProgress(
      completed: 64_000_000, total: 0, unit: .bytes, source: .file, recogniser: "reading big.bin",
      note: "read all of big.bin")
    let line = frame(JobViewModel(job), 100).first ?? ""
    #expect(line.contains("64.0 MB"))
    #expect(line.contains("read all of big.bin"))
    #expect(!line.contains("%"))
  }

  @Test func `a whole that is only recognised is not, before the end`() {
    var job = Sample.job(.running)
    job.progress = JobProgress(completed: 9, total: 9, source: .output, recogniser: "[n/m]")
    job.progress?.holdBeforeEnd()
    let line = frame(JobViewModel(job), 100).first ?? ""
    #expect(line.contains("9/9, goes on"))
    #expect(!line.contains("%"))
  }

  @Test func `a job that does not advance says so in place of its rate`() {
    var model = Sample.export()
    model.unchanged = .seconds(42)
    #expect(
      frame(model, 100) == [
        "Trip 2026  ━━━━━━────────   43 %  1.2/2.8 GB  no change for 0:42  0:14 left  …otos/2026/img_0042.jpg"
      ])
    #expect(frame(model, 40) == ["Trip 2026  1.2/2.8 GB  no change 0:42"])
    #expect(frame(model, 20) == ["Tri…  no change 0:42"])
    #expect(!frame(model, 100)[0].contains("continue?"))
  }

  @Test(arguments: [
    (599, "9:59 left", "9:59 left"), (600, "about 10 min left", "~10 min left"),
    (1_500, "about 25 min left", "~25 min left"), (3_500, "about 1 h left", "~1 h left"),
    (5_500, "about 1.5 h left", "~1.5 h left"), (7_000, "about 2 h left", "~2 h left"),
    (40_000, "about 11 h left", "~11 h left"), (300_000, "about 3 days left", "~3 d left"),
  ])
  func `a time left is as coarse as it is far`(seconds: UInt64, long: String, short: String) {
    var model = Sample.export()
    model.job.subtitle = ""
    model.remaining = .seconds(seconds)
    #expect(frame(model, 100)[0].hasSuffix(long))
    #expect(frame(model, 42)[0].hasSuffix("  \(short)"), "\(frame(model, 42))")
  }

  @Test func `what grows on the line moves nothing behind it`() {
    for width in [40, 60, 80, 100, 140] {
      var columns: Set<[Int]> = []
      for (completed, rate) in [(1, 1.1e6), (99, 99.9e6), (100, 112e6), (4_321, 1.2e9)] {
        for seconds in [700, 1_200, 3_300, 5_500, 7_200, 36_000] as [UInt64] {
          var model = Sample.export()
          model.job.progress?.completed = UInt64(completed) * 1_000_000
          model.job.progress?.total = 5_000_000_000
          model.rate = rate
          model.remaining = .seconds(seconds)
          let line = frame(model, width)[0]
          let paths = ["%", "/5.0 GB", "/s", "photos", "…"].map { word in
            line.range(of: word).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
              ?? -1
          }
          columns.insert([paths[0], paths[1], paths[3], line.count { "━╸─".contains($0) }])
        }
      }
      #expect(columns.count <= (width < 80 ? 2 : 1), "at \(width): \(columns)")
    }
  }

  @Test func `a job without counts turns only as it moves`() {
    var model = JobViewModel(Sample.job(subtitle: "looking around"))
    model.elapsed = .seconds(61)
    model.frame = 2
    #expect(frame(model, 80) == ["Trip 2026  ⠹  1:01  looking around"])
    model.job.progress = JobProgress(completed: 1234, total: 0)
    model.rate = 12
    #expect(frame(model, 80) == ["Trip 2026  ⠹  1234 items  12/s   1:01  looking around"])
  }

  @Test func `a waiting job says why and where`() {
    var job = Sample.job(.queued)
    job.position = 2
    job.pendingReason = PendingReason(.slots, "both slots are taken by jobs 3 and 4")
    let model = JobViewModel(job)
    #expect(
      frame(model, 80) == ["Trip 2026  waiting, #2  both slots are taken by jobs 3 and 4"])
    #expect(frame(model, 40) == ["Trip 2026  waiting, #2  both slots are …"])
  }

  @Test func `a stopping job counts down`() {
    var job = Sample.job(.stopping)
    job.progress = JobProgress(completed: 43, total: 100)
    job.stopReason = StopReason(.user, "cancelled by you")
    var model = JobViewModel(job)
    model.grace = .milliseconds(8_100)
    #expect(
      frame(model, 100) == [
        "Trip 2026  ━━━━━━━━━━──────────────   43 %  43/100   stopping, killed in 9 s  cancelled by you"
      ])
    model.grace = .zero
    #expect(frame(model, 100)[0].contains("stopping, ending"))
  }

  @Test func `what is wrong stands on a line of its own`() {
    var model = Sample.export()
    model.notice = "runner lost; reconnecting…"
    #expect(frame(model, 80).last == "runner lost; reconnecting…")
    #expect(frame(model, 12).last == "runner lost…")
  }

  @Test func `no line is ever wider than the terminal`() {
    var models = [Sample.export()]
    var wide = Sample.export()
    wide.job.title = "写真 📷 旅行の写真をまとめて書き出す"
    wide.job.subtitle = "写真/旅行/写真写真写真写真写真.jpg"
    wide.notice = "写真写真写真写真"
    models.append(wide)
    for state in JobStatus.State.allCases {
      var model = wide
      model.job.state = state
      model.job.prompt = JobStatus.Prompt(question: "?", since: WallTime(milliseconds: 0))
      model.job.position = 100_000
      model.job.pendingReason = PendingReason(.gpu, "写真 is held by another job")
      models.append(model)
    }
    for model in models {
      for width in 1...120 {
        for line in LiveView.lines(model, width: width) {
          #expect(line.width <= width, "\(model.job.state) at \(width): \(line.text)")
        }
      }
    }
  }

  @Test func `without colour there is no escape sequence at all`() {
    for line in LiveView.lines(Sample.export(), width: 80) {
      #expect(!line.rendered(colour: false).contains("\u{1B}"))
      #expect(line.rendered(colour: true).contains("\u{1B}[36m"))
    }
  }

  @Test func `a job's own words cannot leave their line`() {
    var model = Sample.export()
    model.job.title = "a\u{1B}[2Jb\n"
    model.job.subtitle = "\u{9B}2Jc\r"
    for line in LiveView.lines(model, width: 200) {
      #expect(!line.text.unicodeScalars.contains(where: SafeText.isControl))
    }
  }
}
