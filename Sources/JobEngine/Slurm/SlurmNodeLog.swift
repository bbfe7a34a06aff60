internal import JobWire

/// Slurm's messages about an end in the log of a job on its node.
package enum SlurmNodeLog {
  /// The last sentence with a cause; nil when there is none.
  ///
  /// `job`: the number that a line must mention, where several jobs share the log; nil = every line counts.
  package static func reason(in log: [UInt8], job: String?) -> String? {
    let lines = log.suffix(longest).split(separator: 0x0A).reversed()
    return lines.lazy.compactMap { line in
      sentence(of: String(decoding: line, as: UTF8.self), job)
    }.first
  }

  /// The end of the log that is read, in bytes: the last message counts.
  private static let longest = 1 << 16
  private static let mark = "error: "

  /// The part between the stars of `slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT … DUE TO TIME LIMIT
  /// ***`.
  private static func sentence(of line: String, _ job: String?) -> String? {
    guard line.hasPrefix("slurmstepd"), let cause = line.after(mark) else { return nil }
    let text = cause.split(separator: " ").filter { $0 != "***" }.joined(separator: " ")
    // A cancellation is known already; the line does not say who or what has cancelled it.
    if text.holds("CANCELLED AT"), !text.holds("DUE TO") { return nil }
    if let job {
      let numbers = text.split { !$0.isASCII || !$0.isNumber }
      guard numbers.contains(where: { $0 == job }) else { return nil }
    }
    return text.isEmpty ? nil : SafeText.shown(text)
  }
}
