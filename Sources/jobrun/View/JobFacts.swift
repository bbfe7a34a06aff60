import JobCore
import JobWire
import LinuxSystem

/// Everything that is known about one job, for `jobrun show`.
enum JobFacts {
  typealias Fact = (name: String, value: String)

  static func all(_ job: JobStatus) -> [Fact] {
    identity(job) + state(job) + progress(job) + run(job) + paths(job)
  }

  private static func identity(_ job: JobStatus) -> [Fact] {
    [
      ("number", "\(job.number)"), ("identifier", job.identifier),
    ]
      + fact("kind", job.terms.kind == .continued ? nil : job.terms.kind.rawValue)
      + fact("group", job.terms.group) + fact("priority", job.shownPriority)
      + fact("definition", job.definition) + [
        ("title", job.title)
      ]
      + fact("subtitle", job.subtitle.isEmpty ? nil : job.subtitle)
      + fact("command", job.terms.command.map(ShellText.command))
      + fact("directory", job.terms.directory.map(SafeText.shown))
      + environment(job)
      + fact("limits", job.terms.limits.isEmpty ? nil : job.terms.limits.joined(separator: ", "))
      + fact("reads", job.terms.input.map(SafeText.shown)) + asked(job)
  }

  /// What jobrun has added, and the names that `--env` gave, without their values.
  private static func environment(_ job: JobStatus) -> [Fact] {
    let entries = job.terms.environment
    let (added, given) = (entries.filter { $0.contains("=") }, entries.filter { !$0.contains("=") })
    return fact("environment", added.isEmpty ? nil : ShellText.command(added))
      + fact("variables", given.isEmpty ? nil : given.map(SafeText.shown).joined(separator: ", "))
  }

  /// What was asked of it; what a definition or `jobrun run` asks of every job only where it differs.
  private static func asked(_ job: JobStatus) -> [Fact] {
    guard let options = job.terms.options else { return [] }
    let usual = Submission.Options(speaksPage: options.speaksPage)
    let needs = job.terms.requires
    return fact("requires", needs.isEmpty ? nil : needs.joined(separator: ", "))
      + fact("sends", paths(job.terms.send)) + fact("fetches", paths(job.terms.fetch))
      + fact("limit", options.limit.map { $0.words }) + [("grace", options.grace.words)]
      + fact("retries", options.retries == 0 ? nil : retries(options))
      + fact("retries on", options.retriesExpired ? "failure and expiry" : nil)
      + fact("slots", options.slots == 1 ? nil : "\(options.slots)")
      + fact("starts", options.startsApart.map { "\($0.words) after another of its submission" })
      + fact("exclusive", options.isExclusive ? "yes" : nil)
      + fact("resumable", options.resumable ? "yes" : nil)
      + fact("if it stalls", options.onStall == usual.onStall ? nil : options.onStall.rawValue)
      + fact("unanswered for", options.answerWithin.map { "\($0.words), it is stopped" })
      + fact("if it is slow", options.onSlow == usual.onSlow ? nil : options.onSlow.rawValue)
      + fact(
        "stalls after", options.stallAfter == usual.stallAfter ? nil : options.stallAfter.words)
      + fact("expires after", options.silentAfter.map { "\($0.words) of silence" })
  }

  private static func paths(_ paths: [String]) -> String? {
    paths.isEmpty ? nil : paths.map { ShellText.command([$0]) }.joined(separator: ", ")
  }

  private static func retries(_ options: Submission.Options) -> String {
    "\(options.retries)" + (options.retryDelay.map { ", \($0.words) apart" } ?? "")
  }

  /// `tower of boxes (tower1)`: the engine, the pool that has chosen it, and its machine.
  static func place(of job: JobStatus) -> String? {
    guard job.terms.engine != nil || job.terms.pool != nil else { return nil }
    return (job.terms.engine ?? EngineName.here) + (job.terms.pool.map { " of \($0)" } ?? "")
      + (job.node.map { " (\($0))" } ?? "")
  }

  private static func state(_ job: JobStatus) -> [Fact] {
    [("state", job.state.rawValue)]
      + fact("on", place(of: job))
      + fact("outcome", job.outcome?.rawValue)
      + fact("stop reason", job.stopReason?.message)
      + fact("waiting", waits(job))
      + fact("on end", job.terms.onEnd.map(SafeText.shown))
      + fact("after", numbers(job.terms.after))
      + fact("after any", numbers(job.terms.afterAny))
      + fact("after one", numbers(job.terms.afterOne))
      + fact("awaited by", numbers(job.terms.awaitedBy))
      + fact("position", job.position.map { "\($0)" })
      + fact("asks", job.prompt.map { "\($0.question) (since \(ShownTime.whole($0.since)))" })
      + fact("paused since", job.paused?.since.map(ShownTime.whole))
      + fact("resumes", job.paused?.until.map(ShownTime.whole))
      + fact(
        "paused before",
        job.paused.flatMap { $0.seconds > 0 ? QuantityText.length($0.seconds) : nil })
      + fact("quiet until", job.quietUntil.map(ShownTime.whole))
      + fact("warning", job.warning)
      + fact("message", job.message)
  }

  static func numbers(_ jobs: [JobNumber]) -> String? {
    guard let first = jobs.first else { return nil }
    var ranges = [JobRange(first: first, count: 1)]
    for job in jobs.dropFirst() {
      let last = ranges.count - 1
      if job.value == ranges[last].last.value + 1 {
        ranges[last].count += 1
      } else {
        ranges.append(JobRange(first: job, count: 1))
      }
    }
    return ranges.map { range in
      range.count > 2
        ? "\(range.first)-\(range.last)"
        : range.count == 2 ? "\(range.first), \(range.last)" : "\(range.first)"
    }.joined(separator: ", ")
      + (jobs.count < Limits.prerequisitesShown
        ? "" : " (the first \(QuantityText.grouped(jobs.count)))")
  }

  /// What it waits for; a time as the clock here shows it.
  private static func waits(_ job: JobStatus) -> String? {
    PendingTable.sentence(job, at: .present)
  }

  private static func progress(_ job: JobStatus) -> [Fact] {
    guard let progress = job.progress else { return [] }
    let amount = QuantityText.amount(progress.completed, of: progress.total, progress.unit)
    let (completed, total) = progress.drawn
    let percent = QuantityText.percent(completed, of: total).drop { $0 == " " }
    let note = progress.note.map(SafeText.shown) ?? ""
    let parts =
      progress.goesOn
      ? [QuantityText.whole(progress)] : [String(percent), amount, note].filter { !$0.isEmpty }
    return [("progress", parts.joined(separator: ", "))]
      + fact("rate", QuantityText.rate(progress.rate, progress.unit))
      + fact("time left", timeLeft(progress))
      + [("seen in", source(of: progress))]
      + fact("source line", progress.line.map(SafeText.shown))
  }

  private static func timeLeft(_ progress: JobProgress) -> String? {
    progress.etaRange.map { "about \(QuantityText.range($0))" }
      ?? progress.eta.map(QuantityText.length)
  }

  /// `its reports`, or `its output (rsync)`.
  private static func source(of progress: JobProgress) -> String {
    let source =
      switch progress.source {
      case .page: "its reports"
      case .osc: "the taskbar sequence OSC 9;4"
      case .output: "its output"
      case .file: "how far it has read its input"
      }
    return source + (progress.recogniser.map { " (\(SafeText.shown($0)))" } ?? "")
  }

  private static func run(_ job: JobStatus) -> [Fact] {
    [("attempt", "\(job.attempt)")]
      + fact("process", job.pid.map { "\($0)" })
      + fact("control group", job.controlGroup.map { $0 ? "yes" : "no" })
      + fact("exit code", job.exitCode.map { "\($0)" })
      + fact("signal", job.signal.map { "\(Signal.name($0)) (\($0))" })
      + fact("gpus", job.gpus.isEmpty ? nil : job.gpus.joined(separator: ", "))
      + fact("attached", attached(job.attached))
      + [("submitted", ShownTime.whole(job.submitted))]
      + fact("not before", job.terms.earliest.map(ShownTime.whole))
      + fact("repeats", job.terms.recurrence?.words)
      + fact("started", job.started.map(ShownTime.whole))
      + fact("ended", job.ended.map(ShownTime.whole))
      + fact("cpu time", job.use.cpuSeconds.map(QuantityText.length))
      + fact("peak memory", job.use.maxResidentBytes.map(BinarySize.format))
      + fact("read from disks", job.use.bytesRead.map(QuantityText.bytes))
      + fact("written to disks", job.use.bytesWritten.map(QuantityText.bytes))
      + fact(
        "processors' energy",
        job.use.processorJoules.map {
          "about " + QuantityText.energy($0) + ", by its share of their time"
        })
      + fact(
        "gpus' energy", job.use.gpuJoules.map { QuantityText.energy($0) + " while it had them" })
      + UseCounter.allCases.flatMap { counter in
        fact(counter.name, job.use[counter].map(counter.text))
      }
  }

  private static func attached(_ count: Int) -> String? {
    count == 0 ? nil : count == 1 ? "1 terminal or program" : "\(count) terminals or programs"
  }

  private static func paths(_ job: JobStatus) -> [Fact] {
    [("log", job.log)] + fact("output to", job.terms.stdout) + fact("errors to", job.terms.stderr)
      + fact("state folder", job.terms.engine == nil ? job.stateDirectory : nil)
  }

  private static func fact(_ name: String, _ value: String?) -> [Fact] {
    value.map { [(name, $0)] } ?? []
  }
}
