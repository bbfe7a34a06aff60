internal import JobCore
internal import JobWire
internal import LinuxSystem

/// A report as one HTML file: pictures without scripts or external resources.
struct ReportPage {
  private let report: Report
  /// The limits: beyond this number of jobs, or of bytes, there are no more pictures.
  private static let maximumPictures = 250
  private static let maximumBytes = 240_000

  init(_ report: Report) {
    self.report = report
  }

  var text: String {
    var page = Markup()
    page.add(
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark">
      <title>\(Markup.escaped(title))</title>
      <style>\(Page.reportStyle)</style>
      <main>
      <header>
      <h1>\(Markup.escaped(title))</h1>
      <p>\(Markup.escaped(summary))</p>
      </header>
      """)
    let jobs = report.entries.map(\.job)
    if jobs.count > 1, let timeline = timeline(of: jobs) {
      page.add(
        "<section class=\"timeline\">\(Patterns.svg)\(timeline.svg)\(timeline.key)</section>")
    }
    var batches = ReportedBatch.all(of: report.entries).reversed()[...]
    var room = Self.maximumPictures
    var count = 0
    while let batch = batches.first, count < Self.maximumPictures,
      page.text.utf8.count < Self.maximumBytes
    {
      batches.removeFirst()
      count += 1
      if batch.entries.count == 1 {
        add(batch.entries[0], to: &page)
      } else {
        add(batch, room: &room, to: &page)
      }
    }
    addLeft(batches.reduce(0) { $0 + $1.entries.count }, to: &page)
    page.add("</main>")
    return page.text
  }

  private func timeline(of jobs: [JobStatus]) -> TimelineDrawing? {
    let traces = Dictionary(uniqueKeysWithValues: report.entries.map { ($0.job.number, $0.trace) })
    return TimelineDrawing(jobs, now: report.now) { traces[$0] ?? ProgressTrace() }
  }

  private var title: String {
    if let group = report.group { return "Group \(group) on \(CurrentProcess.hostName())" }
    guard report.entries.count == 1, let job = report.entries.first?.job else {
      return "Jobs on \(CurrentProcess.hostName())"
    }
    return "Job \(job.number): \(job.title)"
  }

  private var summary: String {
    let jobs = report.entries.map(\.job)
    var parts = [TimeAxis.whole(report.now)]
    if jobs.count != 1 { parts.append(jobs.isEmpty ? "no jobs" : "\(jobs.count) jobs") }
    if jobs.count != 1 { parts += Self.fates(of: jobs) }
    return parts.joined(separator: " · ")
  }

  /// The number of jobs by outcome.
  private static func fates(of jobs: [JobStatus]) -> [String] {
    let counts = Outcome.allCases.map { outcome in
      (jobs.count { $0.outcome == outcome }, outcome.rawValue)
    }
    return (counts + [(jobs.count { $0.outcome == nil }, "unfinished")])
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }

  /// One line and one picture for the whole batch; its jobs can be opened below, if there is `room`.
  private func add(_ batch: ReportedBatch, room: inout Int, to page: inout Markup) {
    let jobs = batch.jobs
    let fates = Self.fates(of: jobs)
    // The most important mood: first live jobs, then failures.
    let moods = Set(jobs.map(\.mood))
    let mood = ["warned", "going", "paused", "bad", "left"].first(where: moods.contains)
    page.add(
      """
      <article>
      <h2><span class="number">\(jobs[0].number)–\(jobs[jobs.count - 1].number)</span> \
      <bdi>\(Markup.escaped(batch.title))</bdi> \
      <span class="chip \(mood ?? "good")">\(fates.joined(separator: ", "))</span></h2>
      <p class="facts">\(batch.size > jobs.count ? "\(jobs.count) of \(batch.size)" : "\(batch.size)") jobs · submitted \(TimeAxis.whole(jobs[0].submitted))</p>
      """)
    if jobs.allSatisfy({ $0.started == nil }) {
      page.add(Self.never(jobs[0]))
    } else {
      let count = report.isChosen ? jobs.count : batch.size
      if let curve = batch.curve(now: report.now, others: count - jobs.count) {
        page.add(CurveDrawing(curve).svg("How many of \(count) jobs had ended at which time"))
      }
    }
    page.add("<details><summary>Each of them</summary>")
    var left = batch.byInterest[...]
    while let entry = left.first, room > 0, page.text.utf8.count < Self.maximumBytes {
      left.removeFirst()
      room -= 1
      add(entry, to: &page)
    }
    addLeft(left.count, to: &page)
    page.add("</details>\n</article>")
  }

  private func addLeft(_ count: Int, to page: inout Markup) {
    guard count > 0 else { return }
    let left = QuantityText.grouped(count)
    page.add("<p>\(left) more jobs have no picture here; jobrun report --json has them all.</p>")
  }

  private func add(_ entry: Report.Entry, to page: inout Markup) {
    let job = entry.job
    page.add(
      """
      <article>
      <h2><span class="number">\(job.number)</span> <bdi>\(Markup.escaped(job.title))</bdi> \
      <span class="chip \(job.mood)">\(job.fate)</span></h2>
      <p class="facts">\(Markup.escaped(facts(of: job)))</p>
      """)
    for sentence in sentences(about: job) {
      page.add("<p class=\"said\"><bdi>\(Markup.escaped(sentence))</bdi></p>")
    }
    if let started = job.started {
      draw(entry, started, on: &page)
    } else {
      page.add(Self.never(job))
    }
    page.add("</article>")
  }

  private func draw(_ entry: Report.Entry, _ started: WallTime, on page: inout Markup) {
    let job = entry.job
    guard
      let drawing = CurveDrawing(entry.trace, started: started, ended: job.ended, now: report.now)
    else {
      page.add("<p class=\"none\">No progress was recorded.</p>")
      return
    }
    page.add(drawing.svg("Progress of job \(job.number), \(job.fate)"))
    page.add(drawing.legend)
  }

  private func facts(of job: JobStatus) -> String {
    var facts = ["submitted \(TimeAxis.whole(job.submitted))"]
    if let ran = job.ran(until: report.now) {
      facts.append("ran \(QuantityText.length(Double(ran.milliseconds) / 1_000))")
    }
    if job.attempt > 1 { facts.append("\(job.attempt) attempts") }
    if let progress = job.progress {
      let amount = QuantityText.amount(progress.completed, of: progress.total, progress.unit)
      if !amount.isEmpty { facts.append(amount) }
    }
    if let seconds = job.use.cpuSeconds {
      facts.append("processor \(QuantityText.length(seconds))")
    }
    if let bytes = job.use.maxResidentBytes { facts.append("memory \(BinarySize.format(bytes))") }
    if let code = job.exitCode, code != 0 { facts.append("exit code \(code)") }
    if let signal = job.signal { facts.append(Signal.name(signal)) }
    return facts.joined(separator: " · ")
  }

  private func sentences(about job: JobStatus) -> [String] {
    [job.message, job.stopReason?.message, job.prompt?.question, job.warning].compactMap { $0 }
  }

  private static func reasonToWait(_ job: JobStatus) -> String? {
    guard let reason = job.pendingReason else { return nil }
    guard reason.code == .notBefore, let earliest = job.terms.earliest else {
      return "it waits: \(reason.message)"
    }
    return "it waits until \(TimeAxis.whole(earliest))"
  }

  /// A job that never began has a picture, too: of its wait.
  private static func never(_ job: JobStatus) -> String {
    let text =
      "Never started: \(reasonToWait(job) ?? job.stopReason?.message ?? job.message ?? "no reason was given")"
    return """
      <svg viewBox="0 0 720 64" role="img" aria-label="\(Markup.escaped(text))">
      <rect class="waiting" x="4" y="8" width="712" height="48" rx="6"/>
      <text class="middle" x="360" y="37"><tspan>\(Markup.escaped(text))</tspan></text>
      </svg>
      """
  }
}
