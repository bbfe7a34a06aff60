/// A command with places for inputs: `{}` for all of them, `{1}` for the first.
///
/// A word that is nothing but `{}` becomes as many words as there are inputs; within a word they are put
/// together with blanks.
package struct CommandTemplate: Hashable, Sendable {
  private enum Part: Hashable {
    case text([UInt8])
    case all
    /// From 1.
    case input(Int)
  }

  private let words: [[Part]]

  package init(_ words: [[UInt8]]) {
    self.words = words.map { CommandTemplate.parts(of: $0[...]) }
  }

  /// Whether there is any place for an input.
  package var hasPlaces: Bool { highest > 0 }

  /// The highest input that is asked for by number, at least 1 where there is any place; 0 without one.
  package var highest: Int {
    words.joined().reduce(0) { highest, part in
      switch part {
      case .text: highest
      case .all: max(highest, 1)
      case .input(let number): max(highest, number)
      }
    }
  }

  /// The command for these inputs; a place that has none stays empty.
  package func filled(with inputs: [ArraySlice<UInt8>]) -> [[UInt8]] {
    var filled: [[UInt8]] = []
    for word in words {
      if word == [.all] {
        filled += inputs.map { Array($0) }
      } else {
        filled.append(word.reduce(into: []) { $0 += Self.bytes(of: $1, inputs) })
      }
    }
    return filled
  }

  /// The words for these inputs as one text for people, of at most so many bytes.
  package func shown(with inputs: [ArraySlice<UInt8>], bytes limit: Int) -> String {
    let words = filled(with: inputs).map { AddressLogin.hidden(in: $0) }
    let bytes = Array(words.joined(separator: [UInt8(ascii: " ")]))
    let text = SafeText.shown(String(decoding: bytes, as: UTF8.self))
    return text.start(bytes: limit)
  }

  private static func bytes(of part: Part, _ inputs: [ArraySlice<UInt8>]) -> [UInt8] {
    switch part {
    case .text(let bytes): bytes
    case .all: Array(inputs.joined(separator: [UInt8(ascii: " ")]))
    case .input(let number): number <= inputs.count ? Array(inputs[number - 1]) : []
    }
  }

  private static func parts(of word: ArraySlice<UInt8>) -> [Part] {
    var parts: [Part] = []
    var text: [UInt8] = []
    var rest = word
    while let byte = rest.first {
      guard byte == UInt8(ascii: "{"), let (place, end) = place(at: rest) else {
        text.append(byte)
        rest = rest.dropFirst()
        continue
      }
      if !text.isEmpty { parts.append(.text(text)) }
      text = []
      parts.append(place)
      rest = rest[end...]
    }
    if !text.isEmpty || parts.isEmpty { parts.append(.text(text)) }
    return parts
  }

  /// The place that begins here, and where it ends; nil when this is none.
  private static func place(at rest: ArraySlice<UInt8>) -> (Part, end: Int)? {
    // At most two digits: a word may be long and hold nothing but what could begin a place.
    guard let close = rest.prefix(4).firstIndex(of: UInt8(ascii: "}")) else { return nil }
    let inner = rest[(rest.startIndex + 1)..<close]
    if inner.isEmpty { return (.all, close + 1) }
    guard let number = Int(String(decoding: inner, as: UTF8.self)), number > 0,
      inner.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return (.input(number), close + 1)
  }
}

extension String {
  /// As many whole characters from the start as fit.
  package func start(bytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var start = ""
    for character in self {
      guard start.utf8.count + character.utf8.count <= limit else { break }
      start.append(character)
    }
    return start
  }
}
