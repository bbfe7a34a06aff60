package import JobCore

extension FeedLine: Coded {
  package init() { self = .gap(from: 0, to: 0) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    if coder.isReading {
      self = FeedLine(try coder.coded("", "event"), isBrief: !coder.has("job"))
    }
    self =
      switch self {
      case .event(let sequence, let at, let kind, let job):
        .event(
          sequence: try coder.coded(sequence, "seq"), at: try coder.coded(at, "at"),
          try coder.coded(kind, "event"), try coder.coded(job, "job"))
      case .snapshot(let job): .snapshot(try coder.event("snapshot", job, "job"))
      case .progress(let job): .progress(try coder.event("progress", job, "job"))
      case .brief(let number, let progress):
        .brief(
          try coder.event("progress", number, "number"),
          try coder.coded(progress, "progress", null: true))
      case .gap(let from, let to):
        .gap(from: try coder.event("gap", from, "from"), to: try coder.coded(to, "to"))
      case .dropped(let at, let identifier, let error):
        .dropped(
          at: try coder.event("dropped", at, "at"),
          identifier: try coder.coded(identifier, "identifier"), try coder.inline(error))
      }
  }

  /// With values that reading replaces.
  private init(_ event: String, isBrief: Bool) {
    let start = WallTime(milliseconds: 0)
    self =
      switch event {
      case "snapshot": .snapshot(JobStatus())
      case "progress" where isBrief: .brief(JobNumber(0), nil)
      case "progress": .progress(JobStatus())
      case "gap": .gap(from: 0, to: 0)
      case "dropped": .dropped(at: start, identifier: "", WireError())
      default: .event(sequence: 0, at: start, .submitted, JobStatus())
      }
  }

  /// The line of an event whose job is at hand as stored JSON.
  ///
  /// `kind`: the raw value of `Announcement.Kind`; what an older runner stored is passed
  ///   on as it is.
  package static func appendEvent(
    sequence: UInt64, at: WallTime, kind: String, jobJSON: [UInt8], to bytes: inout [UInt8]
  ) {
    var writer = JSONWriter(taking: &bytes)
    writer.beginObject()
    writer.field("seq", sequence)
    writer.field("at", at)
    writer.field("event", kind)
    writer.key("job")
    writer.raw(jobJSON)
    writer.endObject()
    writer.newline()
    writer.finish(into: &bytes)
  }
}

extension FieldCoder {
  /// The word that says what a line is, which a reader knows already, and its first field.
  fileprivate mutating func event<Value: FieldValue>(
    _ word: String, _ value: Value, _ name: StaticString
  ) throws(Failure) -> Value {
    _ = try coded(word, "event")
    return try coded(value, name)
  }
}
