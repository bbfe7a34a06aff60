internal import JobWire

/// What Slurm has written of an end into the log that it keeps of a job on its node.
package enum SlurmNodeLog {
  /// The last sentence that says why; nil when there is none.
  ///
  /// `job`: by which number a line must be about it, where the log is of several; nil = all of it is.
  package static func reason(in log: [UInt8], job: String?) -> String? {
    let lines = log.suffix(longest).split(separator: 0x0A).reversed()
    return lines.lazy.compactMap { line in
      sentence(of: String(decoding: line, as: UTF8.self), job)
    }.first
  }

  /// Of the log, in bytes: what was said last counts.
  private static let longest = 1 << 16
  private static let mark = "error: "

  /// Of `slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT … DUE TO TIME LIMIT ***` what is between the stars.
  private static func sentence(of line: String, _ job: String?) -> String? {
    guard line.hasPrefix("slurmstepd"), let cause = line.after(mark) else { return nil }
    let text = cause.split(separator: " ").filter { $0 != "***" }.joined(separator: " ")
    // That it was cancelled is known; who or what has done it is not said there.
    if text.holds("CANCELLED AT"), !text.holds("DUE TO") { return nil }
    if let job {
      let numbers = text.split { !$0.isASCII || !$0.isNumber }
      guard numbers.contains(where: { $0 == job }) else { return nil }
    }
    return text.isEmpty ? nil : SafeText.shown(text)
  }
}
