// The text that a person searches for in a log.
extension Line {
  /// The same with every occurrence of `text` marked; ignores the case of a to z, as `LogSearch` does.
  func marking(_ text: String) -> Line {
    let wanted = Array(text.utf8)
    let ignoresCase = !wanted.contains { (0x41...0x5A).contains($0) }
    let bytes = pieces.flatMap { Array($0.text.utf8) }
    guard !wanted.isEmpty, bytes.count >= wanted.count else { return self }
    var isMarked = [Bool](repeating: false, count: bytes.count)
    var place = 0
    while place + wanted.count <= bytes.count {
      let isHere = wanted.indices.allSatisfy { index in
        let byte = bytes[place + index]
        return wanted[index] == (ignoresCase && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      }
      if isHere { for index in wanted.indices { isMarked[place + index] = true } }
      place += isHere ? wanted.count : 1
    }
    guard isMarked.contains(true) else { return self }
    var line = Line()
    var first = 0
    for piece in pieces {
      let end = first + piece.text.utf8.count
      while first < end {
        let next = (first..<end).first { isMarked[$0] != isMarked[first] } ?? end
        line.append(
          String(decoding: bytes[first..<next], as: UTF8.self),
          isMarked[first] ? .found : piece.style)
        first = next
      }
    }
    return line
  }

  /// Without so much of its beginning that the first mark is within `columns`.
  func shifted(columns: Int) -> Line {
    guard let mark = pieces.firstIndex(where: { $0.style == .found }) else { return self }
    let before = pieces[..<mark].reduce(0) { $0 + TextWidth.of($1.text) }
    guard before + TextWidth.of(pieces[mark].text) > columns else { return self }
    var line = Line()
    var left = before - columns / 3
    for piece in pieces {
      let width = TextWidth.of(piece.text)
      if left <= 0 {
        line.append(piece.text, piece.style)
      } else if width > left {
        line.append(TextWidth.end(of: piece.text, fitting: width - left), piece.style)
      }
      left -= width
    }
    return line
  }
}
