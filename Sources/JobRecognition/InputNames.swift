/// The inputs that a command names one after the other, `md5deep track-1 track-2 track-3`, or by their folder,
/// `prove t`.
///
/// Progress on a line that names one input is that of this input alone, unless it continues to grow over the
/// others. A file in a folder must begin a line that is written over: `t/first.t .. 6/12`.
struct InputNames: Hashable, Sendable {
  /// Only similar names: `*.flac`, `track-1 track-2`.
  private let names: [[UInt8]]
  /// With a slash at the end.
  private let folders: [[UInt8]]
  private var current: [UInt8]?
  /// Another one was named, and the number did not begin again.
  private var isOfAll = false

  init(_ command: [String]) {
    let words = command.dropFirst().filter { !$0.hasPrefix("-") }.compactMap {
      $0.utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init)
    }
    let alike = Dictionary(grouping: words.filter { $0.count > 2 }) { $0[...].letters }
    folders = command.dropFirst().filter { !$0.hasPrefix("-") && $0.utf8.count < 256 }.map {
      Array($0.utf8) + ($0.hasSuffix("/") ? [] : [UInt8(ascii: "/")])
    }
    names = words.filter {
      let letters = $0[...].letters
      return !letters.isEmpty && alike[letters, default: []].count > 1
    }
  }

  /// The input that a line names; nil without one, or if its progress covers all inputs.
  mutating func name(on line: OutputLine, hasBegunAgain: Bool) -> String? {
    guard let name = names.first(where: { holds($0, line) }) ?? inFolder(line) else { return nil }
    if let current, current != name { isOfAll = !hasBegunAgain }
    current = name
    return isOfAll ? nil : String(decoding: name, as: UTF8.self)
  }

  private func inFolder(_ line: OutputLine) -> [UInt8]? {
    guard line.isRedrawn, let word = line.words.first, word.contains(UInt8(ascii: "/")),
      folders.contains(where: { word.count > $0.count && word.starts(with: $0) })
    else { return nil }
    return Array(word)
  }

  private func holds(_ name: [UInt8], _ line: OutputLine) -> Bool {
    holds(name, line.words)
      || !line.standing.isEmpty
        && holds(name, line.standing.split(separator: UInt8(ascii: " ")))
  }

  private func holds(_ name: [UInt8], _ words: [Piece]) -> Bool {
    words.contains { word in
      word.elementsEqual(name)
        || (word.count > name.count && word.suffix(name.count).elementsEqual(name)
          && word[word.endIndex - name.count - 1] == UInt8(ascii: "/"))
    }
  }
}
