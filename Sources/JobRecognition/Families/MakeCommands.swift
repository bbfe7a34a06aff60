/// make's commands as it prints them, out of those listed by `make -n` before.
package struct MakeCommands: Recogniser {
  package let name = "make"
  private let total: UInt64
  /// The first words of its commands: `gcc`, or `CC` if it prints that instead.
  private let words: Set<[UInt8]>
  private var begun: UInt64 = 0

  package init(commands: UInt64, words: [String]) {
    total = commands
    self.words = Set(words.map { Array($0.utf8) })
  }

  package mutating func read(_ line: OutputLine) -> ProgressCounts? {
    guard line.isComplete, let word = line.words.first, words.contains(Array(word)) else {
      return nil
    }
    begun += 1
    // make prints a command when it begins.
    return ProgressCounts(completed: min(begun - 1, total), total: total)
  }
}
