import JobCore

extension RunnerLine {
  /// Reads one line without its newline.
  package init(line: ArraySlice<UInt8>) throws(WireError) {
    let fields = try JSONFields(line: line)
    if fields.contains("event") {
      self = .feed(try FeedLine(fields))
    } else if fields.contains("host") {
      self = .host(try HostLine(fields))
    } else {
      self = .reply(try ReplyLine(fields))
    }
  }
}

extension ReplyLine {
  fileprivate init(_ fields: JSONFields) throws(WireError) {
    if let error = try fields.optionalObject("error") {
      // A later runner may know more codes; its sentence is still worth reading.
      let code = ErrorCode(rawValue: try error.string("code")) ?? .internal
      self = .error(
        id: try fields.optionalNumber("id"), WireError(code, try error.string("message")))
    } else if let answer = try fields.optionalObject("ok") {
      self = .ok(id: try fields.number("id"), try Response(answer))
    } else {
      self = .job(id: try fields.number("id"), try JobStatus(try fields.object("job")))
    }
  }
}

extension Response {
  /// Each kind of answer is known by a member that only it has.
  fileprivate init(_ fields: JSONFields) throws(WireError) {
    if fields.contains("failed") {
      self = .tally(try JobTally(fields))
    } else if fields.contains("kept") {
      self = .submitted(
        try JobStatus(try fields.object("job")), kept: try fields.bool("kept"),
        duplicate: try fields.bool("duplicate"))
    } else if fields.contains("job") {
      self = .job(
        try JobStatus(try fields.object("job")), message: try fields.optionalString("message"))
    } else if fields.contains("first") {
      self = .submittedMany(
        first: JobNumber(try fields.number("first")), count: try fields.number("count"),
        duplicate: try fields.bool("duplicate"))
    } else if fields.contains("count") {
      self = .count(
        try fields.number("count"), isHeld: try fields.optionalBool("held") ?? false)
    } else if fields.contains("gpu") {
      self = .resources(try ResourcesReport(fields))
    } else if fields.contains("pid") {
      self = .status(try RunnerStatus(fields))
    } else {
      self = .empty
    }
  }
}
