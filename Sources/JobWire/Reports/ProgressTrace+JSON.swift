package import JobCore

extension JSONWriter {
  /// A job with its trace: what `jobrun report --json` prints of each.
  package mutating func value(_ job: JobStatus, _ trace: ProgressTrace) {
    beginObject()
    key("job")
    value(job)
    key("points")
    beginArray()
    for point in trace.points {
      beginObject()
      field("at", point.at)
      field("attempt", point.attempt)
      field("completed", point.completed)
      field("total", point.total)
      field("unit", point.unit.rawValue)
      field("fraction", point.fraction)
      field("mark", point.mark?.word)
      endObject()
    }
    endArray()
    endObject()
  }
}
