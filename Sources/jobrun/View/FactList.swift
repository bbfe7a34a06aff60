import JobWire

/// Names and values under each other: `show`, `resources`, `runner status`.
enum FactList {
  typealias Fact = (name: String, value: String)

  /// One line for each fact, the values in one column.
  static func lines(_ facts: [Fact]) -> [String] {
    let widest = facts.map { $0.name.count }.max() ?? 0
    return facts.map { fact in
      TextWidth.padded(fact.name, to: widest + 2) + SafeText.shown(fact.value)
    }
  }

  static func write(_ facts: [Fact], to output: Output) {
    for line in lines(facts) { output.buffer(line: line) }
    output.flush()
  }
}
