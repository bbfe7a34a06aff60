import Glibc

/// The arguments of one run of the torture.
struct Settings {
  /// The fault that is caused repeatedly.
  enum Fault: String {
    /// The runner is killed, and with it now and then a command or a supervisor.
    case kill
    /// The same, while processes are stopped, files are removed and jobs call jobrun themselves.
    case disturb
    /// The machine loses its power.
    case power
    /// Its disk fails and is mounted again without unflushed writes, while the machine keeps running.
    case disk
    /// Disk, files, processes or memory run out for a moment.
    case scarce
    /// Runner, helper or controller of a cluster is killed, where the jobs run.
    case cluster
  }

  var fault = Fault.kill
  /// How often it happens.
  var kills = 25
  /// The seed of load and delays.
  var seed = UInt64.random(in: 1...999_999)
  /// It stops killing after this long, however often it did; nil = no limit.
  var seconds: Int?

  /// Parses `[kill|disturb|power|disk|scarce|cluster] TIMES [SEED [SECONDS]]`; nil when one is not a number.
  ///
  /// An empty argument means the default.
  init?(_ words: [String]) {
    var arguments = words[...]
    if let named = arguments.first.flatMap(Fault.init) {
      fault = named
      arguments.removeFirst()
    }
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

  static let usage =
    "usage: jobrun-torture [kill|disturb|power|disk|scarce|cluster] [TIMES [SEED [SECONDS]]]"

  /// The command that repeats this run's load and delays.
  var command: String {
    "make \(fault == .kill ? "torture" : "torture-\(fault.rawValue)") N=\(kills) SEED=\(seed)"
  }
}
