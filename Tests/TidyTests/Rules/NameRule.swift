/// Types are named after things of the domain.
enum NameRule {
  static let emptyEndings = ["Manager", "Utils", "Util", "Utilities", "Data"]

  static func findings(in file: SourceFile) -> [Finding] {
    ["struct", "class", "enum", "actor", "protocol"].flatMap { kind in
      file.offsets(of: [kind]).compactMap { offset in
        guard offset + 1 < file.tokens.count else { return nil }
        let name = file.tokens[offset + 1]
        guard let ending = emptyEndings.first(where: name.text.hasSuffix) else { return nil }
        return file.finding(name.line, "\(name.text): \(ending) says nothing; name the thing")
      }
    }
  }
}
