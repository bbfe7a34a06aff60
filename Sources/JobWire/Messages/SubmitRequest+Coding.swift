import JobCore

extension JSONWriter {
  mutating func value(_ job: SubmitRequest) {
    beginObject()
    field("key", job.key)
    field("identifier", job.identifier)
    field("definition", job.definition)
    field("title", job.title)
    field("subtitle", job.subtitle)
    value(job.options)
    field("bundle", job.bundle)
    if job.isListed { field("listed", true) }
    field("notBefore", job.notBefore)
    if job.isHeld { field("hold", true) }
    if !job.after.isEmpty { field("after", ranges: job.after) }
    if !job.afterAny.isEmpty { field("afterAny", ranges: job.afterAny) }
    if !job.afterOne.isEmpty { field("afterOne", ranges: job.afterOne) }
    if let onEnd = job.details.onEnd { field("onEnd", onEnd) }
    if let host = job.host { field("host", host) }
    var details = job.details
    details.onEnd = nil
    if details != JobDetails() {
      key("details")
      value(details)
    }
    endObject()
  }
}

extension SubmitRequest {
  init(_ fields: JSONFields) throws(WireError) {
    self.init(
      key: try fields.string("key"), identifier: try fields.string("identifier"),
      title: try fields.string("title"), speaksPage: try fields.bool("speaksPage"))
    definition = try fields.optionalString("definition")
    subtitle = try fields.optionalString("subtitle") ?? subtitle
    try options.read(fields)
    bundle = try fields.optionalString("bundle")
    isListed = try fields.optionalBool("listed") ?? false
    notBefore = try fields.optionalTime("notBefore")
    isHeld = try fields.optionalBool("hold") ?? false
    host = try fields.optionalString("host")
    after = try fields.jobNumbers("after")
    afterAny = try fields.jobNumbers("afterAny")
    afterOne = try fields.jobNumbers("afterOne")
    if let wanted = try fields.optionalObject("details") { details = try JobDetails(wanted) }
    details.onEnd = try fields.optionalString("onEnd")
  }
}
