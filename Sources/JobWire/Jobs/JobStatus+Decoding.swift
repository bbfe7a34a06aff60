import JobCore

extension JobStatus {
  /// Reads what `json` wrote.
  package init(json: ArraySlice<UInt8>) throws(WireError) {
    try self.init(try JSONFields(line: json))
  }

  init(_ fields: JSONFields) throws(WireError) {
    self.init(
      number: JobNumber(try fields.number("number")), identifier: try fields.string("identifier"),
      title: try fields.string("title"), submitted: try fields.time("submitted"),
      log: try fields.optionalString("log") ?? "",
      stateDirectory: try fields.optionalString("stateDirectory") ?? "")
    try readState(fields)
    started = try fields.optionalTime("started")
    ended = try fields.optionalTime("ended")
    definition = try fields.optionalString("definition")
    warning = try fields.optionalString("warning")
    // A brief one, where there is no more to be looked for than this.
    guard fields.contains("log") else {
      terms = try Terms(brief: fields)
      return
    }
    try readAttempt(fields)
    subtitle = try fields.optionalString("subtitle") ?? ""
    gpus = try fields.strings("gpus")
    attached = try fields.optionalNumber("attached") ?? 0
    quietUntil = try fields.optionalTime("quietUntil")
    terms = try Terms(fields)
    if let found = try fields.optionalObject("paused") {
      paused = Paused(
        since: try found.optionalTime("since"), seconds: try found.optionalDouble("seconds") ?? 0)
    }
    engineJob = try fields.optionalString("engineJob")
    node = try fields.optionalString("node")
    controlGroup = try fields.optionalBool("controlGroup")
  }

  private mutating func readState(_ fields: JSONFields) throws(WireError) {
    state = try fields.choice("state")
    outcome = try fields.optionalChoice("outcome")
    if let reason = try fields.optionalObject("stopReason") {
      stopReason = StopReason(try reason.choice("code"), try reason.string("message"))
    }
    if let reason = try fields.optionalObject("pendingReason") {
      pendingReason = PendingReason(try reason.choice("code"), try reason.string("message"))
    }
    position = try fields.optionalNumber("position")
    if let open = try fields.optionalObject("prompt") {
      prompt = Prompt(question: try open.string("question"), since: try open.time("since"))
    }
    if let shown = try fields.optionalObject("progress") { progress = try JobProgress(shown) }
  }

  private mutating func readAttempt(_ fields: JSONFields) throws(WireError) {
    message = try fields.optionalString("message")
    attempt = try fields.number("attempt")
    exitCode = try fields.optionalNumber("exitCode")
    signal = try fields.optionalNumber("signal")
    pid = try fields.optionalNumber("pid")
    use = try ResourceUse(fields)
  }
}

extension JobProgress {
  init(_ fields: JSONFields) throws(WireError) {
    self.init(
      completed: try fields.number("completed"), total: try fields.number("total"),
      unit: try fields.choice("unit"), rate: try fields.optionalDouble("rate"),
      eta: try fields.optionalDouble("eta"), source: try fields.choice("source"),
      recogniser: try fields.optionalString("recogniser"),
      note: try fields.optionalString("note"))
    fraction = try fields.optionalDouble("fraction")
    changed = try fields.optionalTime("changed")
    interval = try fields.optionalDouble("interval")
    if let least = try fields.optionalDouble("etaLeast"),
      let most = try fields.optionalDouble("etaMost"), least <= most
    {
      etaRange = least...most
    }
    line = try fields.optionalString("line")
  }
}
