/// The stage or repetition without a total that a bar belongs to, by the line before the bar or by the bar's own.
struct StageName: Hashable, Sendable {
  /// What a line before the bar named.
  private(set) var heading: String?
  /// What the last line named, with the share beside it.
  private var last: String?
  private var lastShare = 0.0
  /// The number grows with the share, and so tells the same progress: `Current Frame: 120, percentage: 24`.
  private var runsOn = false

  private static let stages = ["part ", "pass ", "phase ", "stage "]

  /// Takes a line that is no bar: `Pass 1: Studying...`, or a repetition alone, `iter: 0`.
  mutating func read(_ line: OutputLine) {
    guard line.isComplete, !line.isRedrawn, line.pairs.isEmpty,
      let name = line.words.first.flatMap({
        OuterCounters.uncounted(line.bytes[$0.startIndex...])
      }),
      line.words.count == 2 || Self.stages.contains(where: { name.hasPrefix($0) })
    else { return }
    heading = name
  }

  /// What the line of a bar names beside its `share`.
  mutating func repetition(on line: OutputLine, share: Double) -> String? {
    guard let name = OuterCounters.uncounted(line) else { return nil }
    if let last, last != name, lastShare != share { runsOn = share > lastShare }
    (last, lastShare) = (name, share)
    return runsOn ? nil : name
  }
}
