package import JobCore

/// The progress of an attempt as observed in its output, otherwise in its files.
///
/// A value without I/O: it gets the data, with the time.
package struct ExternalProgress: Sendable {
  private var output: OutputRecogniser
  /// Nil where only the output counts.
  private var files: FileRecogniser?
  /// The size of the only input, for an output with a bare amount; 0 = unknown.
  private var inputBytes: UInt64 = 0
  private var nearlyComplete = NearlyComplete()
  package private(set) var finding: Finding?

  package init(_ output: OutputRecogniser, withFiles: Bool) {
    self.output = output
    files = withFiles ? FileRecogniser() : nil
  }

  /// Whether to observe the files: not if the output has a total.
  package var wantsFiles: Bool { files != nil && (output.finding?.counts.total ?? 0) == 0 }

  /// Takes the next piece of the output.
  package mutating func receive(_ bytes: some Sequence<UInt8>, at now: Instant) {
    output.read(bytes, at: now)
    settle(at: now)
  }

  /// Nothing new was seen until `now`.
  package mutating func rest(at now: Instant) { settle(at: now) }

  /// Part of the output before the next piece was dropped.
  package mutating func skip() {
    output.skip()
  }

  /// Handles a sample of the files.
  package mutating func receive(files open: [OpenFile], at now: Instant) {
    files?.read(open, at: now)
    inputBytes = FileRecogniser.inputBytes(of: open) ?? inputBytes
    settle(at: now)
  }

  /// The attempt has ended; `well`: it succeeded.
  ///
  /// After a success the bar is full or, if that would be untrue, removed.
  package mutating func conclude(well: Bool, at now: Instant) {
    if well, finding?.source == .file {
      files?.conclude(at: now)
      finding = files?.finding
    } else if well {
      finding = finding?.whole(with: output.finding?.counts.total)
    } else if finding?.isPart == true {
      // The progress of a round says nothing about the whole, and its number is not stored.
      finding = nil
    }
    finding?.note = nil
  }

  private mutating func settle(at now: Instant) {
    settle()
    guard let counts = finding?.counts, nearlyComplete.isOver(counts, at: now) else { return }
    finding?.counts = ProgressCounts(hundredths: ProgressCounts.wholeShare)
  }

  private mutating func settle() {
    var seen = files?.finding
    // The input of one of several commands is a part of the work.
    if output.hasManyCommands { seen?.isPart = true }
    guard var told = output.finding else {
      // A program that has begun to tell knows better than its files do: it may read ahead.
      finding = (seen?.counts.total ?? 0) > 0 && output.isPromising ? nil : seen
      return
    }
    if told.counts.total > 0 {
      finding = told
      return
    }
    if told.counts.unit == .bytes {
      // It counts its input, so the size of the input is the total.
      if inputBytes >= told.counts.completed { told.counts.total = inputBytes }
      finding = told
    } else {
      // An amount without a total is worth less than a file whose end is known.
      finding = (seen?.counts.total ?? 0) > 0 ? seen : told
    }
  }
}

extension Finding {
  /// The same for a finished job; `told`: the total in its output.
  fileprivate func whole(with told: UInt64?) -> Finding {
    var whole = self
    whole.isPart = false
    let (completed, total) = (counts.completed, counts.total)
    if isPart || counts.unit == .share {
      whole.counts = ProgressCounts(hundredths: ProgressCounts.wholeShare)
    } else if completed + max(1, total / 100) >= total {
      // The rest was done between the last line and the end.
      whole.counts.completed = max(completed, total)
    } else if told == total {
      // It succeeded before its last step: all work was done, but less than announced.
      whole.counts = ProgressCounts(hundredths: ProgressCounts.wholeShare)
    } else {
      // It was not to get through all of its input.
      whole.counts.total = 0
    }
    return whole
  }
}
