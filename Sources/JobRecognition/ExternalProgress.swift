package import JobCore

/// What is seen of an attempt's progress from outside: in its output, else in its files.
///
/// A value without I/O: it is shown what was read, and when.
package struct ExternalProgress: Sendable {
  private var output: OutputRecogniser
  /// Nil where only the output counts.
  private var files: FileRecogniser?
  /// What the only input holds, where the output tells a bare amount; 0 = unknown.
  private var inputBytes: UInt64 = 0
  package private(set) var finding: Finding?

  package init(_ output: OutputRecogniser, withFiles: Bool) {
    self.output = output
    files = withFiles ? FileRecogniser() : nil
  }

  /// Whether the files are worth a look: an output that tells how far it is needs no other witness.
  package var wantsFiles: Bool { files != nil && (output.finding?.counts.total ?? 0) == 0 }

  /// Takes the next piece of the output.
  package mutating func receive(_ bytes: some Sequence<UInt8>, at now: Instant) {
    output.read(bytes, at: now)
    settle()
  }

  /// Something of the output was left out before what comes next.
  package mutating func skip() {
    output.skip()
  }

  /// Takes a look at the files.
  package mutating func receive(files open: [OpenFile], at now: Instant) {
    files?.read(open, at: now)
    inputBytes = FileRecogniser.inputBytes(of: open) ?? inputBytes
    settle()
  }

  /// The attempt has ended; `well`: it did what was asked.
  ///
  /// What succeeded is whole: its bar is full or, where that would be untrue, gone.
  package mutating func conclude(well: Bool, at now: Instant) {
    if well, finding?.source == .file {
      files?.conclude(at: now)
      finding = files?.finding
    } else if well {
      finding = finding?.whole(with: output.finding?.counts.total)
    } else if finding?.isPart == true {
      // How far a round was says nothing about the whole, and its number is not kept.
      finding = nil
    }
    finding?.note = nil
  }

  private mutating func settle() {
    var seen = files?.finding
    // What one of several commands reads is a part of the work.
    if output.hasManyCommands { seen?.isPart = true }
    guard var told = output.finding else {
      finding = seen
      return
    }
    if told.counts.total > 0 {
      finding = told
      return
    }
    if told.counts.unit == .bytes {
      // What it counts is what it reads, so that the size of its input is the whole.
      if inputBytes >= told.counts.completed { told.counts.total = inputBytes }
      finding = told
    } else {
      // An amount without a total is worth less than a file whose end is known.
      finding = (seen?.counts.total ?? 0) > 0 ? seen : told
    }
  }
}

extension Finding {
  /// The same of a job that has done all there was to do; `told`: the total that its output told.
  fileprivate func whole(with told: UInt64?) -> Finding {
    var whole = self
    whole.isPart = false
    let (completed, total) = (counts.completed, counts.total)
    if isPart || counts.unit == .share {
      whole.counts = ProgressCounts(hundredths: ProgressCounts.wholeShare)
    } else if completed + max(1, total / 100) >= total {
      // The last of it was done between the last line and the end.
      whole.counts.completed = max(completed, total)
    } else if told == total {
      // It ended well before its last step: all was done, and not so much as it had said.
      whole.counts = ProgressCounts(hundredths: ProgressCounts.wholeShare)
    } else {
      // It was not to get through all of its input.
      whole.counts.total = 0
    }
    return whole
  }
}
