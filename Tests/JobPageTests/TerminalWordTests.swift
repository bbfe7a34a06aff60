import JobPage
import Testing

/// What one terminal tells another arrives whole, however it was cut on its way.
@Suite struct TerminalWordTests {
  @Test func `words that arrive byte by byte are the same words`() {
    let words: [TerminalWord] = [
      .size(columns: 300, rows: 24), .keys([0, 0xFF, 0x1B, 0x0A]), .keys([]),
      .size(columns: 1, rows: 65_535),
    ]
    var reader = TerminalWords()
    var read: [TerminalWord] = []
    for byte in words.flatMap(\.encoded) {
      reader.append([byte])
      while let word = reader.next() { read.append(word) }
    }
    #expect(read == words)
  }

  @Test func `much that is typed at once is several words, none larger than a pipe writes whole`() {
    let typed = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
    let words = TerminalWord.words(typing: typed)
    #expect(words.allSatisfy { $0.encoded.count <= 4_096 })
    let joined = words.flatMap { word -> [UInt8] in
      if case .keys(let bytes) = word { bytes } else { [] }
    }
    #expect(joined == typed)
    #expect(TerminalWord.words(typing: []) == [])
  }

  @Test func `what makes no sense is dropped, and what follows is heard`() {
    var reader = TerminalWords()
    reader.append([UInt8(ascii: "x"), 2, 0, 1, 2] + [UInt8(ascii: "s"), 1, 0, 9])
    reader.append(TerminalWord.keys([7]).encoded)
    #expect(reader.next() == .keys([7]))
    #expect(reader.next() == nil)
  }
}
