package import JobCore

extension JSONWriter {
  /// Only what is to change.
  mutating func fields(_ edit: JobEdit) {
    if let title = edit.title { field("title", title) }
    if let subtitle = edit.subtitle { field("subtitle", subtitle) }
    if let priority = edit.priority { field("priority", priority.rawValue) }
    if let after = edit.after { field("after", after.map { $0.number }) }
    if let after = edit.afterAny { field("afterAny", after.map { $0.number }) }
    switch edit.start {
    case .soon: field("notBefore", "now")
    case .notBefore(let time): field("notBefore", time)
    case nil: break
    }
  }
}

extension JobEdit {
  init(_ fields: JSONFields) throws(WireError) {
    self.init()
    title = try fields.optionalString("title")
    subtitle = try fields.optionalString("subtitle")
    priority = try fields.optionalChoice("priority")
    if fields.contains("after") {
      after = Prerequisite.list(after: try fields.jobNumbers("after"), afterAny: [])
    }
    if fields.contains("afterAny") {
      afterAny = Prerequisite.list(after: [], afterAny: try fields.jobNumbers("afterAny"))
    }
    if try fields.optionalString("notBefore") == "now" {
      start = .soon
    } else if let time = try fields.optionalTime("notBefore") {
      start = .notBefore(time)
    }
  }

  /// - Throws: `usage`, with a sentence about the first thing that is wrong.
  package func check() throws(WireError) {
    guard !isEmpty else {
      throw WireError(
        .usage, "nothing is to change; name a title, subtitle, priority, after or notBefore")
    }
    if let title { try SubmitRequest.checkTitle(title) }
    if let subtitle { try SubmitRequest.checkShown(subtitle, name: "subtitle") }
    let others = named.count
    guard others <= Limits.prerequisites else {
      throw WireError(
        .usage, "the job is to come after \(others) others; \(Limits.prerequisites) is the limit")
    }
  }
}
