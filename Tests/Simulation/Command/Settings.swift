import TestKit

/// The arguments of `jobrun-sim`.
struct Settings {
  /// The first seed; each further life takes the next.
  var seed: UInt64
  /// Lives; nil = as many as the time allows.
  var runs: UInt64?
  /// Stimuli of each life.
  var length: Int

  var seconds: UInt64

  static let usage = """
    usage: jobrun-sim [RUNS] [SEED] [SECONDS] [LENGTH]
    An empty word stands for the usual: as many lives as there is time for, a random first seed,
    60 seconds (no limit when RUNS is given), 200 stimuli in each life.
    """

  /// Nil when an argument is not a number.
  init?(_ words: [String]) {
    guard words.count <= 4 else { return nil }
    var numbers: [UInt64?] = []
    for word in words {
      if word.isEmpty {
        numbers.append(nil)
      } else if let number = UInt64(word) {
        numbers.append(number)
      } else {
        return nil
      }
    }
    numbers += Array(repeating: nil, count: 4 - numbers.count)
    runs = numbers[0]
    seed = numbers[1] ?? UInt64.random(in: 0..<1 << 32)
    seconds = numbers[2] ?? (runs == nil ? 60 : 86_400)
    length = Int(min(numbers[3] ?? 200, 1 << 20))
  }
}
