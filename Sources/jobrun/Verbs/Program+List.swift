import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun list [ID…] [--all] [--group NAME] [--state …] [--outcome …] [--title TEXT]
  /// [--format COLUMNS] [--jobs] [--json]`.
  func list(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    if !invocation.operands.isEmpty { return try listNamed(invocation, on: link) }
    let filter = try JobFilter(invocation)
    let all = invocation.isSet(.all) || filter.wantsEnded
    let group = try invocation.text(.ofGroup).map { text throws(WireError) in
      try GroupName(checking: text)
    }
    if invocation.isSet(.json) {
      try list(all: all, of: group, on: link) { if filter.includes($0) { writeJSON($0) } }
    } else if let format = invocation.text(.format) {
      let columns = try JobColumn.list(format)
      try list(all: all, of: group, on: link) { if filter.includes($0) { write($0, columns) } }
    } else {
      // A search shows each job that it finds.
      let folds =
        !invocation.isSet(.eachJob) && !filter.wantsEnded && !invocation.isSet(.states)
        && !invocation.isSet(.titlePart)
      try printTable(all: all, of: group, filter, folds: folds, on: link)
    }
    data.flush()
    return ExitCode.success
  }

  /// The named jobs, by number, whether they have ended or not.
  private func listNamed(_ invocation: Invocation, on link: RunnerLink) throws(WireError) -> Int32 {
    let columns = try invocation.text(.format).map(JobColumn.list)
    var jobs: [JobNumber: JobStatus] = [:]
    let code = try forEachJob(invocation, .any, on: link) { jobs[$0.number] = $0 }
    let colour = surroundings.wantsColour && data.isTerminal
    var table = JobTable(width: data.columns, at: .present)
    for job in jobs.values.sorted(by: { $0.number < $1.number }) {
      if invocation.isSet(.json) {
        writeJSON(job)
      } else if let columns {
        write(job, columns)
      } else {
        for line in table.add(job) { data.buffer(line: line, colour: colour) }
      }
    }
    for line in table.finish() { data.buffer(line: line, colour: colour) }
    data.flush()
    return code
  }

  /// Carries out `jobrun` without a verb: the list and, at a terminal, the likely next commands.
  func overview() throws(WireError) -> Int32 {
    let link = try link()
    var steps = NextSteps()
    try printTable(all: false, of: nil, on: link) { steps.add($0) }
    data.flush()
    guard data.isTerminal else { return ExitCode.success }
    let hasEnded = try hasHistory(on: link)
    talk.write(line: "")
    for line in Help.table(
      steps.commands(hasEnded: hasEnded).map { ("jobrun \($0.command)", $0.meaning) })
    {
      talk.write(line: line)
    }
    return ExitCode.success
  }

  private func printTable(
    all: Bool, of group: GroupName?, _ filter: JobFilter? = nil, folds: Bool = true,
    on link: RunnerLink,
    noting note: (JobStatus) -> Void = { _ in }
  ) throws(WireError) {
    let colour = surroundings.wantsColour && data.isTerminal
    var table = JobTable(width: data.columns, at: .present, folds: folds)
    var isEmpty = true
    let isFolded = folds && !all && !(filter?.selects ?? false)
    let end = try list(all: all, of: group, brief: true, folded: isFolded, on: link) { job in
      guard filter?.includes(job) ?? true else { return table.addUnlisted(job) }
      isEmpty = false
      note(job)
      for line in table.add(job) { data.buffer(line: line, colour: colour) }
    }
    for line in table.finish() { data.buffer(line: line, colour: colour) }
    if isEmpty, filter?.isSet ?? false, group == nil || all {
      talk.write(line: "no job matches")
    } else if isEmpty, let group {
      talk.write(line: "no jobs of group \(group) are running")
    } else if isEmpty {
      talk.write(line: try emptyList(all: all, on: link))
    }
    if case .count(_, isHeld: true) = end {
      talk.write(line: "the runner is paused; jobrun runner resume lets jobs start again")
    }
  }

  /// Passes the jobs on as they arrive, until the reader has gone.
  @discardableResult
  private func list(
    all: Bool, of group: GroupName?, brief: Bool = false, folded: Bool = false,
    on link: RunnerLink, _ take: (JobStatus) -> Void
  ) throws(WireError) -> Response {
    try link.list(all: all, brief: brief, of: group, folded: folded) { job in
      take(job)
      return !data.isClosed
    }
  }

  private func emptyList(all: Bool, on link: RunnerLink) throws(WireError) -> String {
    let hasEnded = all ? false : try hasHistory(on: link)
    return hasEnded
      ? "no jobs are running; jobrun history shows those that have ended"
      : "no jobs are running. Try: jobrun run -- COMMAND"
  }

  private func hasHistory(on link: RunnerLink) throws(WireError) -> Bool {
    var query = HistoryQuery()
    query.limit = 1
    var hasEnded = false
    try link.history(query) { _ in hasEnded = true }
    return hasEnded
  }

  func write(_ job: JobStatus, _ columns: [JobColumn]) {
    let values = columns.map { $0.text(of: job, at: .present) }
    data.buffer(record: values.joined(separator: "\t"))
  }

  /// Draws the curve of its progress at a terminal.
  private func drawCurve(of job: JobStatus, _ paths: Paths) {
    let trace = ProgressTrace.read(job.number, paths)
    // Pauses alone make no curve.
    guard data.columns ?? 0 >= CurveView.width, !surroundings.wantsASCII, let started = job.started,
      trace.points.contains(where: { $0.total > 0 || $0.completed > 0 }),
      let curve = ProgressCurve(
        trace, started: started, ended: job.ended, now: Moment.present.wall)
    else { return }
    data.buffer(line: "")
    for line in CurveView.lines(curve) {
      data.buffer(line: line, colour: surroundings.wantsColour)
    }
    data.flush()
  }

  /// Carries out `jobrun show ID… [--json]`.
  func show(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    var isFirst = true
    return try forEachJob(invocation, .any, on: link) { job in
      if invocation.isSet(.json) { return writeJSON(job) }
      if !isFirst { data.buffer(line: "") }
      isFirst = false
      FactList.write(JobFacts.all(job), to: data)
      drawCurve(of: job, link.paths)
    }
  }
}
