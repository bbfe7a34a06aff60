internal import JobFiles

/// Counts what happened to each file.
struct MirrorTally {
  /// Files and links that are in the target now.
  var files = 0
  var bytes: Int64 = 0
  /// Those among them that existed already, from an earlier attempt or before.
  var found = 0
  /// FIFOs, sockets, devices: skipped, which is no failure.
  private(set) var special = 0
  /// Missing in the target, or different from the source.
  private(set) var failed = 0
  /// In the target and not in the source.
  private(set) var foreign = 0

  /// The maximum number of log lines about single files; beyond, only the counts tell.
  private static let linesLimit = 1000
  private var lines = 0

  mutating func failed(_ path: BytePath, _ reason: String) {
    failed += 1
    say("cannot copy \(path.bytes.isEmpty ? BytePath(".") : path): \(reason)")
  }

  mutating func skipped(_ path: BytePath) {
    special += 1
    say("skipped \(path): it is a FIFO, a socket or a device")
  }

  mutating func left(_ path: BytePath) {
    foreign += 1
    say("left \(path), which the source does not have")
  }

  private mutating func say(_ sentence: String) {
    lines += 1
    if lines <= Self.linesLimit { Report.say(sentence) }
    if lines == Self.linesLimit { Report.say("more such files are only counted") }
  }

  /// The sentence that ends the job.
  var summary: String {
    var parts = ["mirrored \(Report.count(files, "file")) (\(Report.bytes(bytes)))"]
    if found > 0 { parts.append("\(Report.number(found)) were there already") }
    if special > 0 { parts.append("\(Report.count(special, "special file")) skipped") }
    if foreign > 0 { parts.append("\(Report.number(foreign)) left that SOURCE does not have") }
    if failed > 0 { parts.append("\(Report.number(failed)) could not be copied") }
    return parts.joined(separator: "; ")
  }
}
