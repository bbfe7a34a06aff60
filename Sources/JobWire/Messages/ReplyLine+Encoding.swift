import JobCore

extension ReplyLine {
  /// The line of this reply, newline included, appended to `bytes`.
  package func append(to bytes: inout [UInt8]) {
    var writer = JSONWriter(taking: &bytes)
    writer.beginObject()
    switch self {
    case .ok(let id, let response):
      writer.field("id", id)
      writer.key("ok")
      writer.value(response)
    case .job(let id, let job):
      writer.field("id", id)
      writer.key("job")
      writer.value(job)
    case .error(let id, let error):
      writer.field("id", id)
      writer.key("error")
      writer.value(error)
    }
    writer.endObject()
    writer.newline()
    writer.finish(into: &bytes)
  }

  /// The line of one job of a brief list.
  package static func appendBrief(id: UInt64, _ job: JobStatus, to bytes: inout [UInt8]) {
    var writer = JSONWriter(taking: &bytes)
    writer.beginObject()
    writer.field("id", id)
    writer.key("job")
    writer.brief(job)
    writer.endObject()
    writer.newline()
    writer.finish(into: &bytes)
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ response: Response) {
    switch response {
    case .resources(let report): return value(report)
    case .status(let status): return value(status)
    case .tally(let tally): return value(tally)
    case .empty, .submitted, .submittedMany, .job, .count: break
    }
    beginObject()
    switch response {
    case .submitted(let job, let kept, let duplicate):
      key("job")
      value(job)
      field("kept", kept)
      field("duplicate", duplicate)
    case .submittedMany(let first, let count, let duplicate):
      field("first", first.value)
      field("count", count)
      field("duplicate", duplicate)
    case .job(let job, let message):
      key("job")
      value(job)
      if let message { field("message", message) }
    case .count(let count, let isHeld):
      field("count", count)
      if isHeld { field("held", true) }
    case .empty, .resources, .status, .tally: break
    }
    endObject()
  }
}
