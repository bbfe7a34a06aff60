import JobCore
import JobWire

extension Invocation {
  /// Reads one flag's value and keeps it; of several the last counts, requirements add up.
  mutating func receive(_ text: String, for flag: Flag) throws(WireError) {
    switch flag.value {
    case .none: values[flag] = .on
    case .text: values[flag] = .text(try Self.checked(text, for: flag))
    case .choice(let words), .wordOrNone(let words):
      values[flag] = .text(try Self.word(text, of: words, for: flag))
    case .duration: values[flag] = .duration(try Self.span(text, for: flag))
    case .durationOrNever:
      values[flag] = text == "never" ? .never : .duration(try Self.span(text, for: flag))
    case .columns:
      for name in text.split(separator: ",", omittingEmptySubsequences: false) {
        _ = try JobColumn.named(String(name), of: flag)
      }
      values[flag] = .text(text)
    case .jobs:
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard !names.contains("") else {
        throw WireError(
          .usage,
          "\(flag.spelling) is \(text.quoted); it must be jobs separated by commas, as in 12,@")
      }
      values[flag] = .words(words(flag) + names)
    case .list: values[flag] = .words(words(flag) + [text])
    case .count: values[flag] = .count(try Self.number(text, for: flag))
    case .requirements:
      var requirements = self.requirements(flag) ?? Requirements()
      do throws(WireError) {
        try RequirementText.apply(text, to: &requirements)
      } catch {
        throw WireError(error.code, "\(flag.spelling): \(error.message)")
      }
      values[flag] = .requirements(requirements)
    }
  }

  /// A title or subtitle must fit the page and stay on its line.
  private static func checked(_ text: String, for flag: Flag) throws(WireError) -> String {
    guard flag == .title || flag == .subtitle else { return text }
    guard text.utf8.count <= Limits.titleBytes else {
      throw WireError(
        .usage,
        "\(flag.spelling) has \(text.utf8.count) bytes; \(Limits.titleBytes) is the limit"
      )
    }
    guard !text.unicodeScalars.contains(where: SafeText.isControl) else {
      throw WireError(
        .usage, "\(flag.spelling) contains control characters; write it as one plain line")
    }
    return text
  }

  /// The text, if it is one of the words that the flag takes.
  ///
  /// - Throws: `usage`, with those words and the one that may be meant.
  static func word(
    _ text: String, of words: [String], for flag: Flag
  ) throws(WireError) -> String {
    if words.contains(text) { return text }
    let nearest = NearestName.nearest(to: text, among: words)
    let hint = nearest.map { "; did you mean \($0)?" } ?? ""
    let choice = NearestName.choice(of: words)
    throw WireError(
      .usage, "\(flag.spelling) is \(text.quoted); it must be \(choice)\(hint)")
  }

  private static func span(_ text: String, for flag: Flag) throws(WireError) -> Interval {
    do throws(WireError) {
      return flag == .timeout && text == "0" ? .zero : try DurationText.parse(text)
    } catch {
      throw WireError(error.code, "\(flag.spelling): \(error.message)")
    }
  }

  private static func number(_ text: String, for flag: Flag) throws(WireError) -> UInt64 {
    guard let number = UInt64(text) else {
      let range =
        flag == .jobSlots || flag == .batchSlots ? " from 1 to \(Limits.slots)" : ", 0 or more"
      throw WireError(
        .usage, "\(flag.spelling) is \(text.quoted); it must be a whole number\(range)")
    }
    return number
  }
}
