import JobCore

extension JSONWriter {
  /// What a table of jobs shows, in the order of the documentation; nothing that is absent or empty.
  ///
  /// A quarter of the whole object, for lists of a hundred thousand.
  package mutating func brief(_ job: JobStatus) {
    beginObject()
    field("number", job.number.value)
    field("identifier", job.identifier)
    present("definition", job.definition)
    field("title", job.title)
    field("state", job.state.rawValue)
    present("outcome", job.outcome?.rawValue)
    if let reason = job.stopReason {
      field("stopReason", code: reason.code.rawValue, reason.message)
    }
    if let reason = job.pendingReason {
      field("pendingReason", code: reason.code.rawValue, reason.message)
    }
    if let position = job.position { field("position", position) }
    if let prompt = job.prompt { field(prompt) }
    if let progress = job.progress {
      key("progress")
      value(progress)
    }
    present("submitted", job.submitted)
    present("started", job.started)
    present("ended", job.ended)
    present("warning", job.warning)
    present("earliest", job.terms.earliest)
    if !job.terms.requires.isEmpty { field("requires", job.terms.requires) }
    if let recurrence = job.terms.recurrence { field(recurrence) }
    if job.terms.priority != .normal { field("priority", job.terms.priority.rawValue) }
    present("group", job.terms.group)
    endObject()
  }

  private mutating func present(_ name: StaticString, _ text: String?) {
    if let text { field(name, text) }
  }

  private mutating func present(_ name: StaticString, _ time: WallTime?) {
    if let time { field(name, time) }
  }
}
