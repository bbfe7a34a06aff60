import MixedOutput
import Testing

/// The shown progress of a few hundred random, unknown programs; `make mixtures` takes 100,000.
@Suite struct MixtureTests {
  private static let count: UInt64 = 400

  @Test(arguments: 0..<UInt64(4))
  func `what is shown is never ahead of the truth, and never falls without a word`(
    _ part: UInt64
  ) {
    var tally = MixtureTally()
    for seed in stride(from: part, to: Self.count, by: 4) { tally.run(seed: seed) }
    #expect(tally.findings.isEmpty, "\(tally.findings.joined(separator: "\n"))")
    // Silence is no lie, and no use either.
    #expect(tally.understoodShare > 0.7, "\(tally.text)")
  }
}
