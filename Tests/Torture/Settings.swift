import Glibc

/// What one run of the torture does: its arguments.
struct Settings {
  /// How often the runner is killed.
  var kills = 25
  /// What load and delays are drawn from.
  var seed = UInt64.random(in: 1...999_999)
  /// It stops killing after this long, however often it did; nil = no limit.
  var seconds: Int?

  /// Reads `KILLS [SEED [SECONDS]]`; nil when one is no number.
  ///
  /// An empty argument means the usual value.
  init?(_ arguments: [String]) {
    guard arguments.count <= 3 else { return nil }
    for (place, text) in arguments.enumerated() where !text.isEmpty {
      guard let number = Int(text), number > 0 else { return nil }
      switch place {
      case 0: kills = number
      case 1: seed = UInt64(number)
      default: seconds = number
      }
    }
  }

  static let usage = "usage: jobrun-torture [KILLS [SEED [SECONDS]]]"

  /// What repeats this run's load and delays.
  var command: String { "make torture N=\(kills) SEED=\(seed)" }
}
