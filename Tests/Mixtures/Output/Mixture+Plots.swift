/// What consists of several bars.
extension Mixture {
  mutating func phases() {
    for number in 0..<(2 + generator.below(3)) {
      bar(
        from: end, lasting: length(), total: 20 + UInt64(generator.below(300)), number: number)
      end += generator.unit() * 3
    }
  }

  /// The program prints the number of epochs.
  mutating func manyEpochs() {
    let count = 2 + generator.below(6)
    epochs = count
    let each = length() / 2
    let total = UInt64(10 + generator.below(200))
    for epoch in 1...count {
      let begin = end
      tell("Epoch \(epoch)/\(count)\n", at: begin)
      bar(
        from: begin, lasting: each, total: total,
        in: (Double(epoch - 1) / Double(count), Double(epoch) / Double(count)))
    }
  }

  /// Bars that live at the same time, each at its own pace, on rows of their own.
  mutating func several() {
    let count = 2 + generator.below(3)
    let total = UInt64(20 + generator.below(300))
    let lengths = (0..<count).map { _ in length() }
    let longest = lengths.max() ?? 1
    let step = 0.2 + generator.unit()
    var time = 0.0
    // The sum of bars of different pace is no straight line.
    while time <= longest + step {
      for (row, length) in lengths.enumerated() {
        let share = min(1, time / length)
        if share == 1, time - step > length { continue }
        let done = UInt64(share * Double(total))
        let bar = Self.tqdm(done, total, min(time, length), "worker \(row)")
        tell(
          String(repeating: "\n", count: row) + "\r" + bar + (row > 0 ? "\u{1B}[\(row)A" : ""),
          at: time)
      }
      time += step
    }
    for end in [0] + lengths.sorted() {
      let share = lengths.map { min(1, end / $0) }.reduce(0, +) / Double(count)
      points.append(Point(time: end, share: share, stretch: 0))
    }
    tell(String(repeating: "\n", count: count), at: longest + step)
    end = longest + step
  }

  /// An outer bar, and an inner one below it for each of its steps.
  mutating func nested() {
    let count = 2 + generator.below(8)
    let total = UInt64(5 + generator.below(100))
    let each = length() / 4
    end = each * Double(count)
    points = [Point(time: 0, share: 0, stretch: 0), Point(time: end, share: 1, stretch: 0)]
    for step in 0..<count {
      let begin = each * Double(step)
      tell("\r" + Self.tqdm(UInt64(step), UInt64(count), begin, "all"), at: begin)
      for look in 0...10 {
        let done = UInt64(Double(look) / 10 * Double(total))
        let text = Self.tqdm(done, total, each * Double(look) / 10, word(look))
        tell("\n\r\(text)\u{1B}[A", at: begin + each * Double(look) / 10 * 0.99)
      }
    }
    tell("\r" + Self.tqdm(UInt64(count), UInt64(count), end, "all") + "\n\n", at: end)
  }
}
