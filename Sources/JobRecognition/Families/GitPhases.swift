/// git's phases, each from 0 to 100 %: `Receiving objects:  45% (450/1000), 1.20 MiB | 2 MiB/s`.
///
/// git does not know the relative lengths of its phases: the number is shown with the phase's name.
struct GitPhases: Recogniser {
  let name = "git"
  private(set) var part: String?

  private static let phases = [
    "Enumerating objects", "Counting objects", "Compressing objects", "Receiving objects",
    "Resolving deltas", "Writing objects", "Updating files", "Checking out files",
    "Checking objects", "Unpacking objects", "Filtering content", "Checking connectivity",
    "Finding sources", "Getting sizes", "Expanding reachable commits in commit graph",
  ]

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    var bytes = line.trimmed
    if bytes.starts(with: "remote: ") { bytes = bytes.dropFirst(8) }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let phase = String(decoding: bytes[..<colon], as: UTF8.self)
    guard Self.phases.contains(phase) else { return nil }
    let words = bytes[(colon + 1)...].split(separator: 0x20)
    guard let share = words.first?.percent else { return nil }
    part = phase
    let count = words.dropFirst().first?.dropFirst()
    let end = count?.firstIndex(of: UInt8(ascii: ")")) ?? count?.endIndex
    guard let count, let end, let counted = count[..<end].counted else {
      return ProgressCounts(hundredths: share)
    }
    return ProgressCounts(completed: counted.completed, total: counted.total)
  }
}
