/// The inputs that a command names one after the other: `md5deep track-1 track-2 track-3`.
///
/// Progress on a line that names one input is that of this input alone, unless it continues to grow over the
/// others.
struct InputNames: Hashable, Sendable {
  /// Only similar names: `*.flac`, `track-1 track-2`.
  private let names: [[UInt8]]
  private var current: Int?
  /// Another one was named, and the number did not begin again.
  private var isOfAll = false

  init(_ command: [String]) {
    let words = command.dropFirst().filter { !$0.hasPrefix("-") }.compactMap {
      $0.utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init)
    }
    let alike = Dictionary(grouping: words.filter { $0.count > 2 }) { $0[...].letters }
    names = alike.values.filter { $0.count > 1 && !$0[0][...].letters.isEmpty }.flatMap(\.self)
  }

  /// The input that a line names; nil without one, or if its progress covers all inputs.
  mutating func name(on line: OutputLine, hasBegunAgain: Bool) -> String? {
    guard !names.isEmpty, let index = names.firstIndex(where: { holds($0, line) }) else {
      return nil
    }
    if let current, current != index { isOfAll = !hasBegunAgain }
    current = index
    return isOfAll ? nil : String(decoding: names[index], as: UTF8.self)
  }

  private func holds(_ name: [UInt8], _ line: OutputLine) -> Bool {
    line.words.contains { word in
      word.elementsEqual(name)
        || (word.count > name.count && word.suffix(name.count).elementsEqual(name)
          && word[word.endIndex - name.count - 1] == UInt8(ascii: "/"))
    }
  }
}
