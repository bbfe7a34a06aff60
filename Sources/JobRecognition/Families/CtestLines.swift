/// ctest's results: ` 3/14 Test  #3: t3 ......   Passed    0.05 sec`.
struct CtestLines: Recogniser {
  let name = "ctest"

  func read(_ line: OutputLine) -> ProgressCounts? {
    let words = line.words
    guard words.count >= 3, words[1].equals("Test"), words[2].first == UInt8(ascii: "#"),
      let counted = words[0].counted
    else { return nil }
    return ProgressCounts(completed: counted.completed, total: counted.total)
  }
}
