/// Translates a pattern's tree to a program for `PatternSearch`.
struct PatternCompiler {
  typealias Problem = LinePattern.Problem

  private(set) var program: [PatternInstruction] = []
  private(set) var sets: [ByteSet] = []

  mutating func compile(_ tree: PatternNode) throws(Problem) {
    try add(tree)
    try append(.match)
  }

  private mutating func add(_ node: PatternNode) throws(Problem) {
    switch node {
    case .byte(let byte): try append(.byte(byte))
    case .any: try append(.any)
    case .edge(let edge): try append(.edge(edge))
    case .set(let set):
      try append(.set(sets.firstIndex(of: set) ?? sets.count))
      if !sets.contains(set) { sets.append(set) }
    case .sequence(let parts):
      for part in parts { try add(part) }
    case .either(let choices): try add(choices[...])
    case .group(let number, let content):
      try append(.note(2 * number - 2))
      try add(content)
      try append(.note(2 * number - 1))
    case .repeated(let part, let least, let most, let isLazy):
      try add(part, least: least, most: most, isLazy: isLazy)
    }
  }

  private mutating func add(_ choices: ArraySlice<PatternNode>) throws(Problem) {
    guard let first = choices.first else { return }
    guard choices.count > 1 else { return try add(first) }
    let fork = try reserve()
    try add(first)
    let leap = try reserve()
    program[fork] = .split(fork + 1, program.count)
    try add(choices.dropFirst())
    program[leap] = .jump(program.count)
  }

  private mutating func add(
    _ part: PatternNode, least: Int, most: Int?, isLazy: Bool
  ) throws(Problem) {
    for _ in 0..<least { try add(part) }
    guard let most else {
      let fork = try reserve()
      try add(part)
      try append(.jump(fork))
      program[fork] = split(fork + 1, program.count, isLazy: isLazy)
      return
    }
    var forks: [Int] = []
    for _ in least..<most {
      forks.append(try reserve())
      try add(part)
    }
    for fork in forks { program[fork] = split(fork + 1, program.count, isLazy: isLazy) }
  }

  private func split(_ more: Int, _ enough: Int, isLazy: Bool) -> PatternInstruction {
    isLazy ? .split(enough, more) : .split(more, enough)
  }

  /// Keeps a place for an instruction that is known later.
  private mutating func reserve() throws(Problem) -> Int {
    try append(.match)
    return program.count - 1
  }

  private mutating func append(_ instruction: PatternInstruction) throws(Problem) {
    guard program.count < LinePattern.maximumInstructions else {
      throw Problem("it is too large once its repetitions are expanded")
    }
    program.append(instruction)
  }
}
