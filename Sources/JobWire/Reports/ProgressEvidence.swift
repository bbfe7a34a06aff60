package import JobCore

/// What was recognised of a job's progress at a time: the numbers, the rule, and the line that told them.
///
/// A file of them lies beside the log: a JSON object a line, the oldest first, whenever numbers or rule
/// had changed.
package struct ProgressEvidence: Hashable, Sendable {
  /// No more is written of one job.
  package static let largestFile = 128 << 10

  package var at: WallTime
  package var attempt: Int
  /// Nil: what was shown until then was no longer sure.
  package var progress: JobProgress?

  package init(at: WallTime, attempt: Int, progress: JobProgress?) {
    self.at = at
    self.attempt = attempt
    self.progress = progress
  }

  /// Takes the lines of a file; those that are none, such as one that a full disk has cut, are left out.
  package static func all(in text: String) -> [ProgressEvidence] {
    text.split(separator: "\n").compactMap { ProgressEvidence(line: $0) }
  }

  private init?(line: Substring) {
    guard let evidence = try? ProgressEvidence(line: Array(line.utf8)[...]) else { return nil }
    self = evidence
  }
}

extension ProgressEvidence: Coded {
  package init() { self.init(at: WallTime(milliseconds: 0), attempt: 0, progress: nil) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&at, "at")
    try coder.code(&attempt, "attempt")
    try coder.codeAlways(&progress, "progress")
  }
}
