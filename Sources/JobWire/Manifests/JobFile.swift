package import JobCore

/// A file of jobs for `jobrun submit-file`: a JSON object a line.
package struct JobFile: Hashable, Sendable {
  /// One line of it.
  package struct Entry: Hashable, Sendable {
    /// From 1.
    package var line: Int
    package var name: String?
    package var title: String?
    package var subtitle = ""
    package var command: [String]
    /// Names of others in the file.
    package var after: [String]
    package var afterAny: [String]
    package var afterOne: [String]
    /// As written, relative to the folder of the submission; nil = that folder.
    package var cwd: String?
    /// `NAME=VALUE`, in the order of the file.
    package var variables: [String] = []
    /// Paths as written, relative to the job's folder.
    package var stdin: String?
    package var stdout: String?
    package var stderr: String?
    package var options = Submission.Options(speaksPage: false)
  }

  /// Each comes behind those that it comes after.
  package private(set) var entries: [Entry] = []
  /// Of each entry, the places of those that it comes after.
  package private(set) var after: [[Int]] = []
  package private(set) var afterAny: [[Int]] = []
  package private(set) var afterOne: [[Int]] = []

  private let file: String
  private static let fields = [
    "name", "title", "subtitle", "command", "cwd", "env", "stdin", "stdout", "stderr", "after",
    "afterAny", "afterOne", "require", "group", "priority", "limit", "grace", "retries", "slots",
    "exclusive",
  ]

  /// - Throws: `usage`, with the line of the first thing that is wrong.
  package init(_ bytes: [UInt8], file: String) throws(WireError) {
    self.file = file
    var line = 0
    // Some editors begin a file with a byte order mark.
    let mark = Array("\u{FEFF}".utf8)
    let bytes = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      if text.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
      do throws(WireError) {
        entries.append(try Self.entry(text, line))
      } catch {
        throw WireError(.usage, "\(file):\(line): \(error.message)")
      }
    }
    try order(by: places())
  }

  private static func entry(_ text: ArraySlice<UInt8>, _ line: Int) throws(WireError) -> Entry {
    let fields = try JSONFields(line: text)
    if let unknown = fields.names.first(where: { !Self.fields.contains($0) }) {
      throw WireError(
        .usage,
        "\(unknown.quoted) is not a field" + NearestName.hint(for: unknown, among: Self.fields))
    }
    var entry = Entry(
      line: line, command: try command(fields), after: try fields.names("after"),
      afterAny: try fields.names("afterAny"), afterOne: try fields.names("afterOne"))
    try takeSurroundings(fields, into: &entry)
    entry.name = try fields.optional("name")
    entry.title = try fields.optional("title")
    entry.subtitle = try fields.optional("subtitle") ?? ""
    for text in try fields.names("require") {
      try RequirementText.apply(text, to: &entry.options.requirements)
    }
    entry.options.group = try fields.optional("group")
    entry.options.priority = try fields.optional("priority") ?? .normal
    entry.options.limit = try fields.duration("limit")
    entry.options.grace = try fields.duration("grace") ?? entry.options.grace
    entry.options.retries = try fields.optional("retries") ?? 0
    entry.options.slots = try fields.optional("slots") ?? 1
    entry.options.isExclusive = try fields.optional("exclusive") ?? false
    try entry.options.check()
    return entry
  }

  /// The folder, the variables and the files.
  private static func takeSurroundings(
    _ fields: JSONFields, into entry: inout Entry
  ) throws(WireError) {
    entry.cwd = try fields.path("cwd")
    entry.stdin = try fields.path("stdin")
    entry.stdout = try fields.path("stdout")
    entry.stderr = try fields.path("stderr")
    guard let value = fields.value("env") else { return }
    guard case .object(let members) = value else {
      throw WireError(
        .usage, "env is \(value.kindName); write an object, as in \"env\": {\"LANG\": \"C\"}")
    }
    for member in members {
      guard case .string(let text) = member.value, !member.name.isEmpty,
        !(member.name + text).utf8.contains(0), !member.name.contains("=")
      else {
        throw WireError(
          .usage,
          "\(member.name.quoted) in env is not a name with a text, as in {\"LANG\": \"C\"}")
      }
      entry.variables.append("\(member.name)=\(text)")
    }
  }

  /// Words, or a text for sh.
  private static func command(_ fields: JSONFields) throws(WireError) -> [String] {
    let words: [String]
    let isMissing: Bool
    if case .string(let text) = fields.value("command") {
      (words, isMissing) = (["sh", "-c", text], text.isEmpty)
    } else {
      words = try fields.optional("command") ?? []
      isMissing = words.first?.isEmpty ?? true
    }
    guard !isMissing else {
      throw WireError(
        .usage, "it has no command; write \"command\": [\"./build\", \"-v\"] or a text for sh")
    }
    guard words.allSatisfy({ !$0.utf8.contains(0) }) else {
      throw WireError(.usage, "its command has a NUL, which no argument of a program can have")
    }
    return words
  }

  /// Where each name is.
  private func places() throws(WireError) -> [String: Int] {
    var places: [String: Int] = [:]
    for (place, entry) in entries.enumerated() {
      guard let name = entry.name else { continue }
      if let other = places.updateValue(place, forKey: name) {
        throw WireError(
          .usage,
          "\(file):\(entry.line): line \(entries[other].line) has the name \(name.quoted) already")
      }
    }
    return places
  }

  /// Puts each behind those that it comes after, and otherwise leaves them as they stand.
  private mutating func order(by places: [String: Int]) throws(WireError) {
    var strict: [[Int]] = []
    var any: [[Int]] = []
    var one: [[Int]] = []
    for entry in entries {
      strict.append(try self.places(of: entry.after, in: places, entry))
      any.append(try self.places(of: entry.afterAny, in: places, entry))
      one.append(try self.places(of: entry.afterOne, in: places, entry))
    }
    var followers = [[Int]](repeating: [], count: entries.count)
    var missing = [Int](repeating: 0, count: entries.count)
    for place in entries.indices {
      for other in Set(strict[place] + any[place] + one[place]) {
        followers[other].append(place)
        missing[place] += 1
      }
    }
    var ready = Ordered<Int>()
    for place in entries.indices where missing[place] == 0 { ready.insert(place) }
    var order: [Int] = []
    while let place = ready.first {
      ready.remove(place)
      order.append(place)
      for follower in followers[place] {
        missing[follower] -= 1
        if missing[follower] == 0 { ready.insert(follower) }
      }
    }
    guard order.count == entries.count else {
      let first = missing.firstIndex { $0 > 0 } ?? 0
      throw WireError(
        .usage,
        "\(file):\(entries[first].line): it depends on itself, through the jobs that it comes after"
      )
    }
    var newPlaces = [Int](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { newPlaces[old] = new }
    after = order.map { old in strict[old].map { newPlaces[$0] }.sorted() }
    afterAny = order.map { old in any[old].map { newPlaces[$0] }.sorted() }
    afterOne = order.map { old in one[old].map { newPlaces[$0] }.sorted() }
    entries = order.map { entries[$0] }
  }

  private func places(
    of names: [String], in places: [String: Int], _ entry: Entry
  ) throws(WireError) -> [Int] {
    var found: [Int] = []
    for name in names {
      guard let place = places[name] else {
        throw WireError(
          .usage,
          "\(file):\(entry.line): no line has the name \(name.quoted), named as a prerequisite")
      }
      found.append(place)
    }
    return found
  }
}

extension JSONFields {
  /// A text, or a list of them.
  fileprivate func names(_ name: StaticString) throws(WireError) -> [String] {
    if case .string(let text) = value(name) { return [text] }
    return try optional(name) ?? []
  }

  /// A text that is not empty and has no NUL.
  fileprivate func path(_ name: StaticString) throws(WireError) -> String? {
    guard let path: String = try optional(name) else { return nil }
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw WireError(.usage, "\(name) is \(path.quoted), which is not a path")
    }
    return path
  }

  fileprivate func duration(_ name: StaticString) throws(WireError) -> Interval? {
    let text: String? = try optional(name)
    return try text.map { text throws(WireError) in try DurationText.parse(text) }
  }
}
