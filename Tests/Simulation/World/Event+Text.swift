package import JobCore

extension Event {
  /// As a trace shows it.
  package var text: String {
    switch self {
    case .submit(_, let submission): "submit \(submission.key): \(submission.text)"
    case .batch(_, let batch):
      "submit \(batch.count) as \(batch.stem.key): \(batch.stem.text)"
    case .cancel(_, let number, let isNow, _): "cancel \(number)\(isNow ? " now" : "")"
    case .cancelAll(_, let isNow, let some, _): "cancel \(some.text)\(isNow ? " now" : "")"
    case .pause(_, let number, let keepsSlot, let length):
      "pause \(number)\(keepsSlot ? " with its slot" : "")\(length.map { " for \($0.text)" } ?? "")"
    case .pauseAll(_, let keepsSlot, let length, let some):
      "pause \(some.text)\(keepsSlot ? " with their slots" : "")\(length.map { " for \($0.text)" } ?? "")"
    case .resume(_, let number): "resume \(number)"
    case .resumeAll(_, let some): "resume \(some.text)"
    case .pauseRunner(let isPaused): isPaused ? "nothing starts" : "everything starts"
    case .pauseGroup(let group, let isPaused):
      isPaused ? "nothing of \(group) starts" : "everything of \(group) starts"
    case .start(_, let number): "start \(number)"
    case .counted(let totals): "\(totals.count) things are counted"
    case .halted(let stem, let count): "\(count) of \(stem) have ended so"
    case .withdraw(_, let number): "withdraw \(number)"
    case .answer(_, let number, let continues): "answer \(number) \(continues ? "yes" : "no")"
    case .shutdown(let discardsQueue): discardsQueue ? "shutdown discard" : "shutdown"
    case .machine(let facts): "machine \(facts.text)"
    case .started(let number, let attempt): "started \(number).\(attempt)"
    case .pending(let number, let attempt, let reason):
      "pending \(number).\(attempt): \(reason.code)"
    case .sampled(let number, let sample, _):
      "sampled \(number) \(sample.completed)/\(sample.total) reports \(sample.reports)"
    case .worked(let number, let attempt): "worked \(number).\(attempt)"
    case .expected(let number, let usual): "expected \(number) \(usual.text)"
    case .finished(let number, let attempt, let end):
      "finished \(number).\(attempt) \(end.status) declared \(end.declared)"
    case .hostLost(let number, _): "host lost \(number)"
    case .deadline: "deadline"
    case .timeOfDay(let time): "time of day \(time.milliseconds)ms"
    case .restore(let number, _, let attempt, let phase, _):
      "restore \(number).\(attempt) \(phase.text)"
    case .redo(_, let number, _, let attempt, let isForced):
      "redo \(number).\(attempt)\(isForced ? " forced" : "")"
    case .slots(let count): "slots \(count)"
    case .hold(_, let number): "hold \(number)"
    case .release(_, let number): "release \(number)"
    case .move(_, let number, let target):
      "move \(number) \(target.map { "behind \($0)" } ?? "first")"
    case .edit(_, let number, let edit): "edit \(number): \(edit.text)"
    case .engines(let engines, let pools):
      "engines \(engines.keys.sorted()), pools \(pools.keys.sorted())"
    case .surveyed(let machine, .silent(let why)): "\(machine) is silent: \(why)"
    case .surveyed(let machine, .facts(let facts)): "\(machine) has \(facts.text)"
    case .settings(let settings): "settings of \(settings.keys.map(\.text).sorted())"
    case .saving(let why): why == nil ? "power is there" : "power is short"
    case .busy(let pressure, let presence):
      (pressure == nil ? "nothing is short" : "something is short")
        + (presence == nil ? ", nobody is there" : ", somebody is there")
    case .budget(let budget):
      "budget of \(budget?.starts.map { "\($0)" } ?? "any number of") starts"
    case .uses(let past): "\(past.count) uses of earlier runners"
    case .groups(let slots):
      "groups \(slots.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))"
    case .simulate(_, let number, let what): "simulate \(what) \(number)"
    }
  }
}

extension JobEdit {
  package var text: String {
    var words: [String] = []
    if let title { words.append(title) }
    if let priority { words.append("\(priority)") }
    if let after { words.append("after \(after.map(\.number.description))") }
    if let start { words.append("\(start)") }
    return words.joined(separator: ", ")
  }
}

extension RestoredPhase {
  fileprivate var text: String {
    switch self {
    case .queued: "queued"
    case .delayed(let until, let reason): "\(reason.code) until \(until.nanoseconds / 1_000_000)ms"
    case .launching(let gpus): "launching on \(gpus)"
    case .running(let gpus, _, let since): "running on \(gpus)\(since == nil ? "" : ", stalled")"
    case .paused(let gpus, _, let pause):
      "paused on \(gpus)\(pause.waits == nil ? "" : ", to go on")"
    case .lingering(let gpus): "lingering on \(gpus)"
    case .stopping(let gpus, let reason, _): "stopping \(reason.code) on \(gpus)"
    }
  }
}

extension Submission {
  var text: String {
    var words = ["\(identifier)"] + options.words
    if isHosted { words.append("hosted") }
    if let bundle { words.append("of \(bundle)") }
    if let notBefore { words.append("not before \(notBefore.milliseconds)ms") }
    if isHeld { words.append("held") }
    if let seat { words.append("seat \(seat)") }
    if !after.isEmpty { words.append("after \(after.map(\.number.description))") }
    return words.joined(separator: ", ")
  }
}

extension Submission.Options {
  /// The options that are not the default.
  fileprivate var words: [String] {
    var words = ["\(strategy)", "if exists \(ifExists)", "on stall \(onStall)"]
    if speaksPage { words.append("page") }
    if let group { words.append("in group \(group)") }
    if let limit { words.append("limit \(limit.text)") }
    if let silentAfter { words.append("silent after \(silentAfter.text)") }
    words.append("stall after \(stallAfter.text), grace \(grace.text)")
    if resumable { words.append("resumable") }
    if kind.isScheduled { words.append("\(kind)") }
    if priority != .normal { words.append("\(priority)") }
    if retries > 0 { words.append("\(retries) retries") }
    if requirements.gpuCount > 0 { words.append("\(requirements.gpuCount) GPUs") }
    if requirements.gpuMemoryBytes > 0 { words.append("\(requirements.gpuMemoryBytes) B each") }
    if requirements.memoryBytes > 0 { words.append("memory \(requirements.memoryBytes)") }
    if requirements.diskBytes > 0 { words.append("disk \(requirements.diskBytes)") }
    if requirements.network { words.append("network") }
    if requirements.power { words.append("power") }
    if requirements.whenIdle { words.append("when idle") }
    if onSlow != .ask { words.append("on slow \(onSlow)") }
    if let startsApart { words.append("starts \(startsApart.text) apart") }
    if let answerWithin { words.append("answer within \(answerWithin.text)") }
    return words
  }
}

extension MachineFacts {
  fileprivate var text: String {
    let free = gpus.map { "\($0.uuid):\($0.memoryFreeBytes)\($0.processes > 0 ? " in use" : "")" }
    return "\(free) memory \(memoryAvailableBytes) disk \(diskFreeBytes)"
      + (network.holds ? "" : " offline") + (power.holds ? "" : " on battery")
  }
}

extension Stimulus.Kind {
  /// As a trace shows it.
  package var text: String {
    switch self {
    case .submit(let submission, _): "a client submits \(submission.key)"
    case .batch(let batch, _): "a client submits \(batch.count) as \(batch.stem.key)"
    case .cancel(let choice, let isNow): "a client cancels \(choice)\(isNow ? " now" : "")"
    case .pause(let choice, let keepsSlot, let length):
      "a client pauses \(choice)\(keepsSlot ? " with its slot" : "")"
        + (length.map { " for \($0.text)" } ?? "")
    case .resume(let choice): "a client resumes \(choice)"
    case .pauseAll: "a client pauses all"
    case .pauseRunner(let isPaused): "the runner is \(isPaused ? "paused" : "resumed")"
    case .settings(let settings): "settings of \(settings.keys.map(\.text).sorted())"
    case .saving(let isShort): isShort ? "power is short" : "power is there"
    case .busy(let isPressed, let isAttended):
      (isPressed ? "something is short" : "nothing is short")
        + (isAttended ? ", somebody is there" : ", nobody is there")
    case .answer(let choice, let continues): "a client answers \(choice): \(continues)"
    case .lie(let choice): "an engine tells of \(choice)"
    case .redo(let choice, let isForced):
      "a client redoes \(choice)\(isForced ? " at once" : "")"
    case .steer(let choice, let how): "a client steers \(choice): \(how)"
    case .simulate(let choice, let what): "a client simulates \(what) on \(choice)"
    case .machine: "the machine changes"
    case .crash(let point, let outage): "the runner is to die \(point), for \(outage.text)"
    case .reboot(let outage): "the machine is restarted, in \(outage.text)"
    case .killSupervisor(let choice): "supervisor \(choice) is killed"
    case .shutdown(let discardsQueue):
      "the runner is told to stop\(discardsQueue ? ", and to discard what waits" : "")"
    case .fullDisk(let span): "the disk is full for \(span.text)"
    case .groups(let slots): "somebody sets the slots of \(slots.count) groups"
    case .clock(let shift): "somebody sets the clock by \(shift)ms"
    }
  }
}

extension JobSelection? {
  fileprivate var text: String {
    switch self {
    case nil: "all"
    case .range(let range): "\(range)"
    case .group(let group): "group \(group)"
    }
  }
}
