import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun schedule [--every D] [--at HH:MM] -- COMMAND ARG …`.
  func scheduleCommand(_ typed: Invocation) throws(WireError) -> Int32 {
    let invocation = try scriptOptions(of: typed)
    guard !invocation.arguments.isEmpty else {
      throw WireError(
        .usage,
        "schedule needs a JOB, or a command after --, as in jobrun schedule --every 1d --at 03:00 --"
          + " ./backup.sh")
    }
    let link = try link()
    let directory = try surroundings.directory()
    var request = try Submitter.request(forCommand: invocation)
    let moment = try Recurring.moment(invocation, at: Moment.present.wall)
    request.notBefore = moment.first
    request.details.recurrence = moment.rule
    request.details.input = try submittedInput(
      invocation, for: request, paths: link.paths
    ).input
    guard request.details.input.isRepeatable else {
      throw WireError(.usage, "\(Flag.stdin.spelling) must be a file: it is read at another time")
    }
    let specification = try specification(ofCommand: invocation, in: directory)
    return tell(try link.submit(request, specification).job, invocation)
  }

  /// Reports the job and the reason for its wait.
  func tell(_ job: JobStatus, _ invocation: Invocation) -> Int32 {
    if invocation.isSet(.json) {
      writeJSON(job)
    } else {
      data.buffer(line: "\(job.number) \(job.identifier)")
    }
    data.flush()
    if let sentence = PendingTable.sentence(job, at: .present), !invocation.isSet(.json) {
      let starts = PendingTable.time(job, at: .present) != nil
      talk.write(line: "job \(job.number) \(starts ? "starts \(sentence)" : "waits: \(sentence)")")
    }
    return ExitCode.success
  }
}

/// When a scheduled command runs first, and when again.
enum Recurring {
  static func moment(
    _ invocation: Invocation, at now: WallTime
  ) throws(WireError) -> (first: WallTime?, rule: Recurrence?) {
    let (days, minute) = try daysAndMinute(invocation)
    let earliest = try invocation.text(.earliest).map { text throws(WireError) in
      try TimeText.parse(text, now: now, flag: .earliest)
    }
    if let days, let minute {
      guard !invocation.isSet(.every) else {
        throw WireError(
          .usage,
          "\(Flag.every.spelling) and the days of \(Flag.at.spelling) cannot be used together")
      }
      let rule = Recurrence(every: .days(1), minuteOfDay: minute, days: days)
      return (rule.next(after: now, last: now, on: LocalCalendar()), rule)
    }
    guard let every = invocation.duration(.every) else {
      guard minute != nil || earliest != nil else {
        throw WireError(
          .usage,
          "schedule needs a time for a command: \(Flag.every.spelling), \(Flag.at.spelling) or"
            + " \(Flag.earliest.spelling); jobrun run starts it now")
      }
      return (earliest ?? minute.map { next($0, after: now) }, nil)
    }
    guard every >= Recurrence.shortest else {
      throw WireError(
        .usage,
        "\(Flag.every.spelling) is \(DurationText.format(every)); a minute (1m) is the shortest")
    }
    let first = earliest ?? first(every, minute, after: now)
    let shown = LocalClock.shown(first.milliseconds) / 60_000 % 1440
    let isDays = every.milliseconds.isMultiple(of: 86_400_000)
    return (first, Recurrence(every: every, minuteOfDay: minute ?? (isDays ? Int(shown) : nil)))
  }

  private static func first(_ every: Interval, _ minute: Int?, after now: WallTime) -> WallTime {
    guard let minute else {
      return WallTime(milliseconds: now.milliseconds + Int64(clamping: every.milliseconds))
    }
    // More often than daily, the time of day is one of several.
    let daily = next(minute, after: now)
    let before = WallTime(milliseconds: daily.milliseconds - 86_400_000)
    let rule = Recurrence(every: every, minuteOfDay: minute)
    return min(daily, rule.next(after: now, last: before, on: LocalCalendar()))
  }

  private static func next(_ minute: Int, after now: WallTime) -> WallTime {
    WallTime(
      milliseconds: LocalClock.next(
        hour: minute / 60, minute: minute % 60, after: now.milliseconds))
  }

  private static func daysAndMinute(
    _ invocation: Invocation
  ) throws(WireError) -> (days: CivilDays?, minute: Int?) {
    guard let text = invocation.text(.at) else { return (nil, nil) }
    guard !invocation.isSet(.earliest) else {
      throw WireError(
        .usage, "\(Flag.at.spelling) and \(Flag.earliest.spelling) cannot be used together")
    }
    let clock = text.split(separator: " ").last.map(String.init) ?? ""
    let words = text.dropLast(clock.count)
    if let minute = ClockText.parse(clock), text.hasSuffix(clock) {
      if words.allSatisfy({ $0 == " " }) { return (nil, minute) }
      if let days = CivilDaysText.parse(String(words)) { return (days, minute) }
    }
    throw WireError(
      .usage,
      "\(Flag.at.spelling) is \(text.quoted); it must be a time of day, such as 03:00, after days or not,"
        + " such as \"mon-fri 03:00\" or \"1st,15th 04:00\""
    )
  }
}
