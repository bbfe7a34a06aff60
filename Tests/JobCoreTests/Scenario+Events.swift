import JobCore
import SimulatedWorld

extension Scenario {
  /// The event that a line names.
  mutating func event(_ words: [String]) throws(BadLine) -> Event {
    tag += 1
    let tag = RequestTag(tag)
    let options = Options(words.dropFirst())
    switch words[0] {
    case "submit": return .submit(tag, try submission(words[1], options))
    case "batch":
      return .batch(
        tag, Batch(try submission(words[1], options), count: options.number("count") ?? 1))
    case "cancel", "pause", "resume": return try steering(words, options, tag)
    case "withdraw": return .withdraw(tag, try number(words[1]))
    case "yes", "no": return .answer(tag, try number(words[1]), continues: words[0] == "yes")
    case "shutdown": return .shutdown(discardsQueue: options.has("discard"))
    case "deadline": return .deadline
    case "clock": return .timeOfDay(try time(words[1]))
    case "lost": return .hostLost(try number(words[1]), "process 7 has ended")
    case "machine": return .machine(try facts(options))
    case "started", "worked":
      let (number, attempt) = try run(words[1])
      return words[0] == "started"
        ? .started(number, attempt: attempt) : .worked(number, attempt: attempt)
    case "sampled":
      return .sampled(try number(words[1]), try sample(options), ages: ages(options))
    case "pending": return try pending(words[1], options)
    case "start": return .start(tag, try number(words[1]))
    case "pausegroup", "resumegroup":
      guard let group = GroupName(words[1]) else { throw BadLine(description: "no group") }
      return .pauseGroup(group, words[0] == "pausegroup")
    case "counted": return .counted(engines(words.dropFirst()))
    case "engines":
      return .engines(engines(words.dropFirst()), pools: pools(words.dropFirst()))
    case "surveyed": return .surveyed(words[1], try survey(options))
    case "finished":
      let (number, attempt) = try run(words[1])
      return .finished(number, attempt: attempt, try end(options))
    case "restore":
      return .restore(
        try number(words[1]), try submission(words[2], options),
        attempt: options.number("attempt") ?? 1, try phase(words[3], options),
        past: past(options))
    case "redo":
      return .redo(
        tag, try number(words[1]), try submission(words[2], options),
        attempt: options.number("attempt") ?? 2, isForced: options.has("force"))
    case "budget": return .budget(budget(options))
    case "save": return .saving("the battery has 15 % left, below 20 %")
    case "unsave": return .saving(nil)
    case "busy":
      return .busy(
        pressure: options.has("memory") ? "memory is short" : nil,
        presence: options.has("somebody") ? "somebody is there" : nil)
    case "usual":
      return .expected(try number(words[1]), options.span("length") ?? .zero)
    case "settings": return .settings(try settings(words.dropFirst()))
    case "group": return .groups(try groups(words[1], options))
    case "slots": return .slots(Int(words[1]) ?? 0)
    case "hold": return .hold(tag, try number(words[1]))
    case "release": return .release(tag, try number(words[1]))
    case "move" where words[2] == "first": return .move(tag, try number(words[1]), behind: nil)
    case "move": return .move(tag, try number(words[1]), behind: try number(words[3]))
    case "edit": return .edit(tag, try number(words[1]), try edit(options))
    case "simulate":
      guard let simulation = Simulation(rawValue: words[1]) else {
        throw BadLine(description: "no such simulation")
      }
      return .simulate(tag, try number(words[2]), simulation)
    default: return try past(words, options)
    }
  }

  /// Of one job, of `all`, of a group, of a range, or of the runner.
  private func steering(
    _ words: [String], _ options: Options, _ tag: RequestTag
  ) throws(BadLine) -> Event {
    let (isNow, keeps) = (options.has("now"), options.has("keep"))
    let length = options.span("for")
    if let group = group(words[1]) {
      switch words[0] {
      case "cancel": return .cancelAll(tag, now: isNow, in: group)
      case "pause": return .pauseAll(tag, keepsSlot: keeps, length: length, in: group)
      default: return .resumeAll(tag, in: group)
      }
    }
    switch words[0] {
    case "cancel" where words[1] == "all": return .cancelAll(tag, now: isNow)
    case "cancel" where options.number("count") != nil:
      let range = JobRange(first: try number(words[1]), count: options.number("count") ?? 1)
      return .cancelAll(tag, now: isNow, in: .range(range))
    case "cancel": return .cancel(tag, try number(words[1]), now: isNow)
    case "pause" where words[1] == "runner": return .pauseRunner(true)
    case "pause" where words[1] == "all": return .pauseAll(tag, keepsSlot: keeps, length: length)
    case "pause":
      return .pause(tag, try number(words[1]), keepsSlot: keeps, length: length)
    case "resume" where words[1] == "runner": return .pauseRunner(false)
    case "resume" where words[1] == "all": return .resumeAll(tag)
    default: return .resume(tag, try number(words[1]))
    }
  }

  /// `woken a ago=4`: an earlier runner's push, this many seconds before the civil clock's beginning.
  private mutating func past(_ words: [String], _ options: Options) throws(BadLine) -> Event {
    guard words[0] == "woken" else { throw BadLine(description: "no such event") }
    let start = WallTime(milliseconds: -1000 * Int64(options.number("ago") ?? 0))
    let name = try submission(words[1], options).identifier
    return .uses([
      UsageRecord(
        name, name, isPush: true, from: start, to: start, processorTime: .zero, .succeeded, nil)
    ])
  }

  /// How long ago it reported, and advanced: `ago=6s still=1m`.
  private func ages(_ options: Options) -> SampleAges? {
    options.span("ago").map {
      SampleAges(reported: $0, advanced: options.span("still") ?? $0)
    }
  }

  /// Of `pending 1 for=held why=maintenance`.
  private func pending(_ word: String, _ options: Options) throws(BadLine) -> Event {
    let (number, attempt) = try run(word)
    let code = PendingReason.Code(rawValue: options.word("for") ?? "engine") ?? .engine
    return .pending(
      number, attempt: attempt, PendingReason(code, options.word("why") ?? "others are ahead"))
  }

  /// `title=Trip priority=low after=1+2 any=3 at=5s soon`; `after=none` for none.
  private func edit(_ options: Options) throws(BadLine) -> JobEdit {
    var edit = JobEdit()
    edit.title = options.word("title")
    edit.priority = options.word("priority").flatMap { Submission.Priority(rawValue: $0) }
    if let word = options.word("after") {
      edit.after = word == "none" ? [] : try prerequisites(word)
    }
    if let word = options.word("any") {
      edit.afterAny = word == "none" ? [] : try prerequisites(word, anyEnd: true)
    }
    if let word = options.word("at") { edit.start = .notBefore(try time(word)) }
    if options.has("soon") { edit.start = .soon }
    edit.limit = options.span("limit")
    edit.group = options.word("group").flatMap { GroupName($0) }
    if options.number("licence") != nil { edit.requirements = requirements(options) }
    return edit
  }

  /// `group:NAME`.
  private func group(_ word: String) -> JobSelection? {
    let parts = word.split(separator: ":")
    guard parts.count == 2, parts[0] == "group" else { return nil }
    return GroupName(String(parts[1])).map { .group($0) }
  }

  func number(_ word: String) throws(BadLine) -> JobNumber {
    guard let value = UInt64(word) else { throw BadLine(description: "\(word) is no number") }
    return JobNumber(value)
  }

  /// `3.2` is the second attempt of job 3; `3` the first.
  private func run(_ word: String) throws(BadLine) -> (JobNumber, Int) {
    let parts = word.split(separator: ".").map(String.init)
    return (try number(parts[0]), parts.count > 1 ? Int(parts[1]) ?? 0 : 1)
  }

  private mutating func submission(
    _ name: String, _ options: Options
  ) throws(BadLine) -> Submission {
    guard let identifier = JobIdentifier("test." + name) else {
      throw BadLine(description: "\(name) makes no identifier")
    }
    keys += 1
    var submission = Submission(
      key: options.word("key") ?? "key \(keys)", identifier: identifier,
      speaksPage: !options.has("plain"))
    submission.isHosted = options.has("hosted")
    submission.options.group = options.word("group").flatMap { GroupName($0) }
    if options.has("fail") { submission.options.strategy = .fail }
    if options.has("keep") { submission.options.ifExists = .keep }
    if options.has("replace") { submission.options.ifExists = .replace }
    if let word = options.word("onstall"), let rule = Submission.OnStall(rawValue: word) {
      submission.options.onStall = rule
    }
    if options.has("ignoreslow") { submission.options.onSlow = .ignore }
    submission.options.answerWithin = options.span("answer")
    submission.options.stallAfter = options.span("stall") ?? submission.options.stallAfter
    submission.options.silentAfter = options.span("silent")
    submission.options.grace = options.span("grace") ?? submission.options.grace
    submission.options.observation.canStall = options.has("asked")
    submission.options.limit = options.span("limit")
    submission.options.resumable = options.has("resumable")
    submission.options.retries = options.number("retries") ?? 0
    submission.options.retryDelay = options.span("every")
    submission.options.requirements = requirements(options)
    for kind in Submission.Kind.allCases where options.has(kind.rawValue) {
      submission.options.kind = kind
    }
    if submission.options.kind.isScheduled {
      submission.bundle = JobIdentifier(options.word("of") ?? "test")
    } else if let bundle = options.word("of") {
      submission.bundle = JobIdentifier(bundle)
    }
    for priority in Submission.Priority.allCases where options.has(priority.rawValue) {
      submission.options.priority = priority
    }
    submission.options.engine = options.word("on")
    submission.isHeld = options.has("held")
    submission.options.halts = options.has("halts")
    submission.options.haltsSoon = options.has("soon")
    submission.options.haltsOnSuccess = options.has("untilsuccess")
    submission.options.haltAfter = options.number("failures") ?? 1
    submission.options.slots = options.number("wide") ?? 1
    submission.options.isExclusive = options.has("alone")
    submission.options.groupSlots = options.number("own") ?? 0
    submission.options.retriesExpired = options.has("again")
    submission.options.startsApart = options.span("apart")
    submission.seat = options.number("seat").map { Int64($0) }
    submission.after = try prerequisites(options.word("after") ?? "")
    submission.after += try prerequisites(options.word("any") ?? "", anyEnd: true)
    submission.after += try prerequisites(options.word("one") ?? "").map {
      Prerequisite($0.number, isOne: true, outcome: $0.outcome)
    }
    if let word = options.word("at") { submission.notBefore = try time(word) }
    return submission
  }

  /// How many each may have: `cluster=2 tower=1`.
  private func engines(_ words: some Sequence<String>) -> [String: Int] {
    words.reduce(into: [:]) { engines, word in
      let halves = word.split(separator: "=").map(String.init)
      if halves.count > 1, Int(halves[1]) == nil { return }
      engines[halves[0]] = halves.count > 1 ? Int(halves[1]) ?? 0 : 0
    }
  }

  private func survey(_ options: Options) throws(BadLine) -> Survey {
    options.has("silent") ? .silent("no route to host") : .facts(try facts(options))
  }

  /// Of which machines one may be chosen: `boxes=here+tower tower=2`; each machine is a pool of its own then.
  private func pools(_ words: some Sequence<String>) -> [String: [String]] {
    var pools: [String: [String]] = [:]
    for word in words where word.contains("+") || word.hasSuffix("=here") {
      let halves = word.split(separator: "=").map(String.init)
      pools[halves[0]] = halves[1].split(separator: "+").map(String.init)
    }
    for machine in Set(pools.values.joined()) where machine != MachineName.here {
      pools[machine] = [machine]
    }
    return pools
  }

  private func engineEnd(_ word: String) throws(BadLine) -> RunEnd.EngineEnd {
    switch word {
    case "cancelled": .cancelled("somebody else did")
    case "preempted": .preempted("its place was needed")
    case "unseen": .unseen("why")
    case "lost": .lost("its node is gone")
    case "memory": .outOfMemory("it had 1 GB")
    case "limit": .overLimit("its time was up")
    case "refused": .refused("it asks for too much")
    default: throw BadLine(description: "\(word) is no end of an engine")
    }
  }

  /// `1+2:failed`: after job 1, which is live, and job 2, which has ended.
  private func prerequisites(
    _ word: String, anyEnd: Bool = false
  ) throws(BadLine) -> [Prerequisite] {
    var prerequisites: [Prerequisite] = []
    for part in word.split(separator: "+") {
      let halves = part.split(separator: ":").map(String.init)
      prerequisites.append(
        Prerequisite(
          try number(halves[0]), anyEnd: anyEnd,
          outcome: halves.count > 1 ? Outcome(rawValue: halves[1]) : nil))
    }
    return prerequisites
  }

  /// A time of day, as long after midnight as a span is.
  private func time(_ word: String) throws(BadLine) -> WallTime {
    guard let span = Interval(text: word) else { throw BadLine(description: "\(word) is no time") }
    return WallTime(milliseconds: Int64(span.milliseconds))
  }

  private func requirements(_ options: Options) -> Requirements {
    var needed = Requirements()
    needed.gpuCount = options.has("gpu") ? 1 : options.number("gpu") ?? 0
    needed.gpuMemoryBytes = options.bytes("gpumem") ?? 0
    needed.processors = options.number("cpus") ?? 0
    for name in ["licence", "tape"] {
      if let count = options.number(name) { needed.counted.append(CountedNeed(name, count)) }
    }
    needed.memoryBytes = options.bytes("memory") ?? 0
    needed.diskBytes = options.bytes("disk") ?? 0
    needed.network = options.has("network")
    needed.power = options.has("power")
    needed.whenIdle = options.has("idle")
    return needed
  }

  /// `3/10`, `reports=4`, `text=2`, `log=100`, `quiet=60s`.
  private func sample(_ options: Options) throws(BadLine) -> PageSample {
    var sample = PageSample()
    for word in options.words where word.contains("/") && !word.contains("=") {
      let parts = word.split(separator: "/").compactMap { UInt64($0) }
      guard parts.count == 2 else { throw BadLine(description: "\(word) is no count") }
      sample.completed = parts[0]
      sample.total = parts[1]
    }
    sample.reports = UInt64(options.number("reports") ?? 0)
    sample.textSequence = UInt64(options.number("text") ?? 0)
    sample.logBytes = UInt64(options.number("log") ?? 0)
    sample.quietUntil = Instant(nanoseconds: options.span("quiet")?.nanoseconds ?? 0)
    return sample
  }

  private func end(_ options: Options) throws(BadLine) -> RunEnd {
    var status = RunEnd.Status.exited(0)
    if let code = options.number("exit") { status = .exited(Int32(code)) }
    if let signal = options.number("signal") { status = .signalled(Int32(signal)) }
    if options.has("cannot") { status = .cannotStart("there is no such program") }
    if options.has("lost") { status = .supervisorLost }
    if options.has("reboot") { status = .rebooted }
    if options.has("revoked") { status = .revoked }
    if options.has("complete") { status = .completed }
    if options.has("gone") { status = .hostEnded }
    if options.has("outlives") { status = .outlives }
    if let word = options.word("engine") { status = .engine(try engineEnd(word)) }
    var declared = RunEnd.Declared.nothing
    if options.has("success") { declared = .success }
    if options.has("failure") { declared = .failure }
    if let delay = options.span("deferred") { declared = .deferred(delay) }
    var end = RunEnd(status: status, declared: declared, sample: try sample(options))
    end.processorTime = options.span("cpu") ?? .zero
    end.ran = options.span("ran")
    return end
  }

  /// `failures=2`, `spent=5s`, `since=1s`.
  private func past(_ options: Options) -> PastAttempts {
    var past = PastAttempts()
    past.failures = options.number("failures") ?? 0
    past.spent = options.span("spent") ?? .zero
    past.paused = options.span("paused") ?? .zero
    past.quietExtension = options.span("extended") ?? .zero
    past.machine = options.word("place")
    past.hasWorked = options.has("worked")
    past.pauseMark = UInt64(options.number("mark") ?? 0)
    past.runningSince = options.span("since").map { Instant(nanoseconds: $0.nanoseconds) }
    return past
  }

  private func phase(_ word: String, _ options: Options) throws(BadLine) -> RestoredPhase {
    let held = (options.word("holds") ?? "").split(separator: "+").map { "GPU-\($0)" }
    switch word {
    case "queued": return .queued
    case "delayed":
      return .delayed(
        until: Instant(nanoseconds: options.span("until")?.nanoseconds ?? 0),
        PendingReason(.retry, "attempt 1 failed"))
    case "lingering": return .lingering(gpus: held)
    case "launching": return .launching(gpus: held)
    case "running": return .running(gpus: held, sample: try sample(options), stalledSince: nil)
    case "stalled":
      return .running(gpus: held, sample: try sample(options), stalledSince: now)
    case "paused":
      var pause = Pause(
        since: Instant(nanoseconds: options.span("at")?.nanoseconds ?? 0),
        keepsSlot: options.has("keep"),
        until: options.span("until").map { Instant(nanoseconds: $0.nanoseconds) })
      if options.has("wanted") { pause.waits = PendingReason(.slots, "it waits for a slot") }
      return .paused(gpus: held, sample: try sample(options), pause)
    case "stopping":
      return .stopping(
        gpus: held, StopReason(.user, "it was cancelled on request"), deadline: now + .seconds(10))
    default: throw BadLine(description: "\(word) is no phase")
    }
  }
}
