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
    guard let value = try? JSONReader.value(of: Array(line.utf8)[...]),
      let fields = try? JSONFields(value), let time = try? fields.time("at"),
      let number = try? fields.number("attempt", as: Int.self)
    else { return nil }
    at = time
    attempt = number
    if let found = try? fields.optionalObject("progress") { progress = try? JobProgress(found) }
  }

  package var line: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.fields(of: self)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }
}

extension JSONWriter {
  package mutating func fields(of evidence: ProgressEvidence) {
    field("at", evidence.at)
    field("attempt", evidence.attempt)
    key("progress")
    if let progress = evidence.progress { value(progress) } else { null() }
  }
}
