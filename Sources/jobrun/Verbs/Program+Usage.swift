import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun usage [--by definition|bundle|group|title|day] [--since WHEN] [--until WHEN] [--json]`.
  func usage(_ invocation: Invocation) throws(WireError) -> Int32 {
    try checkForm(invocation)
    var query = HistoryQuery()
    query.limit = 0
    (query.since, query.until) = try range(invocation)
    var report = UsageReport(
      by: invocation.text(.usageGrouping).flatMap { UsageSum.Grouping(rawValue: $0) }
        ?? .definition)
    try link().history(query) { report.add($0) }
    if invocation.isSet(.csv) {
      writeCSV(report)
    } else if invocation.isSet(.json) {
      for sum in report.rows { writeJSON(sum, share: report.share(sum)) }
    } else if report.rows.isEmpty {
      talk.write(
        line: query.since == nil && query.until == nil
          ? "nothing has ended yet. Try: jobrun run -- COMMAND" : "nothing ended in that time")
    } else {
      let colour = surroundings.wantsColour && data.isTerminal
      for line in UsageTable.lines(report, width: data.columns) {
        data.buffer(line: line, colour: colour)
      }
      data.buffer(line: UsageTable.total(report), colour: colour)
    }
    data.flush()
    return ExitCode.success
  }

  private func writeCSV(_ report: UsageReport) {
    data.buffer(
      csv: [
        "name", "jobs", "succeeded", "failed", "cancelled", "seconds", "cpuSeconds",
        "engineCPUSeconds", "maxResidentBytes", "gpuSeconds", "bytesRead", "bytesWritten",
        "processorJoules", "gpuJoules", "energyIsWhole", "share",
      ])
    for sum in report.rows {
      let seconds = [sum.seconds, sum.cpuSeconds, sum.engineCPUSeconds].map {
        QuantityText.fixed($0, 3)
      }
      data.buffer(
        csv: [SafeText.shown(sum.name)]
          + [sum.jobs, sum.succeeded, sum.failed, sum.cancelled].map { "\($0)" } + seconds
          + ["\(sum.maxResidentBytes)", QuantityText.fixed(sum.gpuSeconds, 3)]
          + ["\(sum.bytesRead)", "\(sum.bytesWritten)"]
          + [sum.processorJoules, sum.gpuJoules].map { $0.map { QuantityText.fixed($0, 3) } ?? "" }
          + ["\(sum.energyIsWhole)", QuantityText.fixed(report.share(sum), 4)])
    }
  }

  private func writeJSON(_ sum: UsageSum, share: Double) {
    writeJSON { writer in
      writer.field("name", sum.name)
      writer.field("jobs", sum.jobs)
      writer.field("succeeded", sum.succeeded)
      writer.field("failed", sum.failed)
      writer.field("cancelled", sum.cancelled)
      writer.field("seconds", sum.seconds)
      writer.field("cpuSeconds", sum.cpuSeconds)
      writer.field("engineCPUSeconds", sum.engineCPUSeconds)
      writer.field("maxResidentBytes", sum.maxResidentBytes)
      writer.field("gpuSeconds", sum.gpuSeconds)
      writer.field("bytesRead", sum.bytesRead)
      writer.field("bytesWritten", sum.bytesWritten)
      writer.field("processorJoules", sum.processorJoules)
      writer.field("gpuJoules", sum.gpuJoules)
      writer.field("energyIsWhole", sum.energyIsWhole)
      writer.field("share", share)
    }
  }
}
