/// apt and apt-get, which print the number of packages to change and then each step.
///
/// Three steps per package (fetched, unpacked, set up), two if all are already downloaded, and one per removed
/// package.
struct AptSteps: Recogniser {
  let name = "apt"
  private var packages: UInt64 = 0
  private var removals: UInt64 = 0
  private var fetches = true
  private var fetched: UInt64 = 0
  private var unpacked: UInt64 = 0
  private var done: UInt64 = 0
  private var removed: UInt64 = 0

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    guard line.isComplete else { return nil }
    let bytes = line.bytes[...]
    if let plan = Self.plan(line.words) { return begin(plan) }
    guard packages + removals > 0 else { return nil }
    if bytes.starts(with: "Need to get 0 B ") {
      fetches = false
    } else if bytes.starts(with: "Get:") {
      fetched += 1
    } else if bytes.starts(with: "Unpacking ") {
      unpacked += 1
    } else if bytes.starts(with: "Setting up ") {
      done += 1
    } else if bytes.starts(with: "Removing ") {
      removed += 1
    } else {
      return nil
    }
    return counts
  }

  private mutating func begin(_ plan: (packages: UInt64, removals: UInt64)) -> ProgressCounts? {
    self = AptSteps()
    (packages, removals) = plan
    return packages + removals > 0 ? counts : nil
  }

  private var counts: ProgressCounts? {
    // Unpacked packages were present, fetched or not.
    let fetched = fetches ? (unpacked > 0 ? packages : min(self.fetched, packages)) : 0
    let part = fetched + min(unpacked, packages) + min(done, packages) + min(removed, removals)
    return ProgressCounts(part: part, of: packages * (fetches ? 3 : 2) + removals)
  }

  /// The line with the plan.
  ///
  /// `1 upgraded, 2 newly installed, 3 reinstalled, 4 to remove and 5 not upgraded.`
  private static func plan(_ words: [Piece]) -> (packages: UInt64, removals: UInt64)? {
    guard words.count >= 10, words[1].equals("upgraded,"), words[3].equals("newly") else {
      return nil
    }
    var plan: (packages: UInt64, removals: UInt64) = (0, 0)
    for (number, word) in zip(words, words.dropFirst()) {
      guard let count = number.wholeNumber, count < 1_000_000 else { continue }
      if word.equals("to") {
        plan.removals += count
      } else if !word.equals("not") {
        plan.packages += count
      }
    }
    return plan
  }
}
