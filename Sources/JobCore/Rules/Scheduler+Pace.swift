// The jobs of one submission may be meant to start one after another, with a pause between two starts: they log
// in somewhere, or load the same data. A client that submitted them one by one would have to stay.
extension Scheduler {
  /// A job has started: the others of its submission wait.
  mutating func notePace(_ index: Int, at start: Instant) {
    let submission = table[index].submission
    guard let gap = submission.options.startsApart else { return }
    let end = start + gap
    paces[submission.stem] = max(paces[submission.stem] ?? end, end)
  }

  /// Whether the pause after the last start of a submission continues.
  func isResting(_ stem: String) -> Bool { paces[stem].map { $0 > latest } ?? false }

  /// When the first of the pauses ends.
  var paceDue: Instant? { paces.isEmpty ? nil : paces.values.min() }

  /// Ends the pauses that are over, so that the next jobs may start.
  mutating func endPaces(at now: Instant) {
    guard let due = paceDue, due <= now else { return }
    paces = paces.filter { $0.value > now }
    admissionDue = true
  }
}
