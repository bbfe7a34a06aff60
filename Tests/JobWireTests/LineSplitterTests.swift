import JobWire
import TestKit
import Testing

@Suite struct LineSplitterTests {
  private func elements(of splitter: inout LineSplitter) -> [String] {
    var found: [String] = []
    while let element = splitter.next() {
      switch element {
      case .line(let bytes): found.append(String(decoding: bytes, as: UTF8.self))
      case .tooLong: found.append("<too long>")
      }
    }
    return found
  }

  @Test func `lines come out whole however their bytes arrive`() {
    let stream = Array("one\n\ntwo\nthree".utf8)
    for size in 1...stream.count {
      var splitter = LineSplitter()
      var found: [String] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        splitter.append(stream[start..<min(start + size, stream.count)])
        found += elements(of: &splitter)
      }
      #expect(found == ["one", "", "two"], "in pieces of \(size) bytes")
      #expect(splitter.unfinishedBytes == 5)
    }
  }

  @Test func `a line of exactly the limit passes and a longer one is told once`() {
    for size in [1, 7, 1000] {
      var splitter = LineSplitter(limit: 10)
      let stream = Array(
        "0123456789\n0123456789a\nnext\n\(String(repeating: "x", count: 500))\nlast\n".utf8)
      var found: [String] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        splitter.append(stream[start..<min(start + size, stream.count)])
        found += elements(of: &splitter)
      }
      #expect(
        found == ["0123456789", "<too long>", "next", "<too long>", "last"],
        "in pieces of \(size) bytes")
    }
  }

  @Test func `an endless line is told while it still comes and takes no memory`() {
    var splitter = LineSplitter()
    var found: [String] = []
    for _ in 0..<100 {
      splitter.append([UInt8](repeating: 0x61, count: 16 * 1024))
      found += elements(of: &splitter)
      #expect(splitter.unfinishedBytes <= Limits.lineBytes)
    }
    splitter.append(Array("\nok\n".utf8))
    #expect(found + elements(of: &splitter) == ["<too long>", "ok"])
  }

  @Test func `random streams in random pieces equal a plain split`() {
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let stream = (0..<500).map { _ in
        UInt8.random(in: 0..<30, using: &random) == 0 ? UInt8(ascii: "\n") : UInt8(ascii: "a")
      }
      let expected = stream.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .dropLast().map { $0.count > 40 ? "<too long>" : String(decoding: $0, as: UTF8.self) }
      var found: [String] = []
      var splitter = LineSplitter(limit: 40)
      var index = 0
      while index < stream.count {
        let end = min(stream.count, index + Int.random(in: 1...60, using: &random))
        splitter.append(stream[index..<end])
        index = end
        found += elements(of: &splitter)
      }
      let unfinished =
        stream.split(
          separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).last?.count ?? 0
      #expect(found == Array(expected) + (unfinished > 40 ? ["<too long>"] : []), "seed \(seed)")
    }
  }
}
