import JobCore

/// The stage or repetition without a total that a bar belongs to, by the line before the bar or by the bar's own.
struct StageName: Hashable, Sendable {
  /// What a line before the bar named.
  private(set) var heading: String?
  /// What the last line named, with the share beside it.
  private var last: String?
  private var lastShare = 0.0
  /// The number grows with the share, and so tells the same progress: `Current Frame: 120, percentage: 24`.
  private var runsOn = false

  /// The last heading between rows of `=`, whether a share followed it, and earlier ones that a share followed.
  private var ruled: String?
  private var hasShare = false
  private var earlier: Set<String> = []

  private static let stages = ["part ", "pass ", "phase ", "stage "]
  private static let rule = UInt8(ascii: "=")
  private static let leastRule = 3
  private static let enoughEarlier = 2
  /// In bytes.
  private static let longestHeading = 40

  /// Takes a line that is no bar: `Pass 1: Studying...`, a repetition alone, `iter: 0`, or a heading between rows of
  /// `=`, `=== Sorting ===`, after two others that had a share of their own.
  mutating func read(_ line: OutputLine) {
    hasShare = hasShare || !line.pairs.isEmpty || line.bytes.contains(UInt8(ascii: "%"))
    guard line.isComplete, !line.isRedrawn, line.pairs.isEmpty else { return }
    if let name = Self.betweenRules(line) {
      if let ruled, hasShare, earlier.count < Self.enoughEarlier { earlier.insert(ruled) }
      if earlier.count >= Self.enoughEarlier { heading = name }
      (ruled, hasShare) = (name, false)
      return
    }
    guard
      let name = line.words.first.flatMap({
        OuterCounters.uncounted(line.bytes[$0.startIndex...])
      }),
      line.words.count == 2 || Self.stages.contains(where: { name.hasPrefix($0) })
    else { return }
    heading = name
  }

  private static func betweenRules(_ line: OutputLine) -> String? {
    let words = line.words
    guard words.count > 2, let first = words.first, let last = words.last,
      min(first.count, last.count) >= leastRule, (first + last).allSatisfy({ $0 == rule })
    else { return nil }
    let name = words.dropFirst().dropLast().map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: " ")
    // `==== 12 passed in 3.4s ====` is a result.
    return name.first?.isNumber ?? true || name.utf8.count > longestHeading ? nil : name
  }

  /// Whether a line says that a search stops at these counts: `converged, exiting after 6 iterations`.
  func endsEarly(_ line: OutputLine, _ counts: ProgressCounts?) -> Bool {
    guard let counts, counts.unit == .items, line.isComplete else { return false }
    let words = line.words
    return words.contains { $0.wholeNumber == counts.completed }
      && words.contains { Self.ends.contains(GaugeWords.lowercase($0.prefix { $0.isLetter })) }
  }

  private static let ends: Set = [
    "converged", "exiting", "stopped", "stopping", "terminated", "terminating",
  ]

  /// What the line of a bar names beside its `share`.
  mutating func repetition(on line: OutputLine, share: Double) -> String? {
    guard let name = OuterCounters.uncounted(line) else { return nil }
    if let last, last != name, lastShare != share { runsOn = share > lastShare }
    (last, lastShare) = (name, share)
    return runsOn ? nil : name
  }
}
