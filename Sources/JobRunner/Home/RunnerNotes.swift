/// Notes for the user, in sentences; shown by `jobrun runner status`.
final class RunnerNotes {
  private(set) var all: [String]

  init(_ earlier: [String]) {
    all = earlier
  }

  /// Keeps a sentence and writes it to the runner's log, once in a row.
  func add(_ sentence: String) {
    // A repeated event must not fill the disk.
    guard all.last != sentence else { return }
    RunnerLog.write(sentence)
    all.append(sentence)
    if all.count > 20 { all.removeFirst() }
  }
}
