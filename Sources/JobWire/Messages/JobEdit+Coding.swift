package import JobCore

extension JobEdit: Coded {
  /// Only what is to change.
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&title, "title")
    try coder.code(&subtitle, "subtitle")
    try coder.code(&priority, "priority")
    let numbers = try coder.coded(after?.map { $0.number }, "after")
    let anyEnd = try coder.coded(afterAny?.map { $0.number }, "afterAny")
    try coder.milliseconds(&limit, "limitMs")
    try coder.milliseconds(&grace, "graceMs")
    try coder.code(&retries, "retries")
    try coder.milliseconds(&retryDelay, "retryDelayMs")
    let wanted = try coder.coded(requirements.map { RequirementList($0) }, "requires")
    let change = try coder.coded(namesGroup ? GroupChange(group) : nil, "group")
    try coder.code(&start, "notBefore")
    try coder.code(&directory, "directory")
    try coder.code(&environment, "environment", usual: [])
    guard coder.isReading else { return }
    requirements = wanted?.requirements
    (group, leavesGroup) = (change?.group, change.map { $0.group == nil } ?? false)
    after = numbers.map { Prerequisite.list(after: $0, afterAny: []) }
    afterAny = anyEnd.map { Prerequisite.list(after: [], afterAny: $0) }
  }

  /// - Throws: `usage`, with a sentence about the first thing that is wrong.
  package func check() throws(WireError) {
    guard !isEmpty else {
      throw WireError(
        .usage,
        "nothing is to change; name a title, subtitle, priority, after, notBefore, limit, grace, retries,"
          + " requirements, group, directory or environment")
    }
    if let title { try SubmitRequest.checkTitle(title) }
    if let subtitle { try SubmitRequest.checkShown(subtitle, name: "subtitle") }
    if let directory, directory.utf8.first != UInt8(ascii: "/") || directory.utf8.contains(0) {
      throw WireError(.usage, "the folder \(directory.quoted) is not an absolute path")
    }
    for entry in environment
    where entry.utf8.contains(0)
      || (entry.firstIndex(of: "=") ?? entry.startIndex) == entry.startIndex
    {
      throw WireError(
        .usage, "\(entry.quoted) is not a variable; it must be NAME=VALUE, as in LANG=C")
    }
    var options = Submission.Options(speaksPage: false)
    options.limit = limit == .zero ? nil : limit
    options.grace = grace ?? options.grace
    options.retries = retries ?? 0
    options.retryDelay = retryDelay
    options.requirements = requirements ?? options.requirements
    try options.check()
    let others = named.count
    guard others <= Limits.prerequisites else {
      throw WireError(
        .usage, "the job is to come after \(others) others; \(Limits.prerequisites) is the limit")
    }
  }
}

extension FieldCoder {
  fileprivate mutating func milliseconds(
    _ interval: inout Interval?, _ name: StaticString
  ) throws(Failure) {
    let milliseconds = try coded(interval?.milliseconds, name)
    if isReading { interval = milliseconds.map { .milliseconds($0) } }
  }
}

/// Requirements as `--require` takes them, a string each.
private struct RequirementList: FieldRepresentable {
  private(set) var requirements = Requirements()

  init(_ requirements: Requirements) { self.requirements = requirements }

  var field: [String] { RequirementText.format(requirements) }

  init(field: [String]) throws(WireError) {
    for text in field { try RequirementText.apply(text, to: &requirements) }
  }
}

/// The group that a job moves to; an empty string for none.
private struct GroupChange: FieldRepresentable {
  let group: GroupName?

  init(_ group: GroupName?) { self.group = group }

  var field: String { group?.text ?? "" }

  init(field: String) throws(WireError) {
    self.init(field.isEmpty ? nil : try GroupName(checking: field))
  }
}

extension JobEdit.Start: FieldValue {
  package static var wanted: String { "now, or \(WallTime.wanted)" }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .soon: writer.value("now")
    case .notBefore(let time): writer.value(time)
    }
  }

  package static func read(_ value: JSONValue, at place: FieldPlace) -> JobEdit.Start? {
    String.read(value, at: place) == "now"
      ? .soon : WallTime.read(value, at: place).map { .notBefore($0) }
  }
}
