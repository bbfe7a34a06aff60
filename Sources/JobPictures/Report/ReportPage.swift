internal import JobCore
internal import JobWire
internal import LinuxSystem

/// A report as one file of HTML: pictures without a script, nothing that is fetched from anywhere.
struct ReportPage {
  private let report: Report
  /// Pictures of more jobs than these would be nothing to look at.
  private static let mostPictures = 250

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
    if jobs.count > 1, let timeline = TimelineDrawing(jobs, now: report.now) {
      page.add("<section class=\"timeline\">\(timeline.svg)\(Self.key)</section>")
    }
    for entry in report.entries.prefix(Self.mostPictures) { add(entry, to: &page) }
    if report.entries.count > Self.mostPictures {
      let left = QuantityText.grouped(report.entries.count - Self.mostPictures)
      page.add("<p>\(left) more jobs have no picture here; jobrun report --json has them all.</p>")
    }
    page.add("</main>")
    return page.text
  }

  private static let key = """
    <p class="key"><i class="good"></i>succeeded <i class="bad"></i>failed <i class="left"></i>stopped \
    <i class="going"></i>going on <i class="waiting"></i>waiting</p>
    """

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
    for fate in Outcome.allCases.map(\.rawValue) {
      let count = jobs.count { $0.outcome?.rawValue == fate }
      if count > 0, jobs.count != 1 { parts.append("\(count) \(fate)") }
    }
    let live = jobs.count { $0.outcome == nil }
    if live > 0, jobs.count != 1 { parts.append("\(live) not over") }
    return parts.joined(separator: " · ")
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
      let curve = ProgressCurve(
        entry.trace, started: started, ended: job.ended, now: report.now)
    else {
      page.add("<p class=\"none\">It told no progress, or was over within a second.</p>")
      return
    }
    let drawing = CurveDrawing(curve)
    page.add(drawing.svg("Progress of job \(job.number), \(job.fate)"))
    if !drawing.legend.isEmpty {
      let items = drawing.legend.map { "<li>\(Markup.escaped($0))</li>" }.joined()
      page.add("<ol class=\"marks\">\(items)</ol>")
    }
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
    if let seconds = job.cpuSeconds { facts.append("processor \(QuantityText.length(seconds))") }
    if let bytes = job.maxResidentBytes { facts.append("memory \(QuantityText.bytes(bytes))") }
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

  /// A job that never began has a picture, too: of what it waited for.
  private static func never(_ job: JobStatus) -> String {
    let text =
      "Never started: \(reasonToWait(job) ?? job.stopReason?.message ?? job.message ?? "nobody said why")"
    return """
      <svg viewBox="0 0 720 64" role="img" aria-label="\(Markup.escaped(text))">
      <rect class="waiting" x="4" y="8" width="712" height="48" rx="6"/>
      <text class="middle" x="360" y="37"><tspan>\(Markup.escaped(text))</tspan></text>
      </svg>
      """
  }
}
