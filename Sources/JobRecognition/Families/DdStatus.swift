import JobCore

/// dd's `status=progress`: `5373952 bytes (5.4 MB, 5.1 MiB) copied, 3 s, 1.7 MB/s`.
///
/// It has no total; the size of its input is observed from outside.
struct DdStatus: Recogniser {
  let name = "dd"

  func read(_ line: OutputLine) -> ProgressCounts? {
    let words = line.words
    guard words.count >= 5, words[1].equals("bytes"), words[2].first == UInt8(ascii: "("),
      words.contains(where: { $0.equals("copied,") }), let count = words[0].wholeNumber
    else { return nil }
    return ProgressCounts(completed: count, unit: .bytes)
  }
}
