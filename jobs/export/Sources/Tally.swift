internal import JobFiles

/// Counts what happened to each file.
struct Tally {
  var files = 0
  var bytes: Int64 = 0
  /// FIFOs, sockets, devices: skipped, which is no failure.
  var special = 0
  /// Missing in the archive, or incomplete.
  var unreadable = 0

  /// The maximum length of a job's final message (page.md).
  private static let messageBytes = 253
  /// The maximum number of log lines about single files; beyond, only the counts tell.
  private static let linesLimit = 1000
  private var lines = 0

  mutating func unreadable(_ path: BytePath, _ reason: String) {
    unreadable += 1
    say("cannot read \(path): \(reason)")
  }

  mutating func skipped(_ path: BytePath) {
    special += 1
    say("skipped \(path): it is a FIFO, a socket or a device")
  }

  mutating func note(_ path: BytePath, _ what: String) {
    say("\(path) \(what)")
  }

  private mutating func say(_ sentence: String) {
    lines += 1
    if lines <= Self.linesLimit { Report.say(sentence) }
    if lines == Self.linesLimit { Report.say("more such files are only counted") }
  }

  /// The sentence that ends the job.
  func summary(target: BytePath) -> String {
    var parts = ["exported \(Report.count(files, "file")) (\(Report.bytes(bytes)))"]
    if special > 0 { parts.append("\(Report.count(special, "special file")) skipped") }
    if unreadable > 0 { parts.append("\(Report.number(unreadable)) could not be read") }
    let summary = parts.joined(separator: "; ")
    let whole = "\(summary); archive: \(target)"
    guard whole.utf8.count > Self.messageBytes else { return whole }
    // The message would cut a long path off: the log has all of it.
    Report.say("archive: \(target)")
    return "\(summary); archive: \(target.name)"
  }
}
