/// Docker's layers, each named by twelve digits: `2f3e8b8d0a1c: Pull complete`.
///
/// A layer is fetched and then unpacked; how large each is, is known only while it is fetched.
struct ImageLayers: Recogniser {
  let name = "layers"
  private var steps: [[UInt8]: UInt64] = [:]
  private static let most = 1_000
  private static let whole: UInt64 = 2

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    guard let colon = line.bytes.firstIndex(of: UInt8(ascii: ":")), colon == 12,
      line.bytes[..<colon].allSatisfy({ $0.isDigit || (0x61...0x66).contains($0) })
    else { return nil }
    let state = line.bytes[(colon + 1)...].trimmed
    guard let done = Self.done(state), steps.count < Self.most else { return nil }
    let layer = Array(line.bytes[..<colon])
    steps[layer] = max(steps[layer] ?? 0, done)
    let sum = steps.values.reduce(0, +)
    return ProgressCounts(part: sum, of: UInt64(steps.count) * Self.whole)
  }

  private static func done(_ state: Piece) -> UInt64? {
    if state.starts(with: "Pull complete") || state.starts(with: "Already exists") { return whole }
    if state.starts(with: "Download complete") || state.starts(with: "Extracting") { return 1 }
    if state.starts(with: "Pulling fs layer") || state.starts(with: "Waiting") { return 0 }
    return state.starts(with: "Downloading") || state.starts(with: "Verifying") ? 0 : nil
  }
}
