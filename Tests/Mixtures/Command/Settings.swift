import Glibc

/// The arguments of `jobrun-mixtures`.
struct Settings: Sendable {
  /// The number of mixtures.
  var runs: UInt64
  /// The seed of the first one; each further one has the next.
  var seed: UInt64
  /// No further mixture begins after this time.
  var seconds: UInt64
  /// Mixtures at the same time.
  var workers: Int

  static let usage = """
    usage: jobrun-mixtures [RUNS] [SEED] [SECONDS] [WORKERS]
    Shows mixtures of the seeds SEED..<SEED + RUNS, so many at the same time.
    An empty word stands for the usual: 100000 mixtures, a random first seed, no limit, all processors.
    """

  /// Nil when an argument is not a number.
  init?(_ words: [String]) {
    guard words.count <= 4, words.allSatisfy({ $0.isEmpty || UInt64($0) != nil }) else {
      return nil
    }
    let numbers = words.map { UInt64($0) } + [nil, nil, nil, nil]
    runs = min(numbers[0] ?? 100_000, 1 << 40)
    seed = numbers[1] ?? UInt64.random(in: 0..<1 << 32)
    seconds = min(numbers[2] ?? 86_400, 1 << 30)
    let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    workers = Int(min(max(1, numbers[3] ?? UInt64(processors)), 1024))
  }
}
