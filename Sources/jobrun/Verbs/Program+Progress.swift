import JobClient
import JobCore
import JobPage
import JobWire
import LinuxSystem

extension Program {
  /// `jobrun progress`, called by a job about itself.
  func progress(_ invocation: Invocation) throws(WireError) -> Int32 {
    let message = try message(invocation)
    try checkCounts(invocation)
    guard let path = surroundings.environment["JOBRUN_PAGE"], !path.isEmpty else {
      guard invocation.isSet(.strict) else { return ExitCode.success }
      throw WireError(
        .usage,
        "jobrun progress reports for the job that it runs in, and JOBRUN_PAGE is not set here;"
          + " call it from inside a job")
    }
    do throws(JobPageError) {
      let page = try PageWriter(path: path)
      report(invocation, to: page)
      if let message { page.setMessage(message) }
      if invocation.isSet(.json) { writeProgress(try PageReader(path: path)) }
      if let message, invocation.isSet(.notify) { notify(message, path) }
      guard page.stop != nil else { return ExitCode.success }
      // Stops a script: `set -e` ends it here.
      talk.write(line: "jobrun: the job has been told to stop")
      return ExitCode.cancelled
    } catch {
      throw WireError(.usage, "the job's page cannot be used: \(error)")
    }
  }

  /// Counts are added up as signed numbers.
  private func checkCounts(_ invocation: Invocation) throws(WireError) {
    for flag in [Flag.total, .completed, .advance] {
      guard let count = invocation.count(flag), count > UInt64(Int64.max) else { continue }
      throw WireError(.usage, "\(flag.spelling) is \(count); it must be at most \(Int64.max)")
    }
  }

  private func message(_ invocation: Invocation) throws(WireError) -> String? {
    guard let text = invocation.text(.message) else {
      guard invocation.isSet(.notify) else { return nil }
      throw WireError(
        .usage,
        "\(Flag.notify.spelling) needs \(Flag.message.spelling) TEXT, which is what it tells")
    }
    try SubmitRequest.checkShown(text, name: "message")
    return text
  }

  /// A notice that cannot be shown is no reason for a job to fail.
  private func notify(_ message: String, _ path: String) {
    let reader = try? PageReader(path: path)
    guard var reader else { return }
    let title = reader.snapshot().title
    do throws(WireError) {
      _ = try link().ask(.notify(title: title.isEmpty ? "jobrun" : title, body: message))
    } catch {
      talk.write(line: "jobrun: the notification was not shown: \(error.message)")
    }
  }

  private func writeProgress(_ reader: consuming PageReader) {
    var reader = reader
    let page = reader.snapshot()
    let progress = JobProgress(
      completed: page.completed, total: page.total, unit: page.unit == .bytes ? .bytes : .items)
    data.write(json: progress.json + [UInt8(ascii: "\n")])
  }

  /// The total goes first, so that no look sees more done than there is; without any flag it is a
  /// sign of life.
  private func report(_ invocation: Invocation, to page: borrowing PageWriter) {
    if let unit = invocation.text(.unit) { page.setUnit(unit == "bytes" ? .bytes : .items) }
    if let total = invocation.count(.total) { page.setTotal(total) }
    if let completed = invocation.count(.completed) { page.setCompleted(completed) }
    if let count = invocation.count(.advance) {
      page.advance(by: Int64(clamping: count))
    }
    let title = invocation.text(.title)
    let subtitle = invocation.text(.subtitle)
    if title != nil || subtitle != nil { page.setText(title: title, subtitle: subtitle) }
    if let span = invocation.duration(.quietFor) {
      page.setQuiet(until: (Instant(nanoseconds: AwakeClock.now()) + span).nanoseconds)
    } else {
      page.report()
    }
  }
}
