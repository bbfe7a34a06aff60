package import JobCore

extension JSONWriter {
  /// Only what is to change.
  mutating func fields(_ edit: JobEdit) {
    if let title = edit.title { field("title", title) }
    if let subtitle = edit.subtitle { field("subtitle", subtitle) }
    if let priority = edit.priority { field("priority", priority.rawValue) }
    if let after = edit.after { field("after", after.map { $0.number }) }
    if let after = edit.afterAny { field("afterAny", after.map { $0.number }) }
    if let limit = edit.limit { field("limitMs", limit.milliseconds) }
    if let grace = edit.grace { field("graceMs", grace.milliseconds) }
    if let retries = edit.retries { field("retries", retries) }
    if let delay = edit.retryDelay { field("retryDelayMs", delay.milliseconds) }
    if let requirements = edit.requirements {
      field("requires", RequirementText.format(requirements))
    }
    if edit.namesGroup { field("group", edit.group?.text ?? "") }
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
    limit = try fields.span("limitMs")
    grace = try fields.span("graceMs")
    retries = try fields.optionalNumber("retries")
    retryDelay = try fields.span("retryDelayMs")
    if fields.contains("requires") {
      var requirements = Requirements()
      for text in try fields.strings("requires") {
        try RequirementText.apply(text, to: &requirements)
      }
      self.requirements = requirements
    }
    if let name = try fields.optionalString("group") {
      if name.isEmpty { leavesGroup = true } else { group = try GroupName(checking: name) }
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
        .usage,
        "nothing is to change; name a title, subtitle, priority, after, notBefore, limit, grace, retries,"
          + " requirements or group")
    }
    if let title { try SubmitRequest.checkTitle(title) }
    if let subtitle { try SubmitRequest.checkShown(subtitle, name: "subtitle") }
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

extension JSONFields {
  fileprivate func span(_ name: String) throws(WireError) -> Interval? {
    try optionalNumber(name, as: UInt64.self).map { Interval.milliseconds($0) }
  }
}
