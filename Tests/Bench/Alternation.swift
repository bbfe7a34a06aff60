/// Measures several things in turns, so that a change of the machine's speed affects all of them.
struct Alternation {
  private var names: [String] = []
  private var measures: [() throws -> Double] = []

  /// Adds a thing; `measure` gives one figure.
  mutating func add(_ name: String, _ measure: @escaping () throws -> Double) {
    names.append(name)
    measures.append(measure)
  }

  /// One unmeasured warm-up round, then the measured rounds.
  func run(rounds: Int) throws -> [String: Series] {
    var series = [Series](repeating: Series(), count: measures.count)
    for measure in measures { _ = try measure() }
    for _ in 0..<rounds {
      for (index, measure) in measures.enumerated() { series[index].samples.append(try measure()) }
    }
    return Dictionary(zip(names, series)) { first, _ in first }
  }
}
