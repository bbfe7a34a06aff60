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
      talk.write(line: all ? "there are no jobs" : "no job is live; --all shows those that ended")
      return ExitCode.success
    }
    let colour = surroundings.wantsColour && data.isTerminal
    for line in JobTable.lines(jobs, width: data.columns, at: .present) {
      data.buffer(line: line.rendered(colour: colour))
    }
    data.flush()
    return ExitCode.success
  }

  func write(_ job: JobObject, _ columns: [JobColumn]) {
    let values = columns.map { $0.text(of: job, at: .present) }
    data.buffer(line: values.joined(separator: "\t"))
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
