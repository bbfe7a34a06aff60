import JobCore
import JobWire
import Testing

@Suite struct ProgressTraceTextTests {
  private func trace() -> ProgressTrace {
    var trace = ProgressTrace()
    for second in 1...300 {
      let mark = ProgressTrace.Mark.allCases.first { Int($0.rawValue) * 10 + 200 == second }
      _ = trace.add(
        ProgressTrace.Point(
          at: WallTime(milliseconds: 1_774_000_000_000 + Int64(second) * 1_000), attempt: 1,
          completed: UInt64(second), total: 300, unit: .bytes, mark: mark))
    }
    return trace
  }

  @Test func `a trace is read as it was written`() {
    #expect(ProgressTrace(text: trace().text) == trace())
  }

  @Test func `a file that was cut short is read up to there`() {
    let text = trace().text
    for length in stride(from: 0, through: text.count, by: 97) {
      let cut = ProgressTrace(text: String(text.prefix(length)))
      guard let cut else {
        #expect(length < 30)
        continue
      }
      // A truncated number is another number; other errors are impossible.
      #expect(trace().points.starts(with: cut.points.dropLast()))
    }
  }

  @Test(arguments: [
    "", "\n", "jobrun-trace", "jobrun-trace 2 1000\n", "jobrun-trace 1 -5\n",
    "jobrun-trace 1 18446744073709551615\n", "1774000000000 1 12 100 items\n",
  ])
  func `what is no trace is none`(text: String) {
    #expect(ProgressTrace(text: text) == nil)
  }

  @Test(arguments: [
    "-1 1 1 1 items", "9223372036854775807 1 1 1 items", "1 1 1 items", "1 1 1 1 apples",
    "1 1 1 1 items sleepy", "1 1 18446744073709551616 1 items", "1 1 1 1 items stalled more",
  ])
  func `lines that are none are left out`(line: String) {
    let text = "jobrun-trace 1 1000\n\(line)\n1774000000000 1 12 100 items\n"
    #expect(ProgressTrace(text: text)?.points.map(\.completed) == [12])
  }
}
