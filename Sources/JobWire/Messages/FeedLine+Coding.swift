package import JobCore

extension FeedLine {
  /// The line, newline included, appended to `bytes`.
  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .event(let sequence, let at, let kind, let job):
      FeedLine.appendEvent(sequence: sequence, at: at, kind: kind.rawValue, to: &bytes) {
        $0.value(job)
      }
    case .snapshot(let job): FeedLine.append("snapshot", job, to: &bytes)
    case .progress(let job): FeedLine.append("progress", job, to: &bytes)
    case .brief(let number, let progress):
      var writer = JSONWriter(taking: &bytes)
      writer.beginObject()
      writer.field("event", "progress")
      writer.field("number", number.value)
      writer.key("progress")
      if let progress { writer.value(progress) } else { writer.null() }
      writer.endObject()
      writer.newline()
      writer.finish(into: &bytes)
    case .gap(let from, let to):
      var writer = JSONWriter(taking: &bytes)
      writer.beginObject()
      writer.field("event", "gap")
      writer.field("from", from)
      writer.field("to", to)
      writer.endObject()
      writer.newline()
      writer.finish(into: &bytes)
    case .dropped(let at, let identifier, let error):
      var writer = JSONWriter(taking: &bytes)
      writer.beginObject()
      writer.field("event", "dropped")
      writer.field("at", at)
      writer.field("identifier", identifier)
      writer.field("code", error.code.rawValue)
      writer.field("message", error.message)
      writer.endObject()
      writer.newline()
      writer.finish(into: &bytes)
    }
  }

  /// The line of an event whose job is at hand as stored JSON.
  ///
  /// `kind`: the raw value of `Announcement.Kind`; what an older runner stored is passed
  ///   on as it is.
  package static func appendEvent(
    sequence: UInt64, at: WallTime, kind: String, jobJSON: [UInt8], to bytes: inout [UInt8]
  ) {
    appendEvent(sequence: sequence, at: at, kind: kind, to: &bytes) { $0.raw(jobJSON) }
  }

  private static func appendEvent(
    sequence: UInt64, at: WallTime, kind: String, to bytes: inout [UInt8],
    job: (inout JSONWriter) -> Void
  ) {
    var writer = JSONWriter(taking: &bytes)
    writer.beginObject()
    writer.field("seq", sequence)
    writer.field("at", at)
    writer.field("event", kind)
    writer.key("job")
    job(&writer)
    writer.endObject()
    writer.newline()
    writer.finish(into: &bytes)
  }

  private static func append(_ event: String, _ job: JobStatus, to bytes: inout [UInt8]) {
    var writer = JSONWriter(taking: &bytes)
    writer.beginObject()
    writer.field("event", event)
    writer.key("job")
    writer.value(job)
    writer.endObject()
    writer.newline()
    writer.finish(into: &bytes)
  }

  init(_ fields: JSONFields) throws(WireError) {
    switch try fields.string("event") {
    case "snapshot": self = .snapshot(try JobStatus(try fields.object("job")))
    case "progress" where !fields.contains("job"):
      var progress: JobProgress?
      if let shown = try fields.optionalObject("progress") { progress = try JobProgress(shown) }
      self = .brief(JobNumber(try fields.number("number")), progress)
    case "progress": self = .progress(try JobStatus(try fields.object("job")))
    case "gap": self = .gap(from: try fields.number("from"), to: try fields.number("to"))
    case "dropped":
      self = .dropped(
        at: try fields.time("at"), identifier: try fields.string("identifier"),
        WireError(
          ErrorCode(rawValue: try fields.string("code")) ?? .internal, try fields.string("message"))
      )
    default:
      self = .event(
        sequence: try fields.number("seq"), at: try fields.time("at"),
        try fields.choice("event", as: Announcement.Kind.self),
        try JobStatus(try fields.object("job")))
    }
  }
}
