import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun list [--all] [--format COLUMNS] [--json]`.
  func list(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let all = invocation.isSet(.all)
    if invocation.isSet(.json) {
      _ = try link.ask(.list(all: all)) { writeJSON($0) }
      data.flush()
      return ExitCode.success
    }
    if let format = invocation.text(.format) {
      let columns = try JobColumn.list(format)
      _ = try link.ask(.list(all: all)) { write($0, columns) }
      data.flush()
      return ExitCode.success
    }
    let jobs = try jobs(all: all, on: link)
    guard !jobs.isEmpty else {
      talk.write(line: try emptyList(all: all, on: link))
      return ExitCode.success
    }
    let colour = surroundings.wantsColour && data.isTerminal
    for line in JobTable.lines(jobs, width: data.columns, at: .present) {
      data.buffer(line: line, colour: colour)
    }
    data.flush()
    return ExitCode.success
  }

  /// Who has never run a job is told how.
  private func emptyList(all: Bool, on link: RunnerLink) throws(WireError) -> String {
    var query = HistoryQuery()
    query.limit = 1
    var hasEnded = false
    if !all { _ = try link.ask(.history(query)) { _ in hasEnded = true } }
    return hasEnded
      ? "no jobs are running; jobrun history shows those that have ended"
      : "no jobs are running. Try: jobrun run -- COMMAND"
  }

  func write(_ job: JobStatus, _ columns: [JobColumn]) {
    let values = columns.map { $0.text(of: job, at: .present) }
    data.buffer(record: values.joined(separator: "\t"))
  }

  /// Carries out `jobrun show ID [--json]`.
  func show(_ invocation: Invocation) throws(WireError) -> Int32 {
    let job = try job(invocation.operands[0], on: try link())
    if invocation.isSet(.json) {
      writeJSON(job)
      data.flush()
    } else {
      FactList.write(JobFacts.all(job), to: data)
    }
    return ExitCode.success
  }
}
