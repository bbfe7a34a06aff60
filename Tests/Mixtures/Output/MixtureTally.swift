/// The total of many trials.
package struct MixtureTally: Sendable {
  package private(set) var mixtures = 0
  private var looks = 0
  /// Mixtures with reported progress, and those of them that are recognised half-way through.
  private var telling = 0
  private var understood = 0
  private var silent: [String: Int] = [:]
  private var lies: [MixtureTrial.Lie: Int] = [:]
  /// The first lies, in words.
  package private(set) var findings: [String] = []
  private static let maximumFindings = 20

  package init() {}

  /// Makes the mixture of this seed, and holds what is shown of it against the truth.
  package mutating func run(seed: UInt64) {
    let trial = MixtureTrial(seed: seed)
    mixtures += 1
    looks += trial.looks
    if let fault = trial.fault {
      lies[fault.lie, default: 0] += 1
      if findings.count < Self.maximumFindings { findings.append(fault.text) }
      return
    }
    guard trial.mixture.plot != .none else { return }
    telling += 1
    if trial.isUnderstood {
      understood += 1
    } else {
      silent["\(trial.mixture.form) \(trial.mixture.plot)", default: 0] += 1
    }
  }

  package mutating func add(_ other: MixtureTally) {
    mixtures += other.mixtures
    looks += other.looks
    telling += other.telling
    understood += other.understood
    silent.merge(other.silent, uniquingKeysWith: +)
    lies.merge(other.lies, uniquingKeysWith: +)
    findings = Array((findings + other.findings).prefix(Self.maximumFindings))
  }

  /// The share of the programs that tell how far they are, and are understood half-way through.
  package var understoodShare: Double {
    telling > 0 ? Double(understood) / Double(telling) : 1
  }

  package var text: String {
    let lies = MixtureTrial.Lie.allCases.compactMap { lie in
      self.lies[lie].map { "\($0) \(lie.rawValue)" }
    }
    let silent = self.silent.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
      .map { "\($0.key) \($0.value)" }
    return """
      \(mixtures) mixtures, \(looks) looks, \(self.lies.values.reduce(0, +)) lies\(lies.isEmpty ? "" : ": ")\(lies.joined(separator: ", "))
      \(understood) of \(telling) that tell how far they are were understood half-way
      silent most often: \(silent.joined(separator: ", "))
      """
  }
}
