extension ManifestFields {
  /// The longest texts, in bytes: of a screen, a line, a word.
  private static let aboutBytes = 4_096
  private static let lineBytes = 512
  private static let nameBytes = 64
  private static let maximumArguments = 32

  /// `about`, `usage` and `arguments`.
  func guide() throws(ManifestError) -> JobGuide {
    var guide = JobGuide()
    guide.about = try plain("about", bytes: Self.aboutBytes, lines: true) ?? ""
    guide.usage = try plain("usage", bytes: Self.lineBytes)
    guide.arguments = try arguments()
    return guide
  }

  private func arguments() throws(ManifestError) -> [JobGuide.Argument] {
    let entries = try objects("arguments", known: ["name", "required", "about"]) ?? []
    guard entries.count <= Self.maximumArguments else {
      throw problem(
        "arguments", "names \(entries.count) arguments; \(Self.maximumArguments) is the limit")
    }
    var arguments: [JobGuide.Argument] = []
    for entry in entries {
      let argument = try entry.argument()
      if arguments.contains(where: { $0.name == argument.name }) {
        throw problem("arguments", "names \(argument.name) twice; once is enough")
      }
      if argument.isRequired, let optional = arguments.first(where: { !$0.isRequired }) {
        throw problem(
          "arguments",
          "has \(argument.name), which is required, after \(optional.name), which is not;"
            + " arguments are told apart by their order, so required ones come first")
      }
      arguments.append(argument)
    }
    return arguments
  }

  private func argument() throws(ManifestError) -> JobGuide.Argument {
    let name = try requiredText("name", example: "\"SOURCE\"")
    let isWord =
      !name.isEmpty && name.utf8.count <= Self.nameBytes && !name.hasPrefix("-")
      && !name.unicodeScalars.contains {
        SafeText.isControl($0) || $0.properties.isWhitespace || $0 == "[" || $0 == "]"
      }
    guard isWord else {
      throw problem("name", "is \(name.quoted); it must be one word, such as SOURCE")
    }
    return JobGuide.Argument(
      name: name, isRequired: try flag("required") ?? true,
      about: try plain("about", bytes: Self.lineBytes) ?? "")
  }

  /// A text that is safe to show.
  private func plain(
    _ key: String, bytes: Int, lines: Bool = false
  ) throws(ManifestError) -> String? {
    guard let text = try text(key) else { return nil }
    guard text.utf8.count <= bytes else {
      throw problem(key, "has \(text.utf8.count) bytes; \(bytes) is the limit")
    }
    guard !text.unicodeScalars.contains(where: { SafeText.isControl($0) && !(lines && $0 == "\n") })
    else {
      throw problem(
        key, lines ? "contains control characters" : "contains control characters; write one line")
    }
    return text
  }
}
