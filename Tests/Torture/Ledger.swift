import JobCore

/// The lines that the workers of one job wrote: one at their start and one at their end.
struct Ledger {
  var starts = 0
  var ends = 0
  /// The last line tells of an end.
  var isClosed = false
  let text: String

  init(_ text: String) {
    self.text = text
    for line in text.split(separator: "\n") {
      isClosed = line.hasPrefix("end ")
      if isClosed { ends += 1 } else { starts += 1 }
    }
  }
}
