/// cargo's bar on a terminal: `    Building [=======>       ] 42/120: serde`.
struct CargoBar: Recogniser {
  let name = "cargo"

  func read(_ line: OutputLine) -> ProgressCounts? {
    let words = line.words
    guard words.count >= 3, words[1].first == UInt8(ascii: "["),
      ["Building", "Checking", "Documenting", "Downloading", "Fetch", "Updating"].contains(where: {
        words[0].elementsEqual($0.utf8)
      }),
      let close = words.firstIndex(where: { $0.last == UInt8(ascii: "]") }), close + 1 < words.count
    else { return nil }
    let count = words[close + 1]
    let pair = count.before(":") ?? count.before(",") ?? (line.isComplete ? count : [])
    guard let counted = pair.counted else { return nil }
    return ProgressCounts(completed: counted.completed, total: counted.total)
  }
}
