/// Jest's count on a terminal: `Test Suites: 1 failed, 2 passed, 3 of 10 total`.
struct JestSummary: Recogniser {
  let name = "jest"

  func read(_ line: OutputLine) -> ProgressCounts? {
    guard line.trimmed.starts(with: "Test Suites:"), let words = line.words.suffix(4) as Words?,
      words.count == 4, words.last?.equals("total") == true,
      words[words.startIndex + 1].equals("of"),
      let completed = words.first?.wholeNumber,
      let total = words[words.startIndex + 2].wholeNumber, total > 0, completed <= total
    else { return nil }
    return ProgressCounts(completed: completed, total: total)
  }

  private typealias Words = ArraySlice<Piece>
}
