/// A command with places for inputs: `{}` for all of them, `{1}` for the first, and GNU parallel's forms
/// (`{.}`, `{/}`, `{//}`, `{/.}`, `{#}`, `{%}`).
///
/// The word `{}` is replaced by one word per input; within a word the inputs are joined with blanks.
package struct CommandTemplate: Hashable, Sendable {
  private enum Part: Hashable {
    case text([UInt8])
    case place(CommandPlace)
  }

  /// The values for the places.
  package struct Filling {
    let inputs: [ArraySlice<UInt8>]
    /// Which of the many it is, from 1.
    let position: Int
    /// The slot that it has, from 1; nil while it has none.
    let slot: Int?

    package init(_ inputs: [ArraySlice<UInt8>], position: Int = 1, slot: Int? = nil) {
      self.inputs = inputs
      self.position = position
      self.slot = slot
    }
  }

  private let words: [[Part]]

  package init(_ words: [[UInt8]]) {
    self.words = words.map { CommandTemplate.parts(of: $0[...]) }
  }

  private var places: [CommandPlace] {
    words.joined().compactMap { if case .place(let place) = $0 { place } else { nil } }
  }

  /// Whether there is a place of any kind.
  package var hasPlacesOfAnyKind: Bool { !places.isEmpty }

  /// Whether there is any place for an input.
  package var hasPlaces: Bool { highest > 0 }

  /// The highest input that is asked for by number, at least 1 where there is any place; 0 without one.
  package var highest: Int { places.reduce(0) { max($0, $1.highest) } }

  /// The command for these inputs; a place that has none stays empty.
  package func filled(with filling: Filling) -> [[UInt8]] {
    var filled: [[UInt8]] = []
    for word in words {
      if word == [.place(.all)] {
        filled += filling.inputs.map { Array($0) }
      } else {
        filled.append(
          word.reduce(into: []) { bytes, part in
            switch part {
            case .text(let text): bytes += text
            case .place(let place): bytes += place.bytes(of: filling)
            }
          })
      }
    }
    return filled
  }

  /// The words for these inputs as one text for people, up to a limit of bytes.
  package func shown(with filling: Filling, bytes limit: Int) -> String {
    let words = filled(with: filling).map { AddressLogin.hidden(in: $0) }
    let bytes = Array(words.joined(separator: [UInt8(ascii: " ")]))
    let text = SafeText.shown(String(decoding: bytes, as: UTF8.self))
    return text.start(bytes: limit)
  }

  /// The first invalid place; nil without one.
  package static func unknownPlace(in words: [[UInt8]]) -> String? {
    for word in words {
      var rest = word[...]
      while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
        rest = rest[open...]
        if let (_, end) = CommandPlace.place(at: rest) {
          rest = rest[end...]
        } else if let inner = CommandPlace.likeness(at: rest) {
          return "{\(inner)}"
        } else {
          rest = rest.dropFirst()
        }
      }
    }
    return nil
  }

  private static func parts(of word: ArraySlice<UInt8>) -> [Part] {
    var parts: [Part] = []
    var text: [UInt8] = []
    var rest = word
    while let byte = rest.first {
      guard byte == UInt8(ascii: "{"), let (place, end) = CommandPlace.place(at: rest) else {
        text.append(byte)
        rest = rest.dropFirst()
        continue
      }
      if !text.isEmpty { parts.append(.text(text)) }
      text = []
      parts.append(.place(place))
      rest = rest[end...]
    }
    if !text.isEmpty || parts.isEmpty { parts.append(.text(text)) }
    return parts
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
