/// `[12/100] Compiling …` at the start of a line: ninja, `swift build` and others; bazel writes
/// `[1,012 / 2,345]`.
struct BuildCounter: Recogniser {
  let name = "[n/m]"
  let isInner = true

  func read(_ line: OutputLine) -> ProgressCounts? {
    let bytes = line.trimmed
    guard bytes.first == UInt8(ascii: "["),
      let counted = bytes.dropFirst().before("]")?.withoutBlanks.counted
    else { return nil }
    return ProgressCounts(completed: counted.completed, total: counted.total)
  }
}

/// `[ 42%] Building …` at the start of a line (make files by CMake), or at its end (pytest).
struct BuildPercent: Recogniser {
  let name = "[n%]"
  let isInner = true

  func read(_ line: OutputLine) -> ProgressCounts? {
    let bytes = line.trimmed
    let share =
      bracketed(bytes)
      ?? line.bytes.lastIndex(of: UInt8(ascii: "[")).flatMap { start in
        line.bytes.last == UInt8(ascii: "]") ? bracketed(line.bytes[start...]) : nil
      }
    return share.map { ProgressCounts(hundredths: $0) }
  }

  private func bracketed(_ bytes: Piece) -> UInt64? {
    guard bytes.first == UInt8(ascii: "[") else { return nil }
    return bytes.dropFirst().before("]")?.trimmed.percent
  }
}
